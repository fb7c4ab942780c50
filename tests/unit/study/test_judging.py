"""Verdicts to shares, worked out by hand from the spec's rules."""

from __future__ import annotations

import pytest

from contextbenchmark.study.judging import tally
from contextbenchmark.study.record import Judgement
from tests.unit.study.studies import verdicts


def share(*given: str) -> float | None:
    return tally(Judgement.model_validate(row) for row in verdicts("T1", 1, *given)).shares().get(("T1", 1))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("cc", "cc", "cc", "cc"), 1.0),
        (("vanilla", "vanilla", "vanilla", "vanilla"), 0.0),
        (("tie", "tie", "tie", "tie"), 0.5),
        # A contradiction is two ties; cc with a tie is none.
        (("cc", "vanilla", "cc", "cc"), 0.75),
        (("cc", "tie", "cc", "cc"), 0.875),
        # The share is over verdicts, not judges: three readable ones.
        (("cc", "cc", "vanilla", "unreadable"), 2 / 3),
        (("cc", "unreadable", "unreadable", "unreadable"), 1.0),
        (("unreadable", "unreadable", "unreadable", "unreadable"), None),
        ((), None),
    ],
)
def test_the_share_of_readable_verdicts(given: tuple[str, ...], expected: float | None) -> None:
    assert share(*given) == (None if expected is None else pytest.approx(expected))


def test_a_judge_that_always_answers_a_says_nothing() -> None:
    """Whatever stands first is preferred: cc in one order, vanilla in the other."""
    assert share("cc", "vanilla", "cc", "vanilla") == 0.5


def test_the_first_readable_verdict_counts_and_an_unreadable_one_may_be_asked_again() -> None:
    rows = [
        *verdicts("T3", 2, "unreadable"),
        *verdicts("T3", 2, "cc"),
        *verdicts("T3", 2, "vanilla"),
    ]
    counted = tally(Judgement.model_validate(row) for row in rows)
    assert counted.shares() == {("T3", 2): 1.0}
    assert counted.summary().unreadable == 1
    assert counted.summary().verdicts == 1


def test_agreement_is_of_judges_on_the_same_pair() -> None:
    rows = [
        *verdicts("T1", 1, "cc", "cc", "cc", "tie"),  # both lean to cc
        *verdicts("T1", 2, "cc", "vanilla", "tie", "tie"),  # both at a tie
        *verdicts("T3", 1, "cc", "cc", "vanilla", "vanilla"),
        *verdicts("T3", 2, "cc"),  # one judge alone
    ]
    summary = tally(Judgement.model_validate(row) for row in rows).summary()
    assert summary.agreement == pytest.approx(2 / 3)
    assert (summary.contradictions, summary.both_orders) == (1, 6)
    assert summary.names == ("deepseek", "glm")
