"""The paired statistics against SciPy, statsmodels, counting by hand, and a slow reference of the spec's formula."""

from __future__ import annotations

import itertools
import math
import random
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from contextbenchmark import stats

GENERATED = range(200)


def sample(seed: int, n: int | None = None) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.normal(0.3, 1.0, n or int(draw.integers(3, 26)))


def test_wilcoxon_without_ties_is_scipys_exact_test() -> None:
    for seed in GENERATED:
        values = sample(seed)
        ours, theirs = stats.wilcoxon(values), scipy_stats.wilcoxon(values, method="exact")
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)
        assert min(ours.w, ours.n * (ours.n + 1) / 2 - ours.w) == pytest.approx(theirs.statistic)


def test_wilcoxon_above_25_pairs_is_scipys_normal_one_with_ties_and_zeros() -> None:
    for seed in GENERATED:
        draw = np.random.default_rng(seed)
        values = draw.integers(-4, 6, int(draw.integers(26, 60))).astype(float)
        ours = stats.wilcoxon(values)
        theirs = scipy_stats.wilcoxon(values, zero_method="pratt", method="asymptotic", correction=False)
        assert not ours.exact
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)
        assert ours.z is not None
        assert abs(ours.z) == pytest.approx(abs(theirs.zstatistic))
        assert ours.r == pytest.approx(ours.z / math.sqrt(int((values != 0).sum())))


def test_wilcoxon_with_ties_and_zeros_counts_every_sign_flip() -> None:
    for seed in range(60):
        draw = np.random.default_rng(seed)
        values = draw.integers(-3, 4, int(draw.integers(2, 11))).astype(float)
        ranks = scipy_stats.rankdata(np.abs(values))[values != 0]
        observed = ranks[values[values != 0] > 0].sum()
        middle = ranks.sum() / 2
        far = [
            abs(np.dot(signs, ranks) - middle) >= abs(observed - middle) - 1e-9
            for signs in itertools.product((0, 1), repeat=len(ranks))
        ]
        assert stats.wilcoxon(values).p == pytest.approx(sum(far) / len(far))


def test_wilcoxon_with_ties_and_zeros_is_scipys_permutation_test() -> None:
    for seed in range(20):
        values = np.random.default_rng(seed).integers(-3, 4, 8).astype(float)
        if not values.any():
            continue
        exact = scipy_stats.PermutationMethod(n_resamples=1000)  # more than 2**8: SciPy counts them all
        theirs = scipy_stats.wilcoxon(values, zero_method="pratt", method=exact)
        assert stats.wilcoxon(values).p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_wilcoxon_of_nothing_but_zeros_is_1_without_an_effect_size() -> None:
    found = stats.wilcoxon([0.0, 0.0, 0.0])
    assert (found.p, found.z, found.r, found.n, found.nonzero) == (1.0, None, None, 3, 0)


def test_differences_below_ten_decimals_are_ties() -> None:
    assert stats.wilcoxon([0.1 + 0.2 - 0.3, 1.0]).nonzero == 1
    assert stats.wilcoxon([0.3, 0.1 + 0.2, -1.0]).w == stats.wilcoxon([0.3, 0.3, -1.0]).w


def test_z_is_positive_where_differences_are() -> None:
    up, down = stats.wilcoxon([1.0, 2.0, 3.0, -0.5]), stats.wilcoxon([-1.0, -2.0, -3.0, 0.5])
    assert up.z is not None
    assert up.z > 0
    assert down.z == pytest.approx(-up.z)


def test_from_how_many_pairs_05_can_be_reached() -> None:
    assert next(n for n in range(1, 12) if stats.smallest_p(n) <= 0.05) == 6
    assert next(n for n in range(1, 12) if 7 * stats.smallest_p(n) <= 0.05) == 9
    assert stats.wilcoxon([1.0] * 6).p == stats.smallest_p(6)


def test_holm_is_that_of_statsmodels() -> None:
    for seed in GENERATED:
        p_values = np.random.default_rng(seed).choice([0.001, 0.01, 0.02, 0.04, 0.3, 1.0], 7)
        assert stats.holm(list(p_values)) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_the_percentile_bootstrap_of_one_stratum_is_scipys_within_monte_carlo_error() -> None:
    for seed in range(12):
        values = sample(seed, 12)
        ours = stats.bootstrap((values[:, None],), lambda sums: sums[0] / 12, 20_000, seed)[:, 0]
        theirs = scipy_stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(seed + 1)
        )
        # Standard error of an estimated 2.5 % quantile of a normal distribution: sqrt(p q / B) / density.
        spread = float(np.std(ours))
        tolerance = 4 * math.sqrt(2) * spread * math.sqrt(0.025 * 0.975 / 20_000) / 0.0584
        low, high = stats.percentile(ours)
        assert low == pytest.approx(theirs.confidence_interval.low, abs=tolerance)
        assert high == pytest.approx(theirs.confidence_interval.high, abs=tolerance)


