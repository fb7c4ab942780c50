"""What a study's report says, in order, whatever it is shown as; the verdict's sentence stands first."""

from __future__ import annotations

from dataclasses import dataclass

from contextbenchmark.render.forest import ForestRow
from contextbenchmark.study.analysis_record import Analysis
from contextbenchmark.study.numbers_record import Criterion, Interval
from contextbenchmark.study.report import tables
from contextbenchmark.study.report.tables import Table
from contextbenchmark.study.report.words import CRITERION_NAMES, bounds, signed

QUALITY_SIDES = ("vanilla better", "cc better")
COST_SIDES = ("cc cheaper", "cc dearer")


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A forest plot: its rows and what lies on either side of zero."""

    title: str
    description: str
    rows: tuple[ForestRow, ...]
    sides: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of the report; any of its pieces may be empty."""

    heading: str
    plot: Plot | None = None
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Content:
    """The whole report. ``sentence`` is the first thing that anybody reads."""

    study: str
    verdict: str
    sentence: str
    sections: tuple[Section, ...]


def content(analysis: Analysis) -> Content:
    """Return the report of ``analysis``."""
    sections = (
        Section(heading="Net value", tables=(tables.net_value(analysis),), notes=_net_notes(analysis)),
        Section(
            heading="Criteria",
            plot=_quality(analysis),
            tables=(tables.criteria(analysis),),
            notes=_criteria_notes(analysis),
        ),
        Section(heading="Cost", plot=_costs(analysis), tables=tables.cost_panel(analysis)),
        Section(heading="Treatment", tables=(tables.treatment(analysis),)),
        Section(heading="Missing data", tables=tables.missing(analysis), notes=_missing_notes(analysis)),
        Section(heading="Done another way", tables=(tables.sensitivities(analysis),)),
        Section(
            heading="Error rates at this n and spread",
            tables=tables.calibration(analysis),
            notes=_calibration_notes(analysis),
        ),
        *(
            ()
            if analysis.s5 is None
            else (Section(heading="Break-even (S5)", tables=tables.s5(analysis.s5)),)
        ),
        Section(heading="Judges", tables=(tables.judges(analysis),)),
        *(
            ()
            if analysis.imported is None
            else (
                Section(
                    heading="Rows", tables=tables.imported(analysis.imported), notes=analysis.imported.notes
                ),
            )
        ),
        *(
            (Section(heading="Looks before this one", tables=(tables.looks(analysis),)),)
            if analysis.looks
            else ()
        ),
        Section(heading="What this does not show", notes=_limits(analysis)),
    )
    return Content(
        study=analysis.study,
        verdict=analysis.verdict,
        sentence=analysis.sentence,
        sections=sections,
    )


def _row(name: str, found: Interval | Criterion, value: float | None, *, strong: bool = False) -> ForestRow:
    return ForestRow(
        label=name,
        value=value,
        low=found.lo,
        high=found.hi,
        strong=strong,
        note=f"{signed(value)} {bounds(found.lo, found.hi)}".strip(),
    )


def _quality(analysis: Analysis) -> Plot:
    rows = [_row("NV", analysis.nv, analysis.nv.value, strong=True)]
    rows.extend(
        _row(CRITERION_NAMES[name], item, item.delta)
        for name, item in analysis.criteria.items()
        if not item.cost
    )
    return Plot(
        title="NV and the quality criteria with 95 % intervals",
        description="Each row is a mean relative difference of cc against vanilla; right of zero cc is better.",
        rows=tuple(rows),
        sides=QUALITY_SIDES,
    )


def _costs(analysis: Analysis) -> Plot | None:
    rows = tuple(
        _row(CRITERION_NAMES[name], item, item.delta) for name, item in analysis.criteria.items() if item.cost
    )
    if not rows:
        return None
    return Plot(
        title="Costs of T1 with 95 % intervals",
        description="Each row is a mean relative increase of cc over vanilla; right of zero cc costs more.",
        rows=rows,
        sides=COST_SIDES,
    )


def _net_notes(analysis: Analysis) -> tuple[str, ...]:
    plan = analysis.plan
    notes = [
        f"NV = Q - {plan.lambda_:g} x C; it is a relative figure, no percentage of money or time.",
        f"Estimator: {plan.estimator.replace('_', ' ')}, "
        + (f"pairwise differences capped at ±{plan.cap:g}." if plan.cap else "no cap."),
    ]
    if analysis.undefined_resamples:
        notes.append(
            f"{analysis.undefined_resamples} of {plan.resamples} resamples held no pair of a task and were left out."
        )
    return tuple(notes)


def _criteria_notes(analysis: Analysis) -> tuple[str, ...]:
    return (
        "Differences are relative, cc against vanilla; of a cost, more is worse. The tests are of the raw differences "
        "and only describe: the verdict rests on NV's interval.",
        f"p <= .05 can be reached from {analysis.reach.before_holm} pairs on before Holm, "
        f"from {analysis.reach.after_holm} after.",
    )


def _missing_notes(analysis: Analysis) -> tuple[str, ...]:
    notes = []
    if analysis.missing.later_results:
        notes.append(
            f"{analysis.missing.later_results} later results of sessions that had one already do not count."
        )
    if analysis.missing.best is None:
        notes.append("No pair is missing.")
    return tuple(notes)


def _calibration_notes(analysis: Analysis) -> tuple[str, ...]:
    found = analysis.calibration
    if found is None:
        return (
            "Not simulated: too little is known, nothing varies, or there are too many pairs to need it.",
        )
    return (
        f"{found.studies} studies with NV = 0, {found.resamples} resamples each; ± is the Monte-Carlo error. "
        f"Registered one-sided alpha: {found.alpha:.1%}; the interval's own: {found.nominal:.1%}.",
        "Recentred units have NV = 0 and are what alpha is held against. Swapping the arms of whole units keeps their "
        "difference as spread, and shows the upward bias of pairwise differences too.",
    )


def _limits(analysis: Analysis) -> tuple[str, ...]:
    notes = [
        "One codebase at one commit: other languages, sizes and domains may differ.",
        "One model and one version of the agent: either changes between runs.",
        "The prompt rule of cc is part of the treatment and cannot be told apart from the server.",
        "Judges of two families can share biases; how often they agree stands above.",
        "T4 is one injected change, scored by tests: it says nothing of human oversight.",
    ]
    notes.extend(
        f"{rows} rows were measured under version {version} of the registration and are not in here."
        for version, rows in analysis.other_versions.items()
    )
    fewest = min((item.pairs for item in analysis.criteria.values()), default=0)
    notes.append(f"The smallest task has {fewest} pairs; repeats of one task are not different tasks.")
    return tuple(notes)
