"""``contextbenchmark study import | analyse | power``: from rows to a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextbenchmark.cli.study_registration import LedgerOption, study_file
from contextbenchmark.errors import EXIT_PASS, ConfigurationError

if TYPE_CHECKING:
    from contextbenchmark.study.analysis_record import Analysis
    from contextbenchmark.study.importer import Rows
    from contextbenchmark.study.power import Power
    from contextbenchmark.study.record import Verdict
    from contextbenchmark.study.simulate import Draw

EXITS: dict[Verdict, int] = {"KEEP": 0, "DROP": 10, "INCONCLUSIVE": 11, "INVALID": 12}

PlanOption = Annotated[Path | None, typer.Option("--plan", metavar="PLAN.json", help="What was planned.")]
SessionsOption = Annotated[
    Path | None, typer.Option("--sessions", metavar="FILE", help="One row a session: CSV or JSON lines.")
]
JudgesOption = Annotated[
    Path | None, typer.Option("--judges", metavar="FILE", help="One row a verdict: CSV or JSON lines.")
]
MapOption = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="OURS=THEIRS", help="Another name of a column; repeatable."),
]
OutOption = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write the report.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the analysis as JSON.")]
GateOption = Annotated[bool, typer.Option("--gate", help="Exit 0 only for a KEEP that no check qualifies.")]


def import_command(
    plan: PlanOption = None,
    sessions: SessionsOption = None,
    judges: JudgesOption = None,
    map_: MapOption = None,
    study: Annotated[
        Path | None,
        typer.Option(
            metavar="STUDY", help="A registered study: put the rows into its ledger, then see study analyse."
        ),
    ] = None,
    ledger: LedgerOption = None,
    out: OutOption = Path("results"),
    as_json: JsonOption = False,
    gate: GateOption = False,
) -> int:
    """Analyse rows that were measured elsewhere; a planned session without a row is missing, not forgotten.

    Example: contextbenchmark study import --plan plan.json --sessions sessions.csv --judges judges.csv

    Exit codes: 0 KEEP, 10 DROP, 11 INCONCLUSIVE, 12 INVALID, 4 a file cannot be used.
    """
    if sessions is None:
        raise ConfigurationError("study import needs the sessions.", "Name them: --sessions FILE.")
    if study is not None:
        return _into_ledger(study, ledger, sessions, judges, map_)
    return _told(_analysed(_read(plan, sessions, judges, map_)), out, as_json=as_json, gate=gate)


def analyse_command(
    study: Annotated[
        Path, typer.Argument(metavar="STUDY", help="A registered study.toml, or the folder that it is in.")
    ] = Path(),
    plan: PlanOption = None,
    sessions: SessionsOption = None,
    judges: JudgesOption = None,
    map_: MapOption = None,
    ledger: LedgerOption = None,
    out: OutOption = Path("results"),
    as_json: JsonOption = False,
    gate: GateOption = False,
) -> int:
    """Analyse a registered study from its ledger, once every file is what was registered. The look is written down.

    Example: contextbenchmark study analyse study --json

    Exit codes: 0 KEEP, 10 DROP, 11 INCONCLUSIVE, 12 INVALID, 4 a file differs from what was registered.
    """
    if plan is not None or sessions is not None:
        return _told(_analysed(_read(plan, sessions, judges, map_)), out, as_json=as_json, gate=gate)
    from contextbenchmark.study.frozen import default_ledger, require_unchanged
    from contextbenchmark.study.stored import append_look, read_stored

    file = study_file(study)
    place = ledger or default_ledger(file)
    version = require_unchanged(file, ledger, hidden_may_be_absent=True)[-1]
    stored = read_stored(place, version)
    analysis = _analysed(stored.rows, attempts=version.design.schedule.retries + 1).model_copy(
        update={"looks": stored.looks, "other_versions": stored.other_versions}
    )
    append_look(place, version, analysis)
    return _told(analysis, out, as_json=as_json, gate=gate)


def power_command(
    effect: Annotated[float, typer.Option(help="The NV that should be found.")] = 0.1,
    target: Annotated[float, typer.Option(min=0.01, max=0.999, help="How often it should be found.")] = 0.8,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.4999, help="How often nothing may be.")] = 0.05,
    spread: Annotated[
        list[float] | None,
        typer.Option(help="Standard deviation of a stratum's share of NV; one a stratum, repeatable."),
    ] = None,
    plan: PlanOption = None,
    sessions: SessionsOption = None,
    judges: JudgesOption = None,
    map_: MapOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say how many pairs a task needs: from a spread that you assume, or that of a study's rows.

    Example: contextbenchmark study power --effect 0.1 --spread 0.25 --spread 0.08 --spread 0.15
    """
    from contextbenchmark.study.power import power

    draws = _assumed(spread) if spread else _observed(_read(plan, sessions, judges, map_))
    found = power(draws, effect=effect, target=target, alpha=alpha, seed=seed)
    if as_json:
        typer.echo(found.to_json(indent=1))
    else:
        _print_power(found)
    return EXIT_PASS


