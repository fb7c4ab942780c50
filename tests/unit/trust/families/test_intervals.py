"""Bounds and intervals, against scipy and closed forms."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from contextbenchmark.trust.families.intervals import flip_rate, mean_interval, paired_interval


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bound_is_clopper_and_pearsons(flips_of: tuple[int, int]) -> None:
    flips, n = flips_of
    bound = flip_rate(flips, n).upper95
    expected = 1.0 if flips == n else float(stats.beta.ppf(0.95, flips + 1, n - flips))
    assert bound == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("n", "bound"), [(2, 0.776), (4, 0.527), (14, 0.193), (59, 0.0495), (360, 0.0083)])
def test_bounds_after_no_flip(n: int, bound: float) -> None:
    assert flip_rate(0, n).upper95 == pytest.approx(bound, abs=0.0005)


def test_a_large_count_is_bounded_too() -> None:
    assert flip_rate(50_000, 100_000).upper95 == pytest.approx(stats.beta.ppf(0.95, 50_001, 50_000), abs=1e-8)


def test_nothing_compared_bounds_nothing() -> None:
    rate = flip_rate(0, 0)
    assert (rate.flips, rate.n, rate.upper95) == (0, 0, None)
    with pytest.raises(ValueError, match="3 of 2"):
        flip_rate(3, 2)


def test_the_interval_is_scipys_percentile_bootstrap() -> None:
    draws = random.Random(5)
    values = [draws.random() ** 2 for _ in range(60)]
    ours = mean_interval(values, seed=7)
    theirs = stats.bootstrap(
        (values,), lambda x, axis: x.mean(axis=axis), n_resamples=5000, method="percentile", rng=3
    )
    spread = float(theirs.standard_error)
    assert ours.value == pytest.approx(sum(values) / 60)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.2 * spread)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.2 * spread)


def test_weights_are_repeated_comparisons_of_one_item() -> None:
    estimate = mean_interval([0.0, 1.0], seed=0, weights=[3, 1])
    assert (estimate.value, estimate.n) == (0.25, 4)
    assert (estimate.low, estimate.high) == (0.0, 1.0)


def test_an_item_without_comparisons_counts_for_nothing() -> None:
    assert mean_interval([0.0, 1.0], seed=0, weights=[0, 2]) == mean_interval([1.0], seed=0, weights=[2])


def test_few_or_equal_values() -> None:
    none, one, equal = (mean_interval(values, seed=0) for values in ([], [0.5], [0.1] * 30))
    assert (none.value, none.low, none.n) == (None, None, 0)
    assert (one.value, one.low, one.high, one.n) == (0.5, None, None, 1)
    assert (equal.value, equal.low, equal.high) == (0.1, 0.1, 0.1)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [0.1, 0.4, 0.9, 0.3]
    assert mean_interval(values, seed=1) == mean_interval(values, seed=1)
    assert mean_interval(values * 9, seed=1) != mean_interval(values * 9, seed=2)


def test_paired_differences_are_narrower_than_what_varies_in_common() -> None:
    draws = random.Random(1)
    common = [draws.random() for _ in range(40)]
    net = paired_interval([c + 0.25 for c in common], common, seed=0)
    assert net.value == pytest.approx(0.25)
    assert net.low == pytest.approx(0.25)
    assert net.high == pytest.approx(0.25)
