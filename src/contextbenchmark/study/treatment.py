"""Was the treatment received? Calls of the server, and starts that failed (rule book; spec, Running)."""

from __future__ import annotations

from contextbenchmark.study.analysis_record import Treatment
from contextbenchmark.study.measured import Measured, Outcome
from contextbenchmark.study.record import Session

# Shares are compared in whole sessions: 80 of 100 are 80 %, whatever a float says.
_TOLERANCE = 1e-9


def treatment(measured: Measured) -> Treatment:
    """Return the two rates over all cc sessions that ended in a result: every task, every step of S5.

    A session that failed or ran out of time stays in the denominator; an infrastructure failure does not.
    """
    plan = measured.plan
    sessions = list(measured.results("cc"))
    called = sum(was_called(session) for session in sessions)
    answered = sum(bool(session.server_calls_successful) for session in sessions)
    attempted = [outcome for key, outcome in measured.outcomes.items() if key.arm == "cc"]
    failures = sum(start_failed(outcome) for outcome in attempted)
    rate = called / len(sessions) if sessions else None
    return Treatment(
        called=rate,
        answered=answered / len(sessions) if sessions else None,
        sessions=len(sessions),
        called_sessions=called,
        answered_sessions=answered,
        unknown=sum(session.server_calls_called is None for session in sessions),
        threshold=plan.validity_threshold,
        valid=plan.kind == "a-a" or reaches(rate, plan.validity_threshold),
        attempted=len(attempted),
        start_failures=failures,
        start_failure_rate=failures / len(attempted) if attempted else None,
    )


def was_called(session: Session) -> bool:
    """Return whether the server was called at least once; a call that was not recorded is none."""
    return bool(session.server_calls_called)


def start_failed(outcome: Outcome) -> bool:
    """Return whether the first attempt at a cc session ended before the treatment could be received.

    Where the rows do not say what failed, it counts as the server's failure.
    """
    return not outcome.first.counts and outcome.first.failure in (None, "server_not_ready")


def reaches(rate: float | None, threshold: float) -> bool:
    """Return whether ``rate`` is at or above ``threshold``; exactly at it is enough, no session is not."""
    return rate is not None and rate >= threshold - _TOLERANCE
