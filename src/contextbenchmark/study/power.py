"""How many pairs a task needs: the chance of a KEEP at each n, with the chance of a false one beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from contextbenchmark.study.calibrate import rates_of
from contextbenchmark.study.numbers_record import Rates
from contextbenchmark.study.record import Row
from contextbenchmark.study.simulate import simulate_sums

if TYPE_CHECKING:
    from contextbenchmark.study.simulate import Draw

SIZES = (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200)
STUDIES = 1000
RESAMPLES = 1000


class PowerRow(Row):
    """At ``n`` pairs a task: how often the rule says KEEP where NV is ``effect``, by each interval; and of nothing."""

    n: int
    bc: float
    welch: float
    null_bc: Rates
    null_welch: Rates


class Power(Row):
    """``needed``: the fewest pairs a task from which BC reaches ``target`` and its false KEEP stays within ``alpha``;
    ``needed_welch``: the same of Welch's t. None where no size that was tried does."""

    effect: float
    target: float
    alpha: float
    studies: int
    rows: tuple[PowerRow, ...]
    needed: int | None
    needed_welch: int | None


def power(
    draws: Sequence[Draw],
    *,
    effect: float,
    target: float = 0.8,
    alpha: float = 0.05,
    sizes: Iterable[int] = SIZES,
    studies: int = STUDIES,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Power:
    """Simulate studies of ``sizes`` pairs a task whose NV is ``effect``, until both intervals reach ``target``.

    Both intervals move with the units, so one simulation under NV = 0 serves for every effect.

    :param draws: units of each stratum around a true mean of 0 (:mod:`contextbenchmark.study.simulate`).
    """
    rows: list[PowerRow] = []
    for n in sizes:
        found = simulate_sums(draws, [n] * len(draws), studies=studies, resamples=resamples, seed=seed + n)
        null = rates_of(found)
        rows.append(
            PowerRow(
                n=n,
                bc=float(((found.bc_low + effect > 0) & (found.spread > 0)).mean()),
                welch=float(((found.t_low + effect > 0) & (found.spread > 0)).mean()),
                null_bc=null.bc,
                null_welch=null.welch,
            )
        )
        if _enough(rows[-1].bc, null.bc, target, alpha) and _enough(
            rows[-1].welch, null.welch, target, alpha
        ):
            break
    return Power(
        effect=effect,
        target=target,
        alpha=alpha,
        studies=studies,
        rows=tuple(rows),
        needed=next((row.n for row in rows if _enough(row.bc, row.null_bc, target, alpha)), None),
        needed_welch=next((row.n for row in rows if _enough(row.welch, row.null_welch, target, alpha)), None),
    )


def _enough(reached: float, null: Rates, target: float, alpha: float) -> bool:
    return reached >= target and null.false_keep.value <= alpha
