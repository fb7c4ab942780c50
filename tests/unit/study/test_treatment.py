"""Was the treatment received? The rule book's 80 %, and starts that failed."""

from __future__ import annotations

from typing import Any

import pytest

from contextbenchmark.study.analyse import analyse
from contextbenchmark.study.analysis_record import Analysis
from contextbenchmark.study.judging import tally
from contextbenchmark.study.measured import measure
from contextbenchmark.study.record import Plan, Session
from tests.unit.study.studies import Study, level_study, session


def with_calls(called: int, silent: int, failed: int = 0) -> Study:
    """T2 alone: ``called`` cc sessions called, ``silent`` did not, ``failed`` failed without a call."""
    repeats = called + silent + failed
    study = level_study(repeats, planned_repeats={"T2": repeats})
    study.sessions = [row for row in study.sessions if row["task"] == "T2"]
    for repeat in range(1, repeats + 1):
        cc = study.session("T2", repeat, "cc")
        cc["t2_score"] = 0.6 + repeat / 1000
        if repeat > called:
            cc |= {"server_calls_called": 0, "server_calls_successful": 0}
        if repeat > called + silent:
            cc["class"] = "agent_failed"
    return study


def test_exactly_80_percent_is_valid_and_errors_stay_in_the_denominator() -> None:
    """80 right, 10 wrong, 10 errored is 80 %, not 89 %."""
    found = with_calls(80, 10, 10).analyse(studies=2, resamples=10).treatment
    assert (found.called, found.sessions, found.valid) == (0.8, 100, True)
    found = with_calls(79, 11, 10).analyse(studies=2, resamples=10).treatment
    assert (found.called, found.valid) == (0.79, False)


def test_invalid_outranks_everything_and_the_numbers_stand_all_the_same() -> None:
    found = with_calls(3, 2).analyse()
    assert found.verdict == "INVALID"
    assert found.nv.lo is not None
    assert found.nv.lo > 0
    assert found.reasons[0].startswith("3 of 5 cc sessions called the server, below the 80%")
    found = with_calls(0, 1).analyse()
    assert found.verdict == "INVALID"
    assert any("fewer than 2 pairs" in text for text in found.reasons)


def test_a_call_that_was_not_recorded_is_none() -> None:
    study = with_calls(5, 0)
    del study.session("T2", 1, "cc")["server_calls_called"]
    del study.session("T2", 2, "cc")["server_calls_called"]
    found = study.analyse()
    assert (found.treatment.called, found.treatment.unknown) == (0.6, 2)
    assert found.verdict == "INVALID"
    assert "of 2 it was not recorded" in found.reasons[0]


def test_a_listing_of_tools_is_no_call() -> None:
    """Rows count calls of tools; a session that only listed them has 0."""
    assert with_calls(0, 4).analyse().treatment.called == 0


def test_a_low_rate_of_answers_lets_the_verdict_stand_and_is_told() -> None:
    study = with_calls(6, 0)
    for repeat in (1, 2, 3):
        study.session("T2", repeat, "cc")["server_calls_successful"] = 0
    found = study.analyse()
    assert found.verdict == "KEEP"
    assert found.treatment.answered == 0.5
    assert "only 3 of 6 cc sessions got an answer from the server" in found.sentence


def test_infrastructure_failures_are_no_sessions_of_the_rate() -> None:
    study = with_calls(4, 1)
    study.session("T2", 5, "cc")["class"] = "infrastructure_failed"
    found = study.analyse()
    assert (found.treatment.called, found.treatment.sessions) == (1.0, 4)
    assert found.missing.tasks["T2"].arms["cc"].infrastructure_failed == 1


def test_every_step_of_s5_is_a_session_of_the_rate() -> None:
    study = with_calls(4, 0)
    study.plan["planned_repeats"] = {"T2": 4, "S5": 1}
    for step in range(1, 6):
        for arm in ("vanilla", "cc"):
            calls = {"server_calls_called": 0} if arm == "cc" else {}
            study.sessions.append(session("S5", 1, arm, step=step, **calls))
    found = study.analyse().treatment
    assert (found.sessions, found.called_sessions) == (9, 4)