def bias_corrected_slowly(replicates: list[float], theta: float) -> tuple[float, float]:
    """The spec's formula, a number at a time."""
    size, eps, normal = len(replicates), 1e-12 * max(1.0, abs(theta)), NormalDist()
    below = sum(value < theta - eps for value in replicates)
    equal = sum(abs(value - theta) <= eps for value in replicates)
    fraction = min(max((below + 0.5 * equal) / size, 1 / (2 * size)), 1 - 1 / (2 * size))
    z0 = normal.inv_cdf(fraction)
    ordered = sorted(replicates)

    def quantile(share: float) -> float:
        place = share * (size - 1)
        under = int(place)
        over = min(under + 1, size - 1)
        return ordered[under] + (place - under) * (ordered[over] - ordered[under])

    return quantile(normal.cdf(2 * z0 - 1.959964)), quantile(normal.cdf(2 * z0 + 1.959964))


@settings(max_examples=200, deadline=None)
@given(
    replicates=st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.3, 1e-13, 2.0]), min_size=1, max_size=40),
    theta=st.sampled_from([-5.0, -0.5, 0.0, 0.3, 5.0]),
)
def test_bc_is_the_specs_formula_ties_and_clipping_included(replicates: list[float], theta: float) -> None:
    low, high = stats.bias_corrected(np.array(replicates)[:, None], np.array([theta]))
    expected = bias_corrected_slowly(replicates, theta)
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-9)


def test_bc_of_many_outputs_treats_each_alone_and_leaves_nan_out() -> None:
    draw = random.Random(1)
    first = [draw.gauss(0, 1) for _ in range(500)]
    second = [draw.gauss(3, 2) for _ in range(500)]
    broken = [value if number % 5 else math.nan for number, value in enumerate(first)]
    low, high = stats.bias_corrected(
        np.array([first, second, broken, first]).T, np.array([0.1, 3.2, 0.1, math.nan])
    )
    assert (low[0], high[0]) == pytest.approx(bias_corrected_slowly(first, 0.1), abs=1e-9)
    assert (low[1], high[1]) == pytest.approx(bias_corrected_slowly(second, 3.2), abs=1e-9)
    kept = [value for value in broken if not math.isnan(value)]
    assert (low[2], high[2]) == pytest.approx(bias_corrected_slowly(kept, 0.1), abs=1e-9)
    assert math.isnan(low[3])
    assert math.isnan(high[3])


def test_a_bootstrap_is_stratified_draws_whole_rows_and_repeats_itself() -> None:
    first = np.array([[1.0, 10.0], [2.0, 20.0]])
    second = np.array([[100.0, 100.0]] * 3)

    def both(sums: tuple[np.ndarray, ...]) -> np.ndarray:
        return np.concatenate(sums, axis=-1)

    drawn = stats.bootstrap((first, second), both, 500, 7)
    assert set(drawn[:, 0]) == {2.0, 3.0, 4.0}
    assert (drawn[:, 1] == 10 * drawn[:, 0]).all()
    assert (drawn[:, 2:] == 300).all()
    assert (drawn == stats.bootstrap((first, second), both, 500, 7)).all()
    # Binomial: both draws the same row in half of the samples.
    assert (drawn[:, 0] == 3.0).mean() == pytest.approx(0.5, abs=0.1)


def test_a_bootstrap_in_many_blocks_holds_the_same_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    values = sample(3, 10)[:, None]
    whole = stats.bootstrap((values,), lambda sums: sums[0] / 10, 20_000, 1)
    monkeypatch.setattr(stats, "_HELD", 1000)
    blocks = stats.bootstrap((values,), lambda sums: sums[0] / 10, 20_000, 1)
    assert blocks.shape == whole.shape
    assert stats.percentile(blocks[:, 0]) == pytest.approx(stats.percentile(whole[:, 0]), abs=0.03)


def test_welch_of_two_strata_is_scipys_t_test_with_unequal_variances() -> None:
    for seed in range(20):
        draw = np.random.default_rng(seed)
        first, second = draw.normal(0, 1, 5), draw.normal(0, 3, 9)
        error, freedom = stats.welch([first, -second])
        low, high = stats.t_interval(first.mean() - second.mean(), error, freedom)
        theirs = scipy_stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
        assert (float(low), float(high)) == pytest.approx((theirs.low, theirs.high))


def test_welch_of_one_stratum_is_students_interval_and_of_no_spread_is_none() -> None:
    values = sample(1, 8)
    error, freedom = stats.welch([values])
    assert float(freedom) == pytest.approx(7)
    theirs = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.95)
    low, high = stats.t_interval(values.mean(), error, freedom)
    assert (float(low), float(high)) == pytest.approx((theirs.low, theirs.high))
    error, freedom = stats.welch([np.ones(4)])
    assert float(error) == 0
    assert math.isnan(float(freedom))
    error, _ = stats.welch([np.ones(1), values])
    assert math.isnan(float(error))


def test_quantiles_of_the_inverted_distribution_function_are_values_that_occur() -> None:
    values = np.array([1.0] * 30 + [3.0] * 970)
    assert stats.percentile(values, inverted=True) == (1.0, 3.0)
    assert stats.percentile(np.array([1.0] * 25 + [6.0] * 975), inverted=True) == (1.0, 6.0)
    assert stats.percentile(np.array([1.0] * 24 + [6.0] * 976), inverted=True) == (6.0, 6.0)
