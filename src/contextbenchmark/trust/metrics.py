"""Agreement of ranked lists, pure. All lists are most relevant first and hold distinct items.

Conventions. Every measure is symmetric and lies in [0, 1] (tau in [-1, 1]); 1 is identical.
``None`` is *undefined*: two empty lists agree about nothing, so no measure is defined on them (exact match,
which is counted elsewhere, still is). One empty list against a non-empty one agrees 0.
Tau is taken over the items that both lists hold, and is undefined under two of them.

Work is done over distinct lists only: :class:`PairCache` compares each pair of hashes once, and
:func:`pair_counts` counts how often a pair occurs, so that a thousand equal passes cost one comparison.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_BLOCK = 2048


def jaccard(a: Sequence[str], b: Sequence[str], k: int) -> float | None:
    """Return Jaccard@k: common items of the two top-k sets over all their items; None when both are empty."""
    head_a, head_b = set(a[:k]), set(b[:k])
    union = len(head_a | head_b)
    return len(head_a & head_b) / union if union else None


def kendall_top(a: Sequence[str], b: Sequence[str], p: float = 0.5) -> float | None:
    """Return the similarity 1 - K^(p) / (|A||B| + p(C(|A|,2) + C(|B|,2))) of two lists; None if both empty.

    K^(p) is the generalised Kendall distance of Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM
    J. Discrete Math. 17 (2003): a pair of items costs 1 when the lists provably order it differently and
    ``p`` (0 to 1) when one list holds both and the other neither. The divisor is the distance of disjoint
    lists. O(k log k).
    """
    common = _common_ranks(a, b)
    return _kendall_top(a, b, p, len(common), _inversions(common))


def _kendall_top(a: Sequence[str], b: Sequence[str], p: float, common: int, inversions: int) -> float | None:
    if not a or not b:
        return None if not a and not b else 0.0
    only_a, only_b = len(a) - common, len(b) - common
    cost = float(inversions + only_a * only_b)
    cost += _overtaken(a, b) + _overtaken(b, a)
    cost += p * (math.comb(only_a, 2) + math.comb(only_b, 2))
    most = len(a) * len(b) + p * (math.comb(len(a), 2) + math.comb(len(b), 2))
    return max(0.0, 1.0 - cost / most)


def rbo(a: Sequence[str], b: Sequence[str], p: float = 0.9) -> float | None:
    """Return extrapolated rank-biased overlap (persistence ``p`` in (0, 1)); None when both lists are empty.

    RBO_EXT of Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS 28 (2010),
    equation 32, which covers lists of different lengths: a list agrees fully with its own head. O(k).
    """
    if not a or not b:
        return None if not a and not b else 0.0
    if tuple(a) == tuple(b):
        return 1.0
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    s, depth = len(short), len(long)
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    overlap = overlap_at_s = 0
    weight, total = 1.0, 0.0
    for d in range(1, depth + 1):
        weight *= p
        item = long[d - 1]
        seen_long.add(item)
        overlap += item in seen_short
        if d <= s:
            other = short[d - 1]
            seen_short.add(other)
            overlap += other in seen_long
            overlap_at_s = overlap
            total += overlap / d * weight
        else:
            total += (overlap / d + overlap_at_s * (d - s) / (s * d)) * weight
    tail = (overlap - overlap_at_s) / depth + overlap_at_s / s
    return min(1.0, total * (1.0 - p) / p + tail * weight)


def tau_a(a: Sequence[str], b: Sequence[str]) -> float | None:
    """Return Kendall's tau-a over the common items, in [-1, 1]; None under two common items. O(k log k)."""
    common = _common_ranks(a, b)
    return _tau_a(len(common), _inversions(common))


def _tau_a(common: int, inversions: int) -> float | None:
    pairs = math.comb(common, 2)
    return 1.0 - 2.0 * inversions / pairs if pairs else None