def attempt(study: Study, repeat: int, **values: Any) -> dict[str, Any]:
    return {**study.session("T2", repeat, "cc"), **values}


def test_the_first_valid_attempt_counts_never_the_latest() -> None:
    study = with_calls(4, 0)
    study.sessions.append(attempt(study, 1, **{"class": "infrastructure_failed", "t2_score": None}))
    study.sessions.append(attempt(study, 2, t2_score=1.0))
    found = study.analyse()
    assert found.criteria["systems_knowledge"].delta == pytest.approx(
        sum((0.6 + repeat / 1000) / 0.5 - 1 for repeat in range(1, 5)) / 4
    )
    assert found.missing.later_results == 1
    assert found.missing.missing == 0


def test_numbered_attempts_count_by_their_number() -> None:
    study = with_calls(4, 0)
    study.session("T2", 1, "cc")["attempt"] = 2
    study.sessions.append(attempt(study, 1, attempt=1, t2_score=0.5))
    assert study.analyse().criteria["systems_knowledge"].delta == pytest.approx(
        sum((0.6 + repeat / 1000) / 0.5 - 1 for repeat in range(2, 5)) / 4
    )


def test_a_server_that_fails_half_its_starts_does_not_win_by_retries() -> None:
    study = with_calls(6, 0)
    for repeat in (1, 2, 3):
        failed = attempt(study, repeat, **{"class": "infrastructure_failed", "failure": "server_not_ready"})
        study.sessions.insert(0, failed)
    found = study.analyse()
    assert found.verdict == "KEEP"
    assert (found.treatment.start_failures, found.treatment.start_failure_rate) == (3, 0.5)
    assert "3 of 6 cc sessions did not start at the first attempt (50%)" in found.sentence
    first = next(item for item in found.sensitivities if item.name == "first_attempts")
    delta = (-3 + sum((0.6 + repeat / 1000) / 0.5 - 1 for repeat in (4, 5, 6))) / 6
    assert first.nv.value == pytest.approx(0.15 * delta)
    assert first.flips
    assert first.label in found.sentence


def test_a_failure_that_was_not_the_servers_is_no_failed_start() -> None:
    study = with_calls(6, 0)
    study.sessions.insert(0, attempt(study, 1, **{"class": "infrastructure_failed", "failure": "api"}))
    assert study.analyse().treatment.start_failures == 0


def test_per_protocol_leaves_out_pairs_without_a_call() -> None:
    found = with_calls(9, 1).analyse()
    item = next(item for item in found.sensitivities if item.name == "per_protocol")
    deltas = [(0.6 + repeat / 1000) / 0.5 - 1 for repeat in range(1, 10)]
    assert item.nv.value == pytest.approx(0.15 * sum(deltas) / 9)
    assert found.nv.value == pytest.approx(0.15 * (sum(deltas) + 0.61 / 0.5 - 1) / 10)


def test_a_session_may_be_tried_again_until_its_attempts_are_used_up() -> None:
    study = with_calls(4, 0)
    failed = attempt(study, 4, **{"class": "infrastructure_failed"})
    study.drop("T2", 4, "cc")
    plan = Plan.model_validate(study.plan)

    def look(*rows: dict[str, Any], attempts: int | None) -> Analysis:
        measured = measure(plan, [Session.model_validate(row) for row in (*study.sessions, *rows)])
        return analyse(measured, tally(()), attempts=attempts, studies=2, resamples=10)

    early = look(failed, failed, attempts=3)
    assert (early.progress.final, early.progress.planned) == (7, 8)
    assert early.verdict == "INCONCLUSIVE"
    assert early.reasons[0].startswith("1 planned session is still to come")
    assert look(failed, failed, failed, attempts=3).progress.final == 8
    assert look(attempts=3).progress.final == 7
    assert "to come" not in " ".join(look(attempts=None).reasons)
