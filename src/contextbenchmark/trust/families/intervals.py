"""How much a number of comparisons can support: flip-rate bounds and bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from contextbenchmark.trust.record import Estimate, FlipRate

_RISK = 0.05
_RESAMPLES = 2000
_BATCH_ITEMS = 1_000_000
_DIGITS = 9


def flip_rate(flips: int, n: int) -> FlipRate:
    """Return ``flips`` of ``n`` with the one-sided 95 % upper bound on the rate; the bound is None for n = 0.

    Clopper and Pearson, Biometrika 26 (1934): the largest rate at which ``flips`` or fewer of ``n``
    independent comparisons still have a chance of 5 %. Zero flips: 1 - 0.05^(1/n).
    ValueError unless 0 <= flips <= n.
    """
    if not 0 <= flips <= n:
        raise ValueError(f"{flips} of {n} comparisons cannot differ")
    if n == 0:
        return FlipRate(flips=0, n=0, upper95=None)
    if flips == n:
        return FlipRate(flips=flips, n=n, upper95=1.0)
    if flips == 0:
        return FlipRate(flips=0, n=n, upper95=-math.expm1(math.log(_RISK) / n))
    low, high = flips / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(flips, n, middle) > _RISK:
            low = middle
        else:
            high = middle
    return FlipRate(flips=flips, n=n, upper95=(low + high) / 2)


def _at_most(flips: int, n: int, rate: float) -> float:
    """Return P(X <= flips), X ~ Binomial(n, rate), for flips / n <= rate, so that terms fall going down."""
    if rate >= 1.0:
        return 0.0
    log_choose = math.lgamma(n + 1) - math.lgamma(flips + 1) - math.lgamma(n - flips + 1)
    term = math.exp(log_choose + flips * math.log(rate) + (n - flips) * math.log1p(-rate))
    odds = (1.0 - rate) / rate
    total = term
    for x in range(flips, 0, -1):
        term *= x / (n - x + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return total


def mean_interval(values: Sequence[float], seed: int, weights: Sequence[int] | None = None) -> Estimate:
    """Return the mean of ``values`` with a 95 % percentile-bootstrap interval over them (Efron 1979).

    Items (queries) are drawn with replacement 2,000 times; ``weights`` are the numbers of comparisons that
    each item's value is the mean of (default 1), and ``n`` is their sum. Fewer than two items: no interval.
    Equal values give an interval of no width: what was never seen to vary, the bootstrap cannot widen;
    :func:`flip_rate` is the bound for that. The same seed gives the same interval on every platform.
    """
    counts = [1] * len(values) if weights is None else list(weights)
    n = sum(counts)
    if n == 0:
        return Estimate(value=None, n=0)
    mean = math.fsum(v * w for v, w in zip(values, counts, strict=True)) / n
    items = [(v, w) for v, w in zip(values, counts, strict=True) if w]
    if len(items) < 2:
        return Estimate(value=mean, n=n)
    if len({v for v, _ in items}) == 1:
        only = items[0][0]
        return Estimate(value=only, low=only, high=only, n=n)
    low, high = _percentiles([v for v, _ in items], [w for _, w in items], seed)
    return Estimate(value=mean, low=min(low, mean), high=max(high, mean), n=n)


def paired_interval(first: Sequence[float], second: Sequence[float], seed: int) -> Estimate:
    """Return the mean of ``first[i] - second[i]`` with its interval over pairs, as :func:`mean_interval`."""
    return mean_interval([a - b for a, b in zip(first, second, strict=True)], seed)


def _percentiles(values: Sequence[float], weights: Sequence[int], seed: int) -> tuple[float, float]:
    import numpy as np  # only a system that varies gets here; the others are spared the import

    weight = np.asarray(weights, dtype=np.float64)
    product = np.asarray(values, dtype=np.float64) * weight
    # RandomState and not Generator: its stream is frozen, so that a report can be derived again years later.
    source = np.random.RandomState(seed % 2**32)
    batch = max(1, _BATCH_ITEMS // len(values))
    means: list[float] = []
    while len(means) < _RESAMPLES:
        rows = min(batch, _RESAMPLES - len(means))
        drawn = (source.random_sample((rows, len(values))) * len(values)).astype(np.int64)
        means.extend((product[drawn].sum(axis=1) / weight[drawn].sum(axis=1)).tolist())
    low, high = np.percentile(np.asarray(means), [2.5, 97.5])
    # Rounded, because the last bits of a sum may depend on the processor.
    return round(float(low), _DIGITS), round(float(high), _DIGITS)
