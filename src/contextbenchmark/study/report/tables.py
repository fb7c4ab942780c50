"""The tables of a study's report."""

from __future__ import annotations

from dataclasses import dataclass

from contextbenchmark.study.analysis_record import Analysis, ArmClasses, Imported
from contextbenchmark.study.numbers_record import S5, Rates
from contextbenchmark.study.report.words import (
    CRITERION_NAMES,
    NOT_KNOWN,
    amount,
    bounds,
    probability,
    share,
    signed,
)
from contextbenchmark.study.s5 import NEVER


@dataclass(frozen=True, kw_only=True)
class Table:
    """Text in rows under heads; the first cell of a row names it."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def net_value(analysis: Analysis) -> Table:
    welch = analysis.welch
    freedom = "" if welch.df is None else f" (df {welch.df:.1f})"
    parts = (("NV", analysis.nv), ("Q, quality", analysis.q), ("C, cost", analysis.c))
    rows = [(name, signed(item.value), bounds(item.lo, item.hi)) for name, item in parts]
    rows.append((f"NV, Welch t{freedom}", signed(welch.value), bounds(welch.lo, welch.hi)))
    rows.extend(
        (f"of {task}", signed(item.value), bounds(item.lo, item.hi))
        for task, item in analysis.y_intervals.items()
    )
    return Table(caption="Net value", heads=("", "Value", "95 % interval"), rows=tuple(rows))


def criteria(analysis: Analysis) -> Table:
    rows = []
    for name, item in analysis.criteria.items():
        test = item.wilcoxon
        rows.append(
            (
                CRITERION_NAMES[name],
                item.task,
                f"{item.weight:g}",
                str(item.pairs),
                signed(item.delta),
                bounds(item.lo, item.hi),
                probability(test.p if test else None),
                probability(item.holm),
                "none" if item.r is None else f"{item.r:+.2f}",
            )
        )
    heads = ("Criterion", "Task", "Weight", "Pairs", "Delta", "95 % interval", "p", "Holm", "r")
    return Table(caption="Criteria", heads=heads, rows=tuple(rows))


def cost_panel(analysis: Analysis) -> tuple[Table, ...]:
    rows = tuple(
        (
            task,
            str(row.pairs),
            amount(row.wall_s["vanilla"], " s"),
            amount(row.wall_s["cc"], " s"),
            amount(row.tokens["vanilla"]),
            amount(row.tokens["cc"]),
        )
        for task, row in analysis.costs.items()
    )
    heads = ("Task", "Pairs", "Wall, vanilla", "Wall, cc", "Tokens, vanilla", "Tokens, cc")
    return (Table(caption="Mean cost of a session, as measured", heads=heads, rows=rows),)


def treatment(analysis: Analysis) -> Table:
    found = analysis.treatment
    of = f"of {found.sessions}"
    rows = [
        ("Sessions that called the server", f"{found.called_sessions} {of}", share(found.called)),
        ("Sessions that got an answer", f"{found.answered_sessions} {of}", share(found.answered)),
        ("Calls not recorded", f"{found.unknown} {of}", ""),
        (
            "Failed at the first start",
            f"{found.start_failures} of {found.attempted}",
            share(found.start_failure_rate),
        ),
        ("Valid from", "", share(found.threshold)),
    ]
    return Table(caption="cc sessions with a result", heads=("", "Sessions", "Share"), rows=tuple(rows))


def missing(analysis: Analysis) -> tuple[Table, ...]:
    found = analysis.missing
    rows = tuple(
        (
            task,
            str(row.planned),
            str(row.pairs),
            str(row.missing),
            _classes(row.arms["vanilla"]),
            _classes(row.arms["cc"]),
        )
        for task, row in found.tasks.items()
    )
    heads = ("Task", "Planned", "Pairs", "Missing", "vanilla ended", "cc ended")
    tables = [Table(caption="Planned and present pairs", heads=heads, rows=rows)]
    if found.best is not None and found.worst is not None:
        cases = (("best", found.best), ("worst", found.worst))
        tables.append(
            Table(
                caption="NV with every missing pair at its best and worst for cc",
                heads=("Case", "NV", "95 % interval", "Verdict"),
                rows=tuple((n, signed(c.value), bounds(c.lo, c.hi), c.verdict) for n, c in cases),
            )
        )
    return tuple(tables)


def _classes(ended: ArmClasses) -> str:
    named = [(name.replace("_", " "), count) for name, count in ended.model_dump().items() if count]
    return ", ".join(f"{count} {name}" for name, count in named) or "none"


def sensitivities(analysis: Analysis) -> Table:
    rows = tuple(
        (
            item.label + (f" ({item.note})" if item.note else ""),
            signed(item.nv.value),
            bounds(item.nv.lo, item.nv.hi),
            item.verdict,
            "flips" if item.flips else "",
        )
        for item in analysis.sensitivities
    )
    heads = ("With", "NV", "95 % interval", "Verdict", "")
    return Table(caption="The same rows, analysed another way", heads=heads, rows=rows)


def calibration(analysis: Analysis) -> tuple[Table, ...]:
    found = analysis.calibration
    if found is None:
        return ()
    named = (("own units, recentred", found.recentred), ("arms swapped at random", found.swapped))
    rows = tuple(
        (f"{how}: {name}", _rate(rates, "coverage"), _rate(rates, "false_keep"))
        for how, null in named
        for name, rates in (("BC", null.bc), ("Welch t", null.welch))
    )
    return (Table(caption="Studies with NV = 0", heads=("", "Coverage", "False KEEP"), rows=rows),)


def _rate(rates: Rates, name: str) -> str:
    rate = getattr(rates, name)
    return f"{rate.value:.1%} ±{rate.error:.1%}"


def s5(found: S5) -> tuple[Table, ...]:
    def task(k: int | None) -> str:
        return NOT_KNOWN if k is None else "never" if k == NEVER else f"task {k}"

    interval = "" if found.lo is None else f"{task(found.lo)} to {task(found.hi)}"
    facts = (
        ("Breaks even from", task(found.k), interval),
        ("with failed steps raised to the partner's", task(found.raised), ""),
        ("Sequences", f"{found.sequences} of {found.planned}", found.note),
        ("Index, tokens", amount(found.index_tokens), ""),
        ("Index, wall time", amount(found.index_wall_s, " s"), ""),
        ("Pass rate, vanilla", share(found.pass_rate["vanilla"]), ""),
        ("Pass rate, cc", share(found.pass_rate["cc"]), ""),
    )
    tables = [Table(caption="Break-even", heads=("", "Value", "95 % interval"), rows=facts)]
    if found.vanilla:
        rows = tuple(
            (f"after task {number}", amount(vanilla), amount(cc))
            for number, (vanilla, cc) in enumerate(zip(found.vanilla, found.cc, strict=True), 1)
        )
        heads = ("", "vanilla", "cc with index")
        tables.append(Table(caption="Mean cumulative tokens", heads=heads, rows=rows))
    return tuple(tables)


def judges(analysis: Analysis) -> Table:
    found = analysis.judges
    rows = (
        ("Judges", ", ".join(found.names) or "none"),
        ("Readable verdicts", str(found.verdicts)),
        ("Unreadable", str(found.unreadable)),
        ("Contradicted themselves", f"{found.contradictions} of {found.both_orders} that saw both orders"),
        ("Agree on what is better", share(found.agreement)),
    )
    return Table(caption="Judges", heads=("", ""), rows=rows)


def looks(analysis: Analysis) -> Table:
    rows = tuple(
        (
            str(number),
            f"{look.sessions} of {look.planned}",
            look.verdict,
            signed(look.nv),
            bounds(look.lo, look.hi),
        )
        for number, look in enumerate(analysis.looks, 1)
    )
    heads = ("Look", "Sessions", "Verdict", "NV", "95 % interval")
    return Table(caption="Earlier analyses of this study", heads=heads, rows=rows)


def imported(found: Imported) -> tuple[Table, ...]:
    taken = (("sessions", str(found.sessions)), ("verdicts", str(found.judgements)))
    tables = [Table(caption="Rows taken", heads=("Kind", "Rows"), rows=taken)]
    if found.refused:
        rows = tuple(
            (item.file, item.reason, str(item.rows), ", ".join(map(str, item.lines)))
            for item in found.refused
        )
        tables.append(Table(caption="Rows refused", heads=("File", "Why", "Rows", "Lines, first"), rows=rows))
    return tuple(tables)
