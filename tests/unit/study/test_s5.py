"""From which task on an index has paid for itself: worked out by hand."""

from __future__ import annotations

import pytest

from contextbenchmark.study.numbers_record import S5
from tests.unit.study.studies import Study, session


def sequence(repeat: int, vanilla: list[float], cc: list[float], index: float) -> list[dict[str, object]]:
    rows = []
    for arm, tokens in (("vanilla", vanilla), ("cc", cc)):
        for step, value in enumerate(tokens, 1):
            costs = {"input": value, "output": 0.0, "cache_write": 0.0, "cache_read": 0.0}
            extra = {"index_tokens": index, "index_wall_s": 12.0} if (arm, step) == ("cc", 1) else {}
            rows.append(session("S5", repeat, arm, step=step, **costs, **extra))
    return rows


def analysed(*sequences: tuple[list[float], list[float], float]) -> S5:
    study = Study(plan={"study": "made-up", "planned_repeats": {"S5": len(sequences)}, "resamples": 4000})
    for repeat, (vanilla, cc, index) in enumerate(sequences, 1):
        study.sessions.extend(sequence(repeat, vanilla, cc, index))
    found = study.analyse().s5
    assert found is not None
    return found


def test_the_index_is_paid_once_and_counts_in_full() -> None:
    # cumulative: 100 200 300 400 500 against 250 + 40 a task: 290 330 370 410 450
    found = analysed(([100] * 5, [40] * 5, 250))
    assert found.k == 5
    assert found.vanilla == (100, 200, 300, 400, 500)
    assert found.cc == (290, 330, 370, 410, 450)
    assert (found.index_tokens, found.index_wall_s) == (250, 12)


def test_equal_is_paid_and_a_later_rise_takes_it_back() -> None:
    assert analysed(([100] * 5, [50] * 5, 250)).k == 5
    assert analysed(([100] * 5, [100] * 5, 0)).k == 1
    # Below at task 2, above again at 3, at or below from 4 on.
    assert analysed(([100] * 5, [90, 90, 130, 60, 100], 5)).k == 4
    assert analysed(([100] * 5, [101] * 5, 0)).k == 6


def test_sums_that_differ_by_rounding_alone_are_equal() -> None:
    assert analysed(([0.1, 0.2, 0.3, 0.1, 0.1], [0.3, 0.2, 0.1, 0.1, 0.1], 0)).k == 3


def test_the_curves_are_means_and_whole_sequences_are_resampled() -> None:
    never, soon = ([100.0] * 5, [110.0] * 5, 0.0), ([100.0] * 5, [10.0] * 5, 80.0)
    # Mean cc: 40 + 60 a task: 100 160 220 ...: paid at once.
    found = analysed(never, soon)
    assert found.k == 1
    # One in four resamples holds only the first sequence, one only the second.
    assert (found.lo, found.hi) == (1, 6)


def test_a_step_that_failed_cheaply_can_be_raised_to_its_partners_cost() -> None:
    study = Study(plan={"study": "made-up", "planned_repeats": {"S5": 1}, "resamples": 1000})
    study.sessions = sequence(1, [100] * 5, [101, 101, 101, 1, 101], 0)
    study.session("S5", 1, "cc", 4)["class"] = "agent_failed"
    found = study.analyse().s5
    assert found is not None
    assert (found.k, found.raised) == (4, 6)
    assert found.pass_rate["cc"] == pytest.approx(0.4)
    assert found.pass_rate["vanilla"] == pytest.approx(0.5)


def test_a_sequence_with_a_missing_step_is_left_out_and_counted() -> None:
    study = Study(plan={"study": "made-up", "planned_repeats": {"S5": 2}, "resamples": 1000})
    study.sessions = sequence(1, [100] * 5, [40] * 5, 250) + sequence(2, [100] * 5, [400] * 5, 250)
    study.sessions.remove(study.session("S5", 2, "vanilla", 3))
    found = study.analyse()
    assert found.s5 is not None
    assert (found.s5.k, found.s5.sequences, found.s5.planned) == (5, 1, 2)
    assert found.missing.tasks["S5"].missing == 1
    assert found.missing.missing == 0


def test_without_the_cost_of_the_index_nothing_is_said() -> None:
    study = Study(plan={"study": "made-up", "planned_repeats": {"S5": 1}})
    study.sessions = sequence(1, [100] * 5, [40] * 5, 250)
    del study.session("S5", 1, "cc", 1)["index_tokens"]
    found = study.analyse().s5
    assert found is not None
    assert found.k is None
    assert "index" in found.note
