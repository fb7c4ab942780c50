"""Error rates: the simulation against the spec's measured figures, the report's calibration against the simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from contextbenchmark import stats
from contextbenchmark.study.calibrate import rates_of
from contextbenchmark.study.numbers_record import Null
from contextbenchmark.study.power import power
from contextbenchmark.study.simulate import Draw, normal, recentred, simulate_sums
from tests.unit.study.studies import level_study, random_study

STUDIES = 2000
# Spread of each stratum's share of NV where units are normal: one stratum heavier than the rest.
SPREADS = (0.3, 0.12, 0.1, 0.1)
# n: (BC's false KEEP, Welch t's), spec: Calibration, four strata.
MEASURED = {3: (0.116, 0.032), 5: (0.077, 0.030), 10: (0.040, 0.022)}
# Relative score differences are normal with this deviation, costs lognormal with this sigma in both arms.
SCORE, SIGMA = 0.3, 0.2


def increase(generator: np.random.Generator, studies: int, n: int) -> np.ndarray:
    """Return relative cost increases between equal arms, moved to mean 0: E(x / y) is exp(sigma^2)."""
    vanilla, cc = np.exp(SIGMA * generator.normal(size=(2, studies, n)))
    return np.asarray(cc / vanilla - math.exp(SIGMA**2))


def rule_book() -> list[Draw]:
    """Return four strata whose units are made of scores and costs as y_T1 to y_T4 are."""

    def score(generator: np.random.Generator, studies: int, n: int) -> np.ndarray:
        return np.asarray(SCORE * generator.normal(size=(studies, n)))

    def t1(g: np.random.Generator, m: int, n: int) -> np.ndarray:
        quality = 0.3 * score(g, m, n) + 0.2 * score(g, m, n)
        return np.asarray(quality - 0.25 * (increase(g, m, n) + increase(g, m, n)))

    def t4(g: np.random.Generator, m: int, n: int) -> np.ndarray:
        return np.asarray(0.25 * (0.5 * score(g, m, n) - 0.25 * (increase(g, m, n) + increase(g, m, n))))

    return [t1, lambda g, m, n: 0.15 * score(g, m, n), lambda g, m, n: 0.1 * score(g, m, n), t4]


def simulated(draws: list[Draw], n: int) -> Null:
    return rates_of(simulate_sums(draws, [n] * len(draws), studies=STUDIES, resamples=1000, seed=1))


@pytest.mark.slow
def test_error_rates_under_the_null_are_the_measured_ones(capsys: pytest.CaptureFixture[str]) -> None:
    models = {"scores and costs": rule_book(), "normal": [normal(spread) for spread in SPREADS]}
    found = {name: {n: simulated(draws, n) for n in (3, 5, 10, 20)} for name, draws in models.items()}
    with capsys.disabled():
        print(f"\n{STUDIES} studies a point, four strata, NV = 0, ± Monte-Carlo error")
        for model, points in found.items():
            for n, null in points.items():
                for name, rates in (("BC", null.bc), ("t", null.welch)):
                    keep, cover = rates.false_keep, rates.coverage
                    print(
                        f"  {model:16} n = {n:2d} {name:2}: false KEEP {keep.value:.4f} ±{keep.error:.4f}, "
                        f"coverage {cover.value:.4f} ±{cover.error:.4f}"
                    )
    for n, (bc, welch) in MEASURED.items():
        null = found["scores and costs"][n]
        # Both are simulations with errors of .004 to .007, of spreads that are not quite the same.
        assert null.bc.false_keep.value == pytest.approx(bc, abs=0.02)
        assert null.welch.false_keep.value == pytest.approx(welch, abs=0.015)
    for points in found.values():
        falling = [points[n].bc.false_keep.value for n in (3, 5, 10, 20)]
        assert falling == sorted(falling, reverse=True)
        assert all(abs(null.welch.coverage.value - 0.95) < 0.025 for null in points.values())


@pytest.mark.slow
def test_looking_at_every_n_lifts_a_false_keep() -> None:
    """Spec, measured: a look at each of n = 3..10 lifts a false KEEP from .03 to .17."""
    generator = np.random.default_rng(4)
    studies, resamples = 1000, 500
    units = [generator.normal(0, spread, (studies, 10)) for spread in SPREADS]
    kept = np.zeros(studies, dtype=bool)
    last = kept
    for n in range(3, 11):
        replicates = np.sum(
            [stats.draw_counts(generator, n, resamples) @ values[:, :n].T / n for values in units], axis=0
        )
        low, _ = stats.bias_corrected(
            replicates, np.sum([values[:, :n].mean(axis=1) for values in units], axis=0)
        )
        last = low > 0
        kept |= last
    assert last.mean() == pytest.approx(0.035, abs=0.02)
    assert kept.mean() == pytest.approx(0.17, abs=0.04)


@pytest.mark.slow
def test_the_reports_calibration_agrees_with_the_simulation() -> None:
    """Over many studies of n = 10 with normal units, the mean of what each says of itself is the simulated rate."""
    said = []
    generator = np.random.default_rng(8)
    for seed in range(30):
        draws = [recentred(generator.normal(0, spread, 10)) for spread in SPREADS]
        said.append(rates_of(simulate_sums(draws, [10] * 4, studies=300, resamples=500, seed=seed)))
    truth = simulated([normal(spread) for spread in SPREADS], 10)
    assert np.mean([item.bc.false_keep.value for item in said]) == pytest.approx(
        truth.bc.false_keep.value, abs=0.02
    )
    assert np.mean([item.welch.coverage.value for item in said]) == pytest.approx(
        truth.welch.coverage.value, abs=0.02
    )


def test_a_simulation_repeats_itself_and_says_its_error() -> None:
    draws = [normal(1.0)]
    first = rates_of(simulate_sums(draws, [5], studies=150, resamples=100, seed=3))
    again = rates_of(simulate_sums(draws, [5], studies=150, resamples=100, seed=3))
    assert first == again
    share = first.bc.false_keep.value
    assert first.bc.false_keep.error == pytest.approx(math.sqrt(share * (1 - share) / 150))


def test_students_interval_of_one_normal_stratum_covers_95_percent() -> None:
    found = rates_of(simulate_sums([normal(2.0)], [6], studies=4000, resamples=10, seed=1))
    assert found.welch.coverage.value == pytest.approx(0.95, abs=4 * 0.0035)
    assert found.welch.false_keep.value == pytest.approx(0.025, abs=4 * 0.0025)


def test_recentred_residuals_keep_the_spread_of_the_sample() -> None:
    values = np.array([1.0, 2.0, 6.0])
    drawn = recentred(values)(np.random.default_rng(1), 20_000, 3)
    assert drawn.mean() == pytest.approx(0, abs=0.05)
    assert drawn.var() == pytest.approx(values.var(ddof=1), rel=0.05)


def test_a_study_knows_its_own_error_rates_both_ways() -> None:
    found = random_study(1, absent=0, failures=0).analyse(studies=400, resamples=300).calibration
    assert found is not None
    assert (found.alpha, found.nominal, found.studies) == (0.05, 0.025, 400)
    for null in (found.recentred, found.swapped):
        assert 0.5 < null.bc.coverage.value <= 1
        assert 0.7 < null.welch.coverage.value <= 1


def test_a_false_keep_above_alpha_is_told_with_the_verdict() -> None:
    study = level_study(3)
    for repeat in range(1, 4):
        study.session("T2", repeat, "cc")["t2_score"] = 0.6 + 0.1 * repeat
    found = study.analyse(studies=400, resamples=300)
    assert found.verdict == "KEEP"
    assert found.calibration is not None
    assert found.calibration.recentred.bc.false_keep.value > 0.05
    assert "above the registered 5.0%" in found.sentence


def test_where_welchs_t_disagrees_the_sentence_says_so() -> None:
    """Three positive differences: no resample of them is below 0, but three are not enough for t."""
    study = level_study(3)
    for repeat, score in ((1, 0.52), (2, 0.6), (3, 0.95)):
        study.session("T2", repeat, "cc")["t2_score"] = score
    found = study.analyse()
    assert found.verdict == "KEEP"
    assert found.welch.verdict == "INCONCLUSIVE"
    assert found.welch.lo is not None
    assert found.welch.lo < 0
    assert "Welch's t interval [-" in found.sentence


def test_power_finds_the_n_of_the_textbook() -> None:
    """One sample, effect = 1 standard deviation, one-sided .025, power .8: n = 10 (t test, Cohen 1988: 9.94)."""
    found = power([normal(1.0)], effect=1.0, sizes=range(7, 14), studies=3000, resamples=200)
    assert found.needed_welch in (9, 10, 11)
    assert found.rows[0].welch < 0.8


def test_power_tells_when_no_size_is_enough() -> None:
    found = power([normal(1.0)], effect=0.01, sizes=(3, 4), studies=200, resamples=100)
    assert (found.needed, found.needed_welch) == (None, None)
    assert [row.n for row in found.rows] == [3, 4]
