"""From (query, pair of passes) comparisons to an :class:`Agreement`, over distinct lists only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from contextbenchmark.trust.families.intervals import flip_rate, mean_interval
from contextbenchmark.trust.metrics import PairCache, PairCounts, PairMetrics, pair_counts
from contextbenchmark.trust.observation import PassRow
from contextbenchmark.trust.record import Agreement, Estimate

HashPair = tuple[tuple[str, ...], tuple[str, ...]]


def agree_within(groups: Sequence[Sequence[PassRow]], cache: PairCache, seed: int) -> Agreement | None:
    """Return how passes agree inside each group: flips against its first, measures over all its pairs.

    None where no group holds two passes. Every pass must answer the same queries.
    """
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        return None
    counts: list[PairCounts] = [Counter() for _ in groups[0][0].lists]
    flips = n = 0
    for group in groups:
        for count, column in zip(counts, zip(*(row.lists for row in group), strict=True), strict=True):
            count.update(pair_counts(column))
            flips += len(column) - column.count(column[0])
            n += len(column) - 1
    return _agreement(counts, flips, n, cache, seed)


def agree_between(pairs: Sequence[HashPair], cache: PairCache, seed: int) -> Agreement | None:
    """Return how the two sides of each pair agree; a side is the result hashes of the first so many queries.

    None where there is nothing to compare.
    """
    counts: list[PairCounts] = [Counter() for _ in range(max((len(b) for _, b in pairs), default=0))]
    for first, second in pairs:
        for count, a, b in zip(counts, first, second, strict=False):
            count[(a, b) if a <= b else (b, a)] += 1
    n = sum(count.total() for count in counts)
    if n == 0:
        return None
    flips = sum(times for count in counts for (a, b), times in count.items() if a != b)
    return _agreement(counts, flips, n, cache, seed)


def mean_jaccard(counts: PairCounts, cache: PairCache) -> float | None:
    """Return the mean Jaccard@k over the counted pairs of one query; None where it is undefined on all."""
    value, _ = _mean([(cache.pair(*pair).jaccard, times) for pair, times in counts.items()])
    return value


def _agreement(counts: Sequence[PairCounts], flips: int, n: int, cache: PairCache, seed: int) -> Agreement:
    measured = [[(cache.pair(*pair), times) for pair, times in sorted(count.items())] for count in counts]

    def pooled(measure: Callable[[PairMetrics], float | None]) -> Estimate:
        return _pooled([[(measure(pair), times) for pair, times in query] for query in measured], seed)

    return Agreement(
        emr=(n - flips) / n,
        rate=flip_rate(flips, n),
        jaccard=pooled(lambda pair: pair.jaccard),
        kendall_top=pooled(lambda pair: pair.kendall_top),
        rbo=pooled(lambda pair: pair.rbo),
        tau=pooled(lambda pair: pair.tau),
    )


def _pooled(queries: Sequence[Sequence[tuple[float | None, int]]], seed: int) -> Estimate:
    """Return the mean over all pairs of all queries; the interval is over queries, not over pairs."""
    means = [_mean(query) for query in queries]
    return mean_interval(
        [value for value, _ in means if value is not None],
        seed,
        [n for value, n in means if value is not None],
    )


def _mean(weighted: Sequence[tuple[float | None, int]]) -> tuple[float | None, int]:
    defined = [(value, times) for value, times in weighted if value is not None]
    n = sum(times for _, times in defined)
    return (math.fsum(value * times for value, times in defined) / n, n) if n else (None, 0)
