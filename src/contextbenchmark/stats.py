"""Paired tests and intervals, pure: signed ranks, Holm, the stratified bootstrap, bias correction, Welch's t.

Arrays come in and go out; nothing here knows what a study is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Statistic = Callable[[tuple[Array, ...]], Array]

# Signed ranks are counted over all sign flips up to so many pairs.
EXACT_PAIRS = 25
# Differences are told apart down to this decimal.
DECIMALS = 10
# The normal quantile of a 95 % interval, as the rule writes it.
Z95 = 1.959964
# Resampled counts held at once: 8 bytes each, three arrays of them.
_HELD = 1_500_000


@dataclass(frozen=True, kw_only=True)
class SignedRank:
    """A Wilcoxon signed-rank test of ``n`` pairs, ``nonzero`` of them different.

    ``w``: sum of the ranks of positive differences. ``z``: without continuity correction, positive where
    differences are; ``r`` = z / sqrt(nonzero); both None where all differences are zero. ``p``: two-sided.
    """

    n: int
    nonzero: int
    w: float
    z: float | None
    p: float
    r: float | None
    exact: bool


def wilcoxon(differences: Sequence[float] | Array) -> SignedRank:
    """Test whether paired ``differences`` are symmetric about zero, zeros ranked and then dropped (Pratt 1959).

    Up to 25 pairs ``p`` is exact: the share of all sign flips of the ranks, ties included, whose sum is at least as
    far from its middle. Above, it is that of ``z`` in the normal distribution. All zero: p = 1.

    :param differences: at least one finite number; they are compared after rounding to ten decimals.
    """
    import numpy as np
    from scipy.special import ndtr

    values = np.round(np.asarray(differences, dtype=np.float64), DECIMALS)
    # Twice the rank: whole numbers, ties included.
    _, inverse, counts = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[inverse]
    kept = values != 0
    ranks = doubled[kept]
    n, nonzero = len(values), int(kept.sum())
    exact = n <= EXACT_PAIRS
    if nonzero == 0:
        return SignedRank(n=n, nonzero=0, w=0.0, z=None, p=1.0, r=None, exact=exact)
    total, positive = int(ranks.sum()), int(ranks[values[kept] > 0].sum())
    z = (positive - total / 2) / float(np.sqrt((ranks.astype(np.float64) ** 2).sum() / 4))
    p = _sign_flips(ranks, positive) if exact else 2 * float(ndtr(-abs(z)))
    return SignedRank(
        n=n, nonzero=nonzero, w=positive / 2, z=z, p=min(1.0, p), r=z / float(np.sqrt(nonzero)), exact=exact
    )


def _sign_flips(ranks: NDArray[np.int64], positive: int) -> float:
    """Return the share of the sign flips of ``ranks`` whose sum is at least as far from its middle as ``positive``."""
    import numpy as np

    total = int(ranks.sum())
    ways = np.zeros(total + 1, dtype=np.int64)
    ways[0] = 1
    for rank in ranks:
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: total + 1 - rank]
        ways += shifted
    far = np.abs(2 * np.arange(total + 1) - total) >= abs(2 * positive - total)
    return float(ways[far].sum() / 2.0 ** len(ranks))


def smallest_p(n: int) -> float:
    """Return the smallest two-sided exact p that ``n`` pairs can reach."""
    return min(1.0, 2.0 ** (1 - n))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p values adjusted for their number by Holm's step-down procedure (1979), in the given order."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def draw_counts(generator: np.random.Generator, n: int, size: int) -> Array:
    """Return how often each of ``n`` units is drawn in each of ``size`` samples with replacement: (size, n)."""
    import numpy as np

    drawn = generator.integers(0, n, (size, n))
    drawn += np.arange(size)[:, None] * n
    return np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)


def blocks(total: int, width: int) -> Iterator[int]:
    """Yield sizes that add up to ``total``, each small enough for ``width`` numbers a piece to be held."""
    size = max(1, _HELD // max(1, width))
    for start in range(0, total, size):
        yield min(size, total - start)


def bootstrap(strata: Sequence[Array], statistic: Statistic, resamples: int, seed: int) -> Array:
    """Return ``statistic`` of ``resamples`` stratified samples with replacement: (resamples, outputs).

    :param strata: one array (units, columns) a stratum; a row is drawn as a whole.
    :param statistic: maps the column sums of every stratum, each (samples, columns), to (samples, outputs).

    Memory stays bounded by a few tens of megabytes besides the result, whatever the number of resamples.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    parts = [
        statistic(tuple(draw_counts(generator, len(rows), size) @ rows for rows in strata))
        for size in blocks(resamples, max(len(rows) for rows in strata))
    ]
    return np.concatenate(parts)


