"""The registered estimate: outputs with their bias-corrected intervals, and Welch's interval of NV beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextbenchmark.stats import bias_corrected, bootstrap, t_interval, welch
from contextbenchmark.study.estimand import Estimand, estimand
from contextbenchmark.study.numbers_record import Interval, Welch
from contextbenchmark.study.pairs import Pair, components_of
from contextbenchmark.study.record import Plan, Task, Verdict

if TYPE_CHECKING:
    from contextbenchmark.stats import Array

# A unit whose values vary less than this does not vary.
NO_SPREAD = 1e-12
FEWEST_PAIRS = 2

PairTable = Mapping[Task, Mapping[int, Pair]]


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A component that is not known for some repeats of its task and leaves NV unknown with it."""

    task: Task
    component: str
    judged: bool
    repeats: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Everything that is computed from one table of pairs. ``few``: tasks with fewer than 2 pairs.

    ``spread``: some unit's values vary. ``influences``: of NV, one array a stratum. ``undefined_resamples``: resamples
    in which a task had no pair at all, left out of NV's interval.
    """

    estimand: Estimand
    strata: tuple[Array, ...]
    intervals: Mapping[str, Interval]
    welch: Welch
    influences: tuple[Array, ...]
    few: tuple[Task, ...]
    spread: bool
    unknown: tuple[Unknown, ...]
    undefined_resamples: int

    @property
    def nv(self) -> Interval:
        return self.intervals["nv"]


def rule(interval: Interval) -> Verdict:
    """Return what the registered rule says of an interval of NV: its bounds decide, never its value."""
    if interval.lo is not None and interval.lo > 0:
        return "KEEP"
    if interval.hi is not None and interval.hi < 0:
        return "DROP"
    return "INCONCLUSIVE"


def estimate(plan: Plan, pairs: PairTable) -> Estimate:
    """Return the estimate of ``plan`` from ``pairs`` (task, repeat); the same pairs give the same numbers."""
    import numpy as np

    wanted = estimand(plan)
    if not wanted.units:
        return _nothing(wanted)
    strata = tuple(wanted.rows(pairs, unit) for unit in wanted.units)
    outputs = list(wanted.outputs)
    sums = tuple(stratum.sum(axis=0) for stratum in strata)
    theta = wanted.statistic(sums)
    replicates = bootstrap(strata, wanted.statistic, plan.resamples, plan.seed)
    low, high = bias_corrected(replicates, theta)
    influences = tuple(wanted.influences(strata, "nv"))
    nv = float(theta[wanted.place("nv")])
    undefined = 0 if math.isnan(nv) else int(np.isnan(replicates[:, wanted.place("nv")]).sum())
    return Estimate(
        estimand=wanted,
        strata=strata,
        intervals={
            name: interval(theta[number], low[number], high[number]) for number, name in enumerate(outputs)
        },
        welch=_welch(nv, influences),
        influences=influences,
        few=tuple(task for task in plan.tasks if len(pairs.get(task, {})) < FEWEST_PAIRS),
        spread=any(len(values) > 1 and values.std(ddof=1) > NO_SPREAD for values in influences),
        unknown=_unknown(wanted, pairs),
        undefined_resamples=undefined,
    )


def _nothing(wanted: Estimand) -> Estimate:
    """Return the estimate of a study of which no task enters NV."""
    return Estimate(
        estimand=wanted,
        strata=(),
        intervals={name: Interval() for name in wanted.outputs},
        welch=Welch(),
        influences=(),
        few=(),
        spread=False,
        unknown=(),
        undefined_resamples=0,
    )


def interval(value: float, low: float, high: float) -> Interval:
    """Return an interval with None for what is NaN."""
    return Interval(value=known(value), lo=known(low), hi=known(high))


def known(value: float) -> float | None:
    """Return ``value`` as a plain float, None where it is not a finite number."""
    return float(value) if math.isfinite(value) else None


def _welch(nv: float, influences: tuple[Array, ...]) -> Welch:
    import numpy as np

    error, freedom = welch(influences)
    low, high = t_interval(np.asarray(nv), error, freedom)
    found = interval(nv, float(low), float(high))
    return Welch(
        value=found.value,
        lo=found.lo,
        hi=found.hi,
        se=known(float(error)),
        df=known(float(freedom)),
        verdict=rule(found),
    )


def _unknown(wanted: Estimand, pairs: PairTable) -> tuple[Unknown, ...]:
    found = []
    for task, table in pairs.items():
        for place, component in enumerate(components_of(task)):
            if component.name not in wanted.outputs["nv"]:
                continue
            repeats = tuple(repeat for repeat, pair in table.items() if math.isnan(pair.cells[place].d))
            if repeats:
                found.append(
                    Unknown(task=task, component=component.name, judged=component.judged, repeats=repeats)
                )
    return tuple(found)
