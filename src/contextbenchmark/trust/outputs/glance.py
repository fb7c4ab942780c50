"""What every readable form shows of a system: the same words in terminal, Markdown and page.

Six words stand for what is not a result, and each has a look of its own: *absent* (there is nothing to measure it
on), *VACUOUS* (measured, and it says nothing), *ERROR* (an operation failed), *FAIL* (measured, and bad),
*UNAVAILABLE* (it cannot run here), *not exercised* (tried, without effect). ``-`` is what was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contextbenchmark.render.text import interval, number, plural, seconds, size
from contextbenchmark.trust.record import (
    Agreement,
    FamilyStatus,
    QueryFamily,
    Report,
    SystemReport,
    SystemTimes,
    Times,
)

Look = Literal[
    "plain", "quiet", "CTL-0", "CTL-1", "CTL-2", "CTL-3", "CTL-4", "none", "pass", "warn", "fail", "absent", "vacuous",
    "error", "unavailable", "not-exercised", "not-requested",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A value with what it rests on, and how it looks."""

    text: str
    detail: str = ""
    look: Look = "plain"

    @property
    def line(self) -> str:
        return f"{self.text} ({self.detail})" if self.detail else self.text


@dataclass(frozen=True, kw_only=True)
class Glance:
    """One system at a glance. ``sentences``: the level's line, then why, in plain words."""

    name: str
    level: Cell
    rebuild: Cell
    answers: Cell
    drift: Cell
    quality: Cell
    latency: Cell
    build: Cell
    size: Cell
    sentences: tuple[str, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Return the cells in the order of :func:`headings`, without the name."""
        return (
            self.level, self.rebuild, self.answers, self.drift, self.quality, self.latency, self.build, self.size,
        )  # fmt: skip


NOTHING = Cell(text="-", look="quiet")
_WORDS: dict[FamilyStatus, Cell] = {
    "vacuous": Cell(text="VACUOUS", look="vacuous"),
    "absent": Cell(text="absent", look="absent"),
    "not-requested": Cell(text="not asked for", look="not-requested"),
    "error": Cell(text="ERROR", look="error"),
    "not-exercised": Cell(text="not exercised", look="not-exercised"),
}


def headings(k: int) -> tuple[str, ...]:
    return (
        "System", "Level", "Index rebuilt", "Same answers", "Drift",
        f"Quality (nDCG@{k})", "One query", "Build", "Index",
    )  # fmt: skip


def legend(k: int) -> tuple[str, ...]:
    """Return what the headings mean, a sentence each."""
    return (
        "Index rebuilt: how many different indexes the builds of the same corpus gave; one is best.",
        "Same answers: share of repeated answers that were exactly the first, in the weakest kind of repetition"
        " (EMR, exact-match rate), of n.",
        "Drift: how far answers moved when unrelated text was added, 0 is best; noise: answers that it got into.",
        f"Quality: nDCG at {k}, 1 is best, with its 95 % interval, over n queries whose relevant files are known.",
        "One query: the median. Build: the median. Index: the bytes that the first build left.",
    )


def glance(report: Report, times: Times) -> tuple[Glance, ...]:
    """Return every system of ``report``, in its order. A system that ``times`` does not name has no times."""
    timed = {system.name: system for system in times.systems}
    return tuple(_glance(system, timed.get(system.name)) for system in report.systems)


def _glance(system: SystemReport, times: SystemTimes | None) -> Glance:
    measured = system.status in ("ok", "vacuous")
    return Glance(
        name=system.name,
        level=level_cell(system),
        rebuild=_rebuild(system) if measured else NOTHING,
        answers=_answers(system.families.query) if measured else NOTHING,
        drift=_drift(system) if measured else NOTHING,
        quality=_quality(system) if measured else NOTHING,
        latency=_duration(times.latency.get("p50") if times else None),
        build=_duration(median(times.build.wall) if times else None),
        size=_size(system) if measured else NOTHING,
        sentences=sentences(system),
    )


def level_cell(system: SystemReport) -> Cell:
    """Return the level, or the word that stands where there is none."""
    if system.status == "error":
        return Cell(text="ERROR", look="error")
    if system.status == "unavailable":
        return Cell(text="UNAVAILABLE", look="unavailable")
    if system.status == "vacuous":
        return Cell(text="VACUOUS", look="vacuous")
    return Cell(text=system.level, look=system.level) if system.level else Cell(text="none", look="none")


def _rebuild(system: SystemReport) -> Cell:
    family = system.families.rebuild
    if family.status != "ok":
        return _WORDS[family.status]
    same = family.distinct_hashes == 1
    return Cell(
        text=f"{family.distinct_hashes} {'hash' if same else 'hashes'} / {plural(family.builds, 'build')}",
        look="pass" if same else "warn",
    )


def agreements(query: QueryFamily) -> tuple[tuple[str, Agreement], ...]:
    """Return the kinds of repetition that were compared, each with its name."""
    named = (
        ("between builds", query.across_builds),
        ("within a build", query.within_build),
        ("after reopening", query.across_reopenings),
        ("asked again", query.history_agreement),
    )
    return tuple((name, agreement) for name, agreement in named if agreement is not None)


def _answers(query: QueryFamily) -> Cell:
    if query.status != "ok":
        return _WORDS[query.status]
    kinds = [(name, kind) for name, kind in agreements(query) if kind.emr is not None]
    if not kinds:
        return _WORDS["absent"]
    # Of equal ones the first: between builds is what a rebuild in production would show.
    name, weakest = min(kinds, key=lambda item: item[1].emr or 0.0)
    return Cell(
        text=number(weakest.emr),
        detail=f"n = {weakest.rate.n}, {name}",
        look="pass" if weakest.rate.flips == 0 else "warn",
    )


def _drift(system: SystemReport) -> Cell:
    family = system.families.drift
    if family.status != "ok" or family.drift is None:
        return _WORDS["absent" if family.status == "ok" else family.status]
    surfaced = family.noise_surfaced
    noise = f"noise {surfaced.flips}/{surfaced.n}" if surfaced is not None else f"n = {family.drift.n}"
    value = number(family.drift.value, up=True)
    if family.verdict is None:
        return Cell(text=f"no verdict {value}", detail=noise, look="quiet")
    looks: dict[str, Look] = {"PASS": "pass", "WARN": "warn", "FAIL": "fail"}
    return Cell(text=f"{family.verdict} {value}", detail=noise, look=looks[family.verdict])


def _quality(system: SystemReport) -> Cell:
    quality = system.quality
    if quality is None or quality.ndcg.value is None:
        return _WORDS["absent"]
    ndcg = quality.ndcg
    between = interval(ndcg.low, ndcg.high)
    return Cell(
        text=f"{number(ndcg.value, 2)} {between}".rstrip(),
        detail=f"n = {ndcg.n}",
    )


def _duration(value: float | None) -> Cell:
    return NOTHING if value is None else Cell(text=seconds(value))


def _size(system: SystemReport) -> Cell:
    artifact = system.artifact
    return _WORDS["absent"] if artifact is None or not artifact.bytes else Cell(text=size(artifact.bytes))


def median(values: Sequence[float]) -> float | None:
    """Return the median, the lower middle one of an even number; None of nothing."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2] if ordered else None


def sentences(system: SystemReport) -> tuple[str, ...]:
    """Return the level's line and the reasons, each once; what drift has to say where it has no verdict."""
    said = [_head(system), *(system.reasons if system.status == "ok" else system.reasons[1:])]
    drift = system.families.drift
    if system.status == "ok" and drift.reason and drift.status != "not-requested":
        said.append(f"Drift: {drift.reason[:1].lower()}{drift.reason[1:]}")
    # A reason that the level's line holds already is not said twice.
    return tuple(said[:1] + [sentence for sentence in said[1:] if sentence not in said[0]])


def _head(system: SystemReport) -> str:
    if system.status == "ok":
        return _stop(system.level_line)
    words = {"error": "ERROR", "unavailable": "UNAVAILABLE", "vacuous": "VACUOUS, no level"}
    failure = system.failure
    where = f" ({failure.phase}: {failure.kind.replace('-', ' ')})" if failure is not None else ""
    why = (system.reasons[0] if system.reasons else system.level_line).removeprefix(f"{system.name}: ")
    why = why.removeprefix("Vacuous: ")
    return _stop(f"{words[system.status]}{where}. {why[:1].upper()}{why[1:]}")


def _stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
