"""The Context Trust Level that evidence supports: a pure decision, with its reasons in words.

CTL-3: every build the same bytes, every repeated answer the same. CTL-2: answers the same, bytes not (or no
bytes to compare). CTL-1: answers differ, mean Jaccard@k and mean tau at least 0.9. CTL-0: below. CTL-4 needs
another machine and is never given here. The weakest kind of comparison decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from contextbenchmark.trust.record import (
    Agreement,
    FlipRate,
    Level,
    QueryFamily,
    RebuildFamily,
    SystemStatus,
)

REPEATABLE_AT_LEAST = 0.9
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class LevelDecision:
    """``line`` is the level with what it rests on, for the table; ``reasons`` are sentences."""

    level: Level | None
    status: SystemStatus
    line: str
    reasons: tuple[str, ...]


def decide_level(rebuild: RebuildFamily, query: QueryFamily) -> LevelDecision:
    """Return the level that one machine's evidence supports, or None with the reason why there is none."""
    for family in (rebuild, query):
        if family.status == "error":
            return _none("error", family.reason)
    if query.status == "vacuous":
        return _none("vacuous", query.reason)
    missing = _missing(rebuild, query)
    if missing:
        return _none("ok", *missing)
    unstable = [kind for kind in _kinds(query) if kind.agreement.rate.flips]
    if unstable:
        level: Level = "CTL-1" if all(kind.repeatable for kind in unstable) else "CTL-0"
        reasons = tuple(kind.sentence for kind in unstable)
    else:
        level = "CTL-3" if rebuild.status == "ok" and rebuild.distinct_hashes == 1 else "CTL-2"
        reasons = ("Every repeated answer was the same, within builds, across builds and after reopening.",)
    return LevelDecision(
        level=level, status="ok", line=_line(level, rebuild, query), reasons=(*reasons, *_artifact(rebuild))
    )


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """One kind of comparison of answers."""

    name: str
    agreement: Agreement

    @property
    def repeatable(self) -> bool:
        """Whether the answers are alike enough for CTL-1; an undefined measure shows nothing, so fails."""
        values = (self.agreement.jaccard.value, self.agreement.tau.value)
        return all(value is not None and value >= REPEATABLE_AT_LEAST - _ROUNDING for value in values)

    @property
    def sentence(self) -> str:
        rate, tau = self.agreement.rate, self.agreement.tau
        order = "undefined everywhere" if tau.value is None else f"{_short(tau.value)} (n = {tau.n})"
        return (
            f"{rate.flips} of {rate.n} answers differed {self.name}: mean Jaccard"
            f" {_short(self.agreement.jaccard.value)} (n = {self.agreement.jaccard.n}), tau {order}."
        )


def _kinds(query: QueryFamily) -> list[_Kind]:
    named = (
        ("between passes over one build", query.within_build),
        ("when asked again in one process", query.history_agreement),
        ("between builds", query.across_builds),
        ("after reopening a used copy", query.across_reopenings),
    )
    return [_Kind(name=name, agreement=agreement) for name, agreement in named if agreement is not None]


def _missing(rebuild: RebuildFamily, query: QueryFamily) -> list[str]:
    """Return why the evidence is not enough for any level; empty where it is."""
    reasons = []
    if rebuild.status == "not-requested" or query.status == "not-requested":
        reasons.append("A level needs both the rebuild and the query family; ask for both with --families.")
    if rebuild.status != "not-requested" and rebuild.builds < 2:
        reasons.append("A level needs at least 2 builds; ask for them with --rebuilds.")
    if query.status not in ("ok", "not-requested"):
        reasons.append(query.reason or "There is no usable evidence on queries.")
    elif query.status == "ok" and query.passes < 2 * rebuild.builds:
        reasons.append("A level needs at least 2 passes over each build; ask for them with --trials.")
    elif query.status == "ok" and (
        query.across_builds is None or (query.within_build is None and query.across_reopenings is None)
    ):
        reasons.append(
            "The passes allow no comparison between builds, or none between passes over one build."
        )
    return reasons


def _artifact(rebuild: RebuildFamily) -> tuple[str, ...]:
    """Say what the artifacts showed."""
    if rebuild.identity == "absent":
        return (
            rebuild.reason or "There is no artifact to compare.",
            "Without an artifact the ceiling is CTL-2.",
        )
    what = "artifact file" if rebuild.identity == "file" else "artifact directory"
    if rebuild.distinct_hashes == 1:
        said = f"The {what} was the same bytes in all {rebuild.builds} builds."
    else:
        said = f"The {what} had {rebuild.distinct_hashes} distinct contents over {rebuild.builds} builds."
        if rebuild.differing_files_total:
            said = f"{said[:-1]}; files that differ: {_named(rebuild)}."
    return (said, rebuild.reason) if rebuild.reason else (said,)


def _named(rebuild: RebuildFamily) -> str:
    names = [file.path for file in rebuild.differing_files[:3]]
    more = rebuild.differing_files_total - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _line(level: Level, rebuild: RebuildFamily, query: QueryFamily) -> str:
    """Return the level with the counts it rests on, and the flip rates that so few comparisons cannot rule out.

    Builds and passes over one build are counted apart: a build that answers differently does so in all its passes,
    so builds are what few are of.
    """
    named = (
        (rebuild.rate, "other bytes in {} of {} rebuild{}"),
        (query.build_rate, "other answers in {} of {} rebuild{}"),
        (query.pass_rate, "other answers in {} of {} repeated pass{} over one build"),
    )
    counts = []
    for rate, words in named:
        if rate is not None and rate.n:
            ending = "" if rate.n == 1 else "es" if "pass{}" in words else "s"
            counts.append(f"{words.format(rate.flips, rate.n, ending)} (95 % bound: {_percent(rate)})")
    absent = "no artifact; " if rebuild.identity == "absent" else ""
    return f"{level}: {absent}{', '.join(counts)}"


def _percent(rate: FlipRate) -> str:
    """Return the bound rounded up to whole per cent: an upper bound must not be rounded below itself."""
    bound = 100 * (rate.upper95 or 0.0)
    whole = int(bound)
    return f"{whole if bound == whole else whole + 1} %"


def _short(value: float | None) -> str:
    """Return three decimals, rounded down: what is below a threshold must not be printed as reaching it."""
    return "undefined" if value is None else f"{int(value * 1000 + 1e-9) / 1000 if value >= 0 else value:.3f}"


def _none(status: SystemStatus, *reasons: str) -> LevelDecision:
    said = tuple(reason for reason in reasons if reason) or ("There is no evidence.",)
    return LevelDecision(level=None, status=status, line=f"no level: {said[0]}", reasons=said)