def chance_jaccard(n_files: int, k: int) -> float | None:
    """Return the expected Jaccard@k of two random rankings of ``n_files`` files; None without any.

    The number x of common files is hypergeometric, P(x) ~ C(k, x) C(n - k, k - x), and Jaccard is
    x / (2k - x); the sum over x is taken outwards from the likeliest x, so that nothing underflows.
    """
    k = min(k, n_files)
    if k <= 0:
        return None
    least = max(0, 2 * k - n_files)
    mode = min(k, max(least, (k + 1) ** 2 // (n_files + 2)))
    weights = {mode: 1.0}
    for x in range(mode, k):
        weights[x + 1] = weights[x] * (k - x) ** 2 / ((x + 1) * (n_files - 2 * k + x + 1))
    for x in range(mode, least, -1):
        weights[x - 1] = weights[x] * (x * (n_files - 2 * k + x)) / (k - x + 1) ** 2
    return math.fsum(w * x / (2 * k - x) for x, w in weights.items()) / math.fsum(weights.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class PairMetrics:
    """The four measures of one pair of lists, None where undefined."""

    jaccard: float | None
    kendall_top: float | None
    rbo: float | None
    tau: float | None


class PairCache:
    """The measures of pairs of result hashes over their first ``k`` items, each pair computed once."""

    def __init__(self, lists: Mapping[str, Sequence[str]], k: int) -> None:
        self._lists = lists
        self._k = k
        self._known: dict[tuple[str, str], PairMetrics] = {}

    def pair(self, a: str, b: str) -> PairMetrics:
        """Return the measures of the lists with hashes ``a`` and ``b``; KeyError for a hash not stored."""
        key = (a, b) if a <= b else (b, a)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._compare(*key)
        return known

    def _compare(self, a: str, b: str) -> PairMetrics:
        first = self._lists[a][: self._k]
        if a == b:
            same = 1.0 if first else None
            return PairMetrics(jaccard=same, kendall_top=same, rbo=same, tau=1.0 if len(first) > 1 else None)
        second = self._lists[b][: self._k]
        common = _common_ranks(first, second)
        inversions = _inversions(common)
        union = len(first) + len(second) - len(common)
        return PairMetrics(
            jaccard=len(common) / union if union else None,
            kendall_top=_kendall_top(first, second, 0.5, len(common), inversions),
            rbo=rbo(first, second),
            tau=_tau_a(len(common), inversions),
        )


PairCounts = Counter[tuple[str, str]]


def pair_counts(hashes: Iterable[str]) -> PairCounts:
    """Return how often each unordered pair occurs among all pairs of ``hashes``; the sum is C(n, 2)."""
    multiplicity = sorted(Counter(hashes).items())
    counts: PairCounts = Counter()
    for i, (a, times_a) in enumerate(multiplicity):
        if times_a > 1:
            counts[a, a] = math.comb(times_a, 2)
        for b, times_b in multiplicity[i + 1 :]:
            counts[a, b] = times_a * times_b
    return counts


def _common_ranks(a: Sequence[str], b: Sequence[str]) -> list[int]:
    """Return, in the order of ``a``, the positions in ``b`` of the items that both hold."""
    position = {item: rank for rank, item in enumerate(b)}
    return [position[item] for item in a if item in position]


def _overtaken(a: Sequence[str], b: Sequence[str]) -> int:
    """Count pairs in ``a`` of an item missing from ``b`` ahead of a common one: ``b`` implies the reverse."""
    held = set(b)
    missing = cost = 0
    for item in a:
        if item in held:
            cost += missing
        else:
            missing += 1
    return cost


def _inversions(ranks: Sequence[int]) -> int:
    """Count pairs of distinct ``ranks`` in descending order: a merge sort over small sorted blocks."""
    total = 0
    runs: list[list[int]] = []
    for start in range(0, len(ranks), _BLOCK):
        run: list[int] = []
        for rank in ranks[start : start + _BLOCK]:
            at = bisect_right(run, rank)
            total += len(run) - at
            run.insert(at, rank)
        runs.append(run)
    while len(runs) > 1:
        merged: list[list[int]] = []
        for i in range(0, len(runs) - 1, 2):
            left, right = runs[i], runs[i + 1]
            total += sum(len(left) - bisect_right(left, rank) for rank in right)
            merged.append(sorted(left + right))
        if len(runs) % 2:
            merged.append(runs[-1])
        runs = merged
    return total