def _read(plan: Path | None, sessions: Path | None, judges: Path | None, map_: list[str] | None) -> Rows:
    from dataclasses import replace

    from contextbenchmark.study.importer import column_names, import_rows, read_plan, unused_keys

    if plan is None or sessions is None:
        raise ConfigurationError(
            "Rows are analysed by a plan.", "Name both: --plan PLAN.json --sessions FILE [--judges FILE]."
        )
    rows = import_rows(read_plan(plan), sessions, judges, column_names(tuple(map_ or ())))
    unused = unused_keys(plan)
    if not unused:
        return rows
    notes = (f"{plan.name}: not used: {', '.join(unused)}", *rows.imported.notes)
    return replace(rows, imported=rows.imported.model_copy(update={"notes": notes}))


def _analysed(rows: Rows, *, attempts: int | None = None) -> Analysis:
    from contextbenchmark.study.analyse import analyse

    return analyse(rows.measured, rows.judged, imported=rows.imported, attempts=attempts)


def _told(analysis: Analysis, out: Path, *, as_json: bool, gate: bool) -> int:
    from contextbenchmark.study.report.files import write_report

    files = write_report(analysis, out)
    if as_json:
        typer.echo(analysis.to_json(indent=1))
    else:
        from rich.console import Console

        from contextbenchmark.study.report.content import content
        from contextbenchmark.study.report.terminal import print_report

        print_report(content(analysis), Console())
        typer.echo(f"\nReport: {files[-1]}")
    exit_code = EXITS[analysis.verdict]
    return EXITS["INCONCLUSIVE"] if gate and exit_code == EXIT_PASS and analysis.qualifications else exit_code


def _into_ledger(
    study: Path, ledger: Path | None, sessions: Path, judges: Path | None, map_: list[str] | None
) -> int:
    from contextbenchmark.study.frozen import default_ledger, require_unchanged
    from contextbenchmark.study.importer import column_names, read_records
    from contextbenchmark.study.row_check import Checker
    from contextbenchmark.study.stored import append_rows, plan_of

    file = study_file(study)
    place = ledger or default_ledger(file)
    version = require_unchanged(file, ledger, hidden_may_be_absent=True)[-1]
    checker = Checker(plan=plan_of(version.design))
    records = read_records(checker, sessions, judges, column_names(tuple(map_ or ())))
    count = append_rows(place, version, records)
    typer.echo(f"{count} rows are in {place} as of version {version.registration.version}")
    for item in checker.refusals.rows():
        lines = f" (lines {', '.join(map(str, item.lines))})" if item.lines else ""
        typer.echo(f"refused {item.rows} of {item.file}{lines}: {item.reason}")
    return EXIT_PASS


def _assumed(spread: list[float]) -> list[Draw]:
    from contextbenchmark.study.simulate import normal

    if any(not 0 < value < float("inf") for value in spread):
        raise ConfigurationError("A spread is a positive number.", "Name a standard deviation: --spread 0.2.")
    return [normal(value) for value in spread]


def _observed(rows: Rows) -> list[Draw]:
    from contextbenchmark.study.estimate import estimate
    from contextbenchmark.study.sensitivity import pair_table
    from contextbenchmark.study.simulate import recentred

    found = estimate(rows.measured.plan, pair_table(rows.measured, rows.judged.shares()))
    if found.few or found.unknown or not found.spread:
        raise ConfigurationError(
            "These rows have no spread: a task has fewer than 2 pairs, a value is not known, or nothing varies.",
            "Assume one: --spread 0.2.",
        )
    return [recentred(values) for values in found.influences]


def _print_power(found: Power) -> None:
    typer.echo(
        f"Chance of KEEP where NV is {found.effect:+g}; false KEEP where it is 0 ({found.studies} studies each)"
    )
    typer.echo("pairs a task      BC  false KEEP   Welch t  false KEEP")
    for row in found.rows:
        typer.echo(
            f"{row.n:12d}  {row.bc:6.1%}  {row.null_bc.false_keep.value:9.1%}  {row.welch:8.1%}  "
            f"{row.null_welch.false_keep.value:9.1%}"
        )
    for name, needed in (("BC, the registered interval,", found.needed), ("Welch's t", found.needed_welch)):
        said = f"{needed} pairs a task" if needed else f"more than {found.rows[-1].n} pairs a task"
        typer.echo(
            f"{name} needs {said} for {found.target:.0%} with a false KEEP of at most {found.alpha:.1%}."
        )


def add_commands(app: typer.Typer) -> None:
    """Give ``app`` (the verb ``study``) the commands of this file."""
    app.command("import")(import_command)
    app.command("analyse")(analyse_command)
    app.command("power")(power_command)
