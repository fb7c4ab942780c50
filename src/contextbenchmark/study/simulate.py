"""Many studies at once under a known truth: both intervals of each, vectorised over studies and resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from contextbenchmark.stats import bias_corrected, draw_counts, t_interval, welch

if TYPE_CHECKING:
    import numpy as np

    from contextbenchmark.stats import Array

# Draws the units (studies, size) of one stratum, whose true mean is 0.
Draw: TypeAlias = "Callable[[np.random.Generator, int, int], Array]"

# Studies that share one set of resamples; a fresh set for every block keeps the blocks independent.
BLOCK = 100
NO_SPREAD = 1e-12


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """Bounds of both intervals of every simulated study, (studies,); ``spread``: whether its units vary at all."""

    bc_low: Array
    bc_high: Array
    t_low: Array
    t_high: Array
    spread: Array


def simulate_sums(
    draws: Sequence[Draw], sizes: Sequence[int], *, studies: int, resamples: int, seed: int
) -> Intervals:
    """Simulate studies whose NV is the sum of the means of independent strata, each with true mean 0.

    :param draws: one a stratum. :param sizes: units a stratum.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    blocks = []
    for size in _blocks(studies):
        units = [draw(generator, size, n) for draw, n in zip(draws, sizes, strict=True)]
        counts = [draw_counts(generator, n, resamples) for n in sizes]
        replicates = np.sum(
            [count @ values.T / values.shape[1] for count, values in zip(counts, units, strict=True)], axis=0
        )
        theta = np.sum([values.mean(axis=1) for values in units], axis=0)
        blocks.append(intervals_of(replicates, theta, units))
    return join(blocks)


def intervals_of(replicates: Array, theta: Array, influences: Sequence[Array]) -> Intervals:
    """Return both intervals of every study of a block.

    :param replicates: (resamples, studies). :param theta: (studies,). :param influences: (studies, units) a stratum.
    """
    import numpy as np

    bc_low, bc_high = bias_corrected(replicates, theta)
    error, freedom = welch(influences)
    t_low, t_high = t_interval(theta, error, freedom)
    spread = np.any([values.std(axis=-1) > NO_SPREAD for values in influences], axis=0)
    return Intervals(bc_low=bc_low, bc_high=bc_high, t_low=t_low, t_high=t_high, spread=spread)


def join(blocks: Sequence[Intervals]) -> Intervals:
    """Return the studies of all ``blocks``."""
    import numpy as np

    def joined(name: str) -> Array:
        return np.concatenate([getattr(block, name) for block in blocks])

    return Intervals(
        bc_low=joined("bc_low"),
        bc_high=joined("bc_high"),
        t_low=joined("t_low"),
        t_high=joined("t_high"),
        spread=joined("spread"),
    )


def normal(deviation: float) -> Draw:
    """Return a stratum whose units are normal with mean 0."""
    return lambda generator, studies, size: generator.normal(0.0, deviation, (studies, size))


def recentred(residuals: Array) -> Draw:
    """Return a stratum whose units are drawn from ``residuals`` (mean 0), widened for having been centred."""
    import numpy as np

    n = len(residuals)
    centred = (residuals - residuals.mean()) * np.sqrt(n / max(1, n - 1))
    return lambda generator, studies, size: centred[generator.integers(0, n, (studies, size))]


def _blocks(studies: int) -> Iterable[int]:
    for start in range(0, studies, BLOCK):
        yield min(BLOCK, studies - start)