def bias_corrected(replicates: Array, theta: Array) -> tuple[Array, Array]:
    """Return the bounds of the 95 % bias-corrected bootstrap interval of each output (Efron 1981).

    z0 is the normal quantile of the share of replicates below theta, those equal to it (within 1e-12, relative
    above 1) counted half, clipped to [1/2B, 1 - 1/2B]; the bounds are linear quantiles at Phi(2 z0 -+ 1.959964).
    Replicates that are NaN are left out; an output without any, or with theta NaN, has the bounds NaN.

    :param replicates: (B, outputs). :param theta: (outputs,).
    """
    import numpy as np
    from scipy.special import ndtr, ndtri

    if np.isnan(replicates).any():
        return _column_by_column(replicates, theta)
    size = len(replicates)
    tolerance = 1e-12 * np.maximum(1.0, np.abs(theta))
    away = replicates - theta
    below = (away < -tolerance).sum(axis=0) + 0.5 * (np.abs(away) <= tolerance).sum(axis=0)
    z0 = ndtri(np.clip(below / size, 0.5 / size, 1 - 0.5 / size))
    ordered = np.sort(replicates, axis=0)
    return _quantile(ordered, ndtr(2 * z0 - Z95)), _quantile(ordered, ndtr(2 * z0 + Z95))


def _column_by_column(replicates: Array, theta: Array) -> tuple[Array, Array]:
    import numpy as np

    low, high = np.full(len(theta), np.nan), np.full(len(theta), np.nan)
    for column in range(len(theta)):
        kept = replicates[~np.isnan(replicates[:, column]), column]
        if len(kept) and not np.isnan(theta[column]):
            bounds = bias_corrected(kept[:, None], theta[column : column + 1])
            low[column], high[column] = bounds[0][0], bounds[1][0]
    return low, high


def _quantile(ordered: Array, shares: Array) -> Array:
    """Return the linear quantile of each sorted column at its own share."""
    import numpy as np

    place = shares * (len(ordered) - 1)
    under = np.floor(place).astype(np.intp)
    over = np.minimum(under + 1, len(ordered) - 1)
    columns = np.arange(ordered.shape[1])
    first, second = ordered[under, columns], ordered[over, columns]
    return np.asarray(first + (second - first) * (place - under))


def percentile(replicates: Array, *, inverted: bool = False) -> tuple[float, float]:
    """Return the 2.5 % and 97.5 % quantiles of one output; ``inverted``: of the distribution function, so that
    both are values that occur."""
    import numpy as np

    method: Any = "inverted_cdf" if inverted else "linear"
    low, high = np.quantile(replicates, [0.025, 0.975], method=method)
    return float(low), float(high)


def welch(influences: Sequence[Array]) -> tuple[Array, Array]:
    """Return standard error and degrees of freedom of a sum of stratum means (Welch 1947, Satterthwaite 1946).

    :param influences: one array (..., units) a stratum; its mean over the last axis is the stratum's share.

    A stratum of one unit makes both NaN; without any spread the error is 0 and the degrees of freedom NaN.
    """
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        shares = [
            values.var(axis=-1, ddof=1) / values.shape[-1]
            if values.shape[-1] > 1
            else np.full(values.shape[:-1], np.nan)
            for values in influences
        ]
        squared = np.sum(shares, axis=0)
        below = np.sum(
            [
                share**2 / max(1, values.shape[-1] - 1)
                for share, values in zip(shares, influences, strict=True)
            ],
            axis=0,
        )
        return np.sqrt(squared), squared**2 / below


def t_interval(theta: Array, error: Array, freedom: Array) -> tuple[Array, Array]:
    """Return the bounds of the 95 % t interval; NaN where the degrees of freedom are."""
    from scipy.special import stdtrit

    half = stdtrit(freedom, 0.975) * error
    return theta - half, theta + half
