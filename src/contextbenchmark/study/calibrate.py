"""How often this study would say KEEP of nothing: its own n and spread, NV = 0, simulated two ways."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from contextbenchmark.stats import draw_counts
from contextbenchmark.study.estimate import Estimate, PairTable
from contextbenchmark.study.numbers_record import Calibration, Null, Rate, Rates
from contextbenchmark.study.record import Plan
from contextbenchmark.study.simulate import (
    BLOCK,
    Intervals,
    intervals_of,
    join,
    recentred,
    simulate_sums,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.stats import Array

STUDIES = 2000
RESAMPLES = 1000
# One-sided error rate of a 95 % interval.
NOMINAL = 0.025
# Above so many units in a stratum the intervals are as good as normal, and simulating them takes long.
MOST_UNITS = 2000


def calibrate(
    plan: Plan, pairs: PairTable, found: Estimate, *, studies: int = STUDIES, resamples: int = RESAMPLES
) -> Calibration | None:
    """Return coverage and false KEEP of both intervals with their Monte-Carlo errors; None where nothing varies,
    something is not known, or the study is too large for it to matter.

    ``recentred``: units drawn from this study's own, moved to mean 0. ``swapped``: this study's pairs, the arms of
    each unit exchanged with probability 1/2.
    """
    if found.few or found.unknown or not found.spread or any(len(s) > MOST_UNITS for s in found.strata):
        return None
    sizes = [len(values) for values in found.influences]
    drawn = simulate_sums(
        [recentred(values) for values in found.influences],
        sizes,
        studies=studies,
        resamples=resamples,
        seed=plan.seed,
    )
    swapped = _swap_arms(plan, pairs, found, studies, resamples)
    return Calibration(
        alpha=plan.alpha,
        nominal=NOMINAL,
        studies=studies,
        resamples=resamples,
        recentred=rates_of(drawn),
        swapped=rates_of(swapped),
    )


def rates_of(intervals: Intervals) -> Null:
    """Return how often each interval held 0, and how often the rule said KEEP; no spread is never a KEEP."""

    def rates(low: Array, high: Array) -> Rates:
        return Rates(
            coverage=_rate((low <= 0) & (high >= 0)), false_keep=_rate((low > 0) & (intervals.spread > 0))
        )

    return Null(bc=rates(intervals.bc_low, intervals.bc_high), welch=rates(intervals.t_low, intervals.t_high))


def _rate(happened: NDArray[np.bool_]) -> Rate:
    value = float(happened.mean())
    return Rate(value=value, error=math.sqrt(value * (1 - value) / len(happened)))


def _swap_arms(plan: Plan, pairs: PairTable, found: Estimate, studies: int, resamples: int) -> Intervals:
    import numpy as np

    only = replace(found.estimand, outputs={"nv": found.estimand.outputs["nv"]})
    straight = found.strata
    exchanged = tuple(only.rows(pairs, unit, swapped=True) for unit in only.units)
    generator = np.random.default_rng([plan.seed, 1])
    blocks = []
    for start in range(0, studies, BLOCK):
        size = min(BLOCK, studies - start)
        chosen = tuple(
            np.where(generator.random((size, len(first), 1)) < 0.5, first, second)
            for first, second in zip(straight, exchanged, strict=True)
        )
        sums = tuple(
            np.tensordot(draw_counts(generator, rows.shape[1], resamples), rows, axes=(1, 1))
            for rows in chosen
        )
        theta = only.statistic(tuple(rows.sum(axis=1) for rows in chosen))[:, 0]
        blocks.append(intervals_of(only.statistic(sums)[..., 0], theta, only.influences(chosen, "nv")))
    return join(blocks)
