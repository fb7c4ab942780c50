"""From sessions to pairs: the components of each pair as numbers, by the rule book's and the spec's rules.

A component is a relative difference of one measured thing; a criterion is made of one or more of them. For each
pair it is a cell: the two values that enter a ratio of means, the pairwise D before the cap, and the raw difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from contextbenchmark.study.judging import PairKey
from contextbenchmark.study.measured import Measured
from contextbenchmark.study.record import Session, Task

NAN = math.nan


@dataclass(frozen=True, kw_only=True)
class Component:
    """``cost``: less is better. ``judged``: made of verdicts, not of two measured values."""

    name: str
    task: Task
    cost: bool = False
    judged: bool = False


COMPONENTS = (
    Component(name="accuracy", task="T1"),
    Component(name="static", task="T1"),
    Component(name="code_judged", task="T1", judged=True),
    Component(name="wall", task="T1", cost=True),
    Component(name="tokens", task="T1", cost=True),
    Component(name="systems_knowledge", task="T2"),
    Component(name="communication", task="T3", judged=True),
    Component(name="hidden_after_change", task="T4"),
    Component(name="tokens_to_adapt", task="T4", cost=True),
    Component(name="wall_to_adapt", task="T4", cost=True),
)


def components_of(task: Task) -> tuple[Component, ...]:
    return tuple(component for component in COMPONENTS if component.task == task)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One component of one pair. ``d``: pairwise, before the cap; ``raw``: cc - vanilla in the component's unit.

    ``vanilla`` and ``cc`` enter a ratio of means; a judged component enters as 1 and 1 + d, so that its ratio of
    means is the mean of d.
    """

    vanilla: float
    cc: float
    d: float
    raw: float


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Both arms' sessions of one repeat of a task, its cells in the order of :func:`components_of`.

    ``swapped`` are the cells with the arms exchanged. Of an imputed pair only ``cells`` and their ``d`` mean anything.
    """

    repeat: int
    cells: tuple[Cell, ...]
    swapped: tuple[Cell, ...]


def relative(vanilla: float, cc: float) -> float:
    """Return (cc - vanilla) / vanilla; with a zero baseline 0 where both are 0, else +1; NaN of NaN."""
    if math.isnan(vanilla) or math.isnan(cc):
        return NAN
    if vanilla == 0:
        return 0.0 if cc == 0 else 1.0
    return (cc - vanilla) / vanilla


def pairs_of(measured: Measured, shares: Mapping[PairKey, float], task: Task) -> tuple[Pair, ...]:
    """Return the pairs of ``task`` that have a result in both arms, in the order of their repeats.

    :param shares: share of readable verdicts that prefer cc, by task and repeat.
    """
    weight = measured.plan.cache_read_weight
    found = []
    for repeat in measured.repeats(task):
        vanilla, cc = (
            measured.counted(task, repeat, "vanilla"),
            measured.counted(task, repeat, "cc"),
        )
        if vanilla is None or cc is None:
            continue
        share = shares.get((task, repeat), NAN) if task in ("T1", "T3") else NAN
        found.append(
            Pair(
                repeat=repeat,
                cells=_cells(task, vanilla, cc, share, weight),
                swapped=_cells(task, cc, vanilla, 1 - share, weight),
            )
        )
    return tuple(found)


def imputed(task: Task, repeat: int, quality: float) -> Pair:
    """Return a missing pair at an extreme: every quality D is ``quality`` (+1 or -1), every cost D its opposite."""
    cells = tuple(
        Cell(vanilla=NAN, cc=NAN, d=-quality if component.cost else quality, raw=NAN)
        for component in components_of(task)
    )
    return Pair(repeat=repeat, cells=cells, swapped=cells)


def _cells(task: Task, vanilla: Session, cc: Session, share: float, weight: float) -> tuple[Cell, ...]:
    judged = _judged(vanilla, cc, share)
    match task:
        case "T1":
            return (
                _score(vanilla, cc, vanilla.hidden_pass_rate, cc.hidden_pass_rate),
                _score(vanilla, cc, vanilla.static_score, cc.static_score),
                judged,
                _measured(vanilla.wall_s, cc.wall_s),
                _measured(vanilla.tokens(weight), cc.tokens(weight)),
            )
        case "T2":
            return (_score(vanilla, cc, vanilla.t2_score, cc.t2_score),)
        case "T3":
            return (judged,)
        case "T4":
            return (
                _score(vanilla, cc, vanilla.change_pass_rate, cc.change_pass_rate),
                _adaptation(vanilla, cc, vanilla.adaptation_tokens(weight), cc.adaptation_tokens(weight)),
                _adaptation(vanilla, cc, vanilla.adapt_wall_s, cc.adapt_wall_s),
            )
        case _:
            return ()


def _measured(vanilla: float | None, cc: float | None) -> Cell:
    first, second = NAN if vanilla is None else vanilla, NAN if cc is None else cc
    return Cell(vanilla=first, cc=second, d=relative(first, second), raw=second - first)


def _score(vanilla: Session, cc: Session, vanilla_score: float | None, cc_score: float | None) -> Cell:
    """A failed session scores 0, whatever its partial work passes."""
    return _measured(0.0 if vanilla.failed else vanilla_score, 0.0 if cc.failed else cc_score)


def _judged(vanilla: Session, cc: Session, share: float) -> Cell:
    """D = 2 x share - 1; where a session failed there is nothing to judge: the other is preferred."""
    d = float(vanilla.failed) - float(cc.failed) if vanilla.failed or cc.failed else 2 * share - 1
    return Cell(vanilla=1.0, cc=1.0 + d, d=d, raw=d)


def _adaptation(vanilla: Session, cc: Session, vanilla_cost: float | None, cc_cost: float | None) -> Cell:
    """A failed session adapted to nothing: its cost stands at +1 (cc), -1 (vanilla), or 0 where both failed.

    In a ratio of means that is (b, 2b), (b, 0) and (0, 0), b being what the completed partner's adaptation cost.
    """
    if vanilla.failed and cc.failed:
        return Cell(vanilla=0.0, cc=0.0, d=0.0, raw=0.0)
    if cc.failed:
        b = NAN if vanilla_cost is None else vanilla_cost
        return Cell(vanilla=b, cc=2 * b, d=1.0, raw=b)
    if vanilla.failed:
        b = NAN if cc_cost is None else cc_cost
        return Cell(vanilla=b, cc=0.0, d=-1.0, raw=-b)
    return _measured(vanilla_cost, cc_cost)
