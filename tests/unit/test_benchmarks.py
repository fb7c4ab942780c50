"""The measuring itself: known slopes, both kinds of bound, pairs that take turns."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.measuring import Figure, paired
from benchmarks.scale import slope


@pytest.mark.parametrize("power", [0.5, 1.0, 1.3])
def test_the_slope_of_a_power_law_is_its_exponent(power: float) -> None:
    sizes = (1_000, 3_000, 10_000)
    assert slope(sizes, [0.02 * size**power for size in sizes]) == pytest.approx(power)


def test_a_constant_cost_shows_as_a_lower_slope() -> None:
    sizes = (1_000, 10_000)
    assert slope(sizes, [1.0 + 0.001 * size for size in sizes]) == pytest.approx(0.7404, abs=1e-4)


@pytest.mark.parametrize(
    ("value", "side", "met"),
    [(3.0, "at most", True), (3.1, "at most", False), (3.0, "at least", True), (2.9, "at least", False)],
)
def test_a_bound_is_kept_on_its_own_side(value: float, side: str, met: bool) -> None:
    figure = Figure(name="x", value=value, bound=3.0, side=side)  # type: ignore[arg-type]
    assert figure.met is met
    assert figure.line().startswith("met" if met else "NOT MET")


def test_pairs_are_interleaved_and_take_turns_in_going_first() -> None:
    order: list[str] = []

    def side(name: str, seconds: float) -> Callable[[], float]:
        def work() -> float:
            order.append(name)
            return seconds

        return work

    measured = paired(side("a", 3.0), side("b", 2.0), pairs=3, warm_up=False)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert measured.ratio == 1.5
