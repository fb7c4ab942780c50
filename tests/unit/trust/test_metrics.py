"""Agreement of ranked lists, against known values, brute force and scipy."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from contextbenchmark.trust.metrics import (
    PairCache,
    chance_jaccard,
    jaccard,
    kendall_top,
    pair_counts,
    rbo,
    tau_a,
)

ranked = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, max_size=12)
TEN = [f"file-{i}" for i in range(10)]


def fresh(n: int) -> list[str]:
    return [f"other-{i}" for i in range(n)]


@pytest.mark.parametrize(
    ("other", "values"),
    [
        (fresh(10), (0, 0, 0)),
        (TEN[:5] + fresh(5), (0.333, 0.759, 0.744)),
        (fresh(5) + TEN[5:], (0.333, 0.414, 0.256)),
        (TEN[::-1], (1, 0.690, 0.512)),
    ],
    ids=["disjoint", "five tail items replaced", "five head items replaced", "reversed"],
)
def test_the_values_that_the_specification_gives(other: list[str], values: tuple[float, ...]) -> None:
    measured = (jaccard(TEN, other, 10), kendall_top(TEN, other), rbo(TEN, other))
    assert measured == pytest.approx(values, abs=0.0005)


def brute_kendall(a: Sequence[str], b: Sequence[str], p: float) -> float:
    """K^(p) by the four cases of Fagin, Kumar and Sivakumar, pair by pair."""
    cost = 0.0
    for i, j in itertools.combinations(sorted({*a, *b}), 2):
        in_a, in_b = (i in a, j in a), (i in b, j in b)
        if all(in_a) and all(in_b):
            cost += (a.index(i) < a.index(j)) != (b.index(i) < b.index(j))
        elif (all(in_a) and not any(in_b)) or (all(in_b) and not any(in_a)):
            cost += p
        elif all(in_a) or all(in_b):
            both, one = (a, in_b) if all(in_a) else (b, in_a)
            held, missing = (i, j) if one[0] else (j, i)
            cost += both.index(held) > both.index(missing)
        else:
            cost += 1
    return cost


@given(ranked, ranked, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_kendall_is_the_pairwise_definition(a: list[str], b: list[str], p: float) -> None:
    most = len(a) * len(b) + p * (math.comb(len(a), 2) + math.comb(len(b), 2))
    if a and b:
        assert kendall_top(a, b, p) == pytest.approx(1 - brute_kendall(a, b, p) / most, abs=1e-12)


@given(ranked, ranked, st.sampled_from([0.5, 0.9, 0.98]))
def test_rbo_is_the_infinite_sum_over_extrapolated_agreement(a: list[str], b: list[str], p: float) -> None:
    if not a or not b:
        return
    short, long = sorted((a, b), key=len)
    at_s = len(set(short) & set(long[: len(short)]))
    total = Fraction(0)
    agreement = Fraction(0)
    for d in range(1, len(long) + 1):
        agreement = Fraction(len(set(short[:d]) & set(long[:d])), d)
        if d > len(short):  # unseen items of the short list agree as often as its seen ones
            agreement += Fraction(at_s * (d - len(short)), len(short) * d)
        total += (1 - Fraction(p)) * Fraction(p) ** (d - 1) * agreement
    total += agreement * Fraction(p) ** len(long)  # the rest of the geometric series
    assert rbo(a, b, p) == pytest.approx(float(total), abs=1e-12)


@given(st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10), st.permutations("abcdefghij"))
def test_tau_is_scipys_over_the_common_items(a: list[str], b: list[str]) -> None:
    if len(a) < 2:
        assert tau_a(a, b) is None
    else:
        assert tau_a(a, b) == pytest.approx(
            stats.kendalltau([b.index(x) for x in a], range(len(a))).statistic
        )


@pytest.mark.parametrize("n", [1000, 2047, 2048, 2049, 6200])
def test_tau_of_long_lists_counts_every_inversion(n: int) -> None:
    order = list(range(n))
    random.Random(n).shuffle(order)
    a, b = [str(i) for i in range(n)], [str(i) for i in order]
    rank = {item: i for i, item in enumerate(b)}
    assert tau_a(a, b) == pytest.approx(stats.kendalltau([rank[x] for x in a], range(n)).statistic)


@given(ranked, ranked)
def test_measures_are_symmetric_and_bounded(a: list[str], b: list[str]) -> None:
    for measure in (lambda x, y: jaccard(x, y, 10), kendall_top, rbo):
        value = measure(a, b)
        assert (value is None) == (not a and not b)
        if value is not None:
            assert 0 <= value <= 1
            assert measure(b, a) == pytest.approx(value, abs=1e-12)
    tau = tau_a(a, b)
    assert tau == tau_a(b, a)
    assert tau is None or -1 <= tau <= 1


@given(ranked)
def test_a_list_agrees_with_itself(a: list[str]) -> None:
    expected = 1.0 if a else None
    assert jaccard(a, a, 12) == kendall_top(a, a) == rbo(a, a) == rbo(a, tuple(a)) == expected
    assert tau_a(a, a) == (1.0 if len(a) > 1 else None)


def test_one_empty_list_agrees_with_nothing() -> None:
    for other in (["a"], ["a", "b"]):
        assert jaccard([], other, 10) == kendall_top([], other) == rbo(other, []) == 0
        assert tau_a([], other) is None


def test_a_list_agrees_fully_with_its_head_by_rbo_alone() -> None:
    assert rbo(TEN, TEN[:5]) == pytest.approx(1)
    assert jaccard(TEN, TEN[:5], 10) == 0.5


def test_tau_is_undefined_on_disjoint_lists() -> None:
    assert tau_a(TEN, fresh(10)) is None
    assert tau_a(TEN, [TEN[3], *fresh(9)]) is None


@pytest.mark.parametrize(
    ("n", "k"), [(12, 10), (12, 12), (5, 10), (20, 10), (60, 10), (7, 3), (1, 1), (900, 40)]
)
def test_chance_is_the_exact_hypergeometric_expectation(n: int, k: int) -> None:
    top = min(n, k)
    shares = (
        Fraction(math.comb(top, x) * math.comb(n - top, top - x), math.comb(n, top))
        * Fraction(x, 2 * top - x)
        for x in range(top + 1)
    )
    assert chance_jaccard(n, k) == pytest.approx(float(sum(shares)), rel=1e-12)


def test_chance_of_the_specification_and_of_large_corpora() -> None:
    assert chance_jaccard(12, 10) == pytest.approx(0.72, abs=0.005)
    assert chance_jaccard(100_000, 1000) == pytest.approx(10 / 1990, rel=0.02)
    assert chance_jaccard(2000, 1000) == pytest.approx(1 / 3, rel=0.01)
    assert chance_jaccard(0, 10) is None


@given(st.lists(st.sampled_from("xyz"), max_size=9))
def test_pair_counts_are_those_of_the_loop_over_all_pairs(hashes: list[str]) -> None:
    looped = Counter(tuple(sorted(pair)) for pair in itertools.combinations(hashes, 2))
    assert pair_counts(hashes) == looped


class CountingLists(Mapping[str, Sequence[str]]):
    """Lists that count how often they are read."""

    def __init__(self, lists: dict[str, list[str]]) -> None:
        self.lists = lists
        self.reads = 0

    def __getitem__(self, key: str) -> Sequence[str]:
        self.reads += 1
        return self.lists[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.lists)

    def __len__(self) -> int:
        return len(self.lists)


def test_work_is_over_distinct_lists_only() -> None:
    lists = CountingLists({"x": TEN, "y": TEN[::-1], "z": fresh(10)})
    cache = PairCache(lists, 10)
    for _ in range(3):
        counts = pair_counts(["x", "y", "z", "x"] * 250)
        assert counts.total() == 1000 * 999 // 2
        for pair in counts:
            cache.pair(*pair)
            cache.pair(*reversed(pair))
    assert lists.reads <= 9  # three pairs of two lists, three lists with themselves


@given(ranked, ranked, st.integers(1, 12))
def test_the_cache_agrees_with_the_measures(a: list[str], b: list[str], k: int) -> None:
    pair = PairCache({"x": a, "y": b}, k).pair("x", "y")
    top_a, top_b = a[:k], b[:k]
    expected = (jaccard(a, b, k), kendall_top(top_a, top_b), rbo(top_a, top_b), tau_a(top_a, top_b))
    assert (pair.jaccard, pair.kendall_top, pair.rbo, pair.tau) == expected


def test_the_cache_compares_the_first_k_items() -> None:
    cache = PairCache({"x": TEN, "y": TEN[:5] + fresh(5), "e": []}, 5)
    pair = cache.pair("x", "y")
    assert (pair.jaccard, pair.kendall_top, pair.rbo, pair.tau) == (1, 1, 1, 1)
    empty = cache.pair("e", "e")
    assert (empty.jaccard, empty.kendall_top, empty.rbo, empty.tau) == (None, None, None, None)
