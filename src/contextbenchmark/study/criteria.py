"""The seven criteria one by one: delta with its interval, and a signed-rank test of the raw differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from contextbenchmark.stats import SignedRank, holm, smallest_p, wilcoxon
from contextbenchmark.study.estimand import CRITERIA, capped, criterion_parts, criterion_task, is_cost
from contextbenchmark.study.estimate import Estimate, PairTable
from contextbenchmark.study.numbers_record import Criterion, Reach, SignedRankRow
from contextbenchmark.study.pairs import Pair, components_of
from contextbenchmark.study.record import Plan

_REACHED = 0.05


@dataclass(frozen=True, kw_only=True)
class _Tested:
    name: str
    pairs: int
    test: SignedRank | None


def criteria(plan: Plan, pairs: PairTable, estimate: Estimate) -> dict[str, Criterion]:
    """Return every criterion of the study, in the order of the rule book.

    Holm's adjustment counts every one of them, those without any difference or with an unknown one at p = 1.
    """
    tested = [_test(plan, pairs, name) for name in CRITERIA if name in estimate.intervals]
    adjusted = holm([item.test.p if item.test else 1.0 for item in tested])
    weights: Mapping[str, float] = plan.weights.model_dump()
    return {
        item.name: _criterion(item, weights[item.name], estimate, adjusted[number])
        for number, item in enumerate(tested)
    }


def reach(count: int) -> Reach:
    """Return from which number of pairs on p <= .05 can be reached, alone and as the smallest of ``count``."""

    def fewest(factor: int) -> int:
        n = 1
        while factor * smallest_p(n) > _REACHED:
            n += 1
        return n

    return Reach(before_holm=fewest(1), after_holm=fewest(max(1, count)))


def _test(plan: Plan, pairs: PairTable, name: str) -> _Tested:
    task = criterion_task(name)
    table = pairs.get(task, {})
    differences = [_raw(plan, name, pair) for pair in table.values()]
    usable = bool(differences) and not any(math.isnan(value) for value in differences)
    return _Tested(name=name, pairs=len(table), test=wilcoxon(differences) if usable else None)


def _raw(plan: Plan, name: str, pair: Pair) -> float:
    """Return the difference that is ranked: raw, cc - vanilla; of Control the pair's D, capped as registered."""
    cells = dict(
        zip((component.name for component in components_of(criterion_task(name))), pair.cells, strict=True)
    )
    if name == "control":
        cap = plan.cap if plan.estimator == "pairwise" else None
        return sum(share * capped(cells[part].d, cap) for part, share in criterion_parts(name).items())
    return sum(share * cells[part].raw for part, share in criterion_parts(name).items())


def _criterion(tested: _Tested, weight: float, estimate: Estimate, adjusted: float) -> Criterion:
    found, test = estimate.intervals[tested.name], tested.test
    return Criterion(
        task=criterion_task(tested.name),
        cost=is_cost(tested.name),
        weight=weight,
        pairs=tested.pairs,
        delta=found.value,
        lo=found.lo,
        hi=found.hi,
        wilcoxon=SignedRankRow(p=test.p, z=test.z, w=test.w, n=test.n, nonzero=test.nonzero, exact=test.exact)
        if test
        else None,
        holm=adjusted if test else None,
        r=test.r if test else None,
    )
