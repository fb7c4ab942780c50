"""The rows of the version in force, from the ledger alone; a look is written down as what it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from contextbenchmark.errors import StudyError
from contextbenchmark.study.evidence import Evidence, record_look, registered_evidence
from contextbenchmark.study.frozen import in_force
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import read_rows
from contextbenchmark.study.record import Judgement, Session
from contextbenchmark.study.register import register

TASKS = ("T1", "T2", "T3", "T4")


def session(task: str, repeat: int, arm: str, end: str = "completed") -> Session:
    return Session.model_validate({"task": task, "repeat": repeat, "arm": arm, "class": end, "wall_s": 1.5})


def measure(study_file: Path, *rows: Session | Judgement) -> None:
    version = in_force(study_file)[-1]
    with Ledger(study_file.parent / "ledger.jsonl") as ledger:
        for row in rows:
            kind = "session" if isinstance(row, Session) else "judgement"
            ledger.append(Event(kind=kind, provenance=version.provenance(), body=row))


@pytest.fixture
def registered(study_file: Path) -> Path:
    register(study_file)
    return study_file


def everything() -> list[Session]:
    return [session(task, repeat, arm) for task in TASKS for repeat in range(3) for arm in ("vanilla", "cc")]


def test_rows_come_back_as_they_were_measured(registered: Path) -> None:
    verdict = Judgement(task="T1", repeat=0, judge="a", order="cc_first", verdict="tie")
    rows = everything()
    measure(registered, *rows, verdict)
    evidence = registered_evidence(registered)
    assert list(evidence.sessions()) == rows and list(evidence.judgements()) == [verdict]


def test_the_plan_is_the_registered_one(registered: Path) -> None:
    plan = registered_evidence(registered).plan
    assert (plan.study, plan.planned_repeats) == ("small", {"T1": 3, "T2": 3, "T3": 3, "T4": 3})
    assert (plan.lambda_, plan.cap, plan.weights.control, plan.kind) == (0.5, None, 0.25, "study")


def test_rows_of_earlier_versions_and_other_studies_stay_apart(registered: Path) -> None:
    measure(registered, session("T1", 0, "cc"))
    (registered.parent / "rule.md").write_text("Another rule.\n")
    register(registered, reason="Another rule.")
    measure(registered, session("T1", 1, "cc"))
    assert [row.repeat for row in registered_evidence(registered).sessions()] == [1]


def test_one_byte_of_a_registered_prompt_stops_the_analysis(registered: Path) -> None:
    prompt = registered.parent / "t1" / "prompt.md"
    before = hashlib.sha256(prompt.read_bytes()).hexdigest()
    prompt.write_bytes(prompt.read_bytes().replace(b"Build", b"build"))
    after = hashlib.sha256(prompt.read_bytes()).hexdigest()
    with pytest.raises(StudyError, match=rf"t1/prompt\.md was changed \(registered {before}, now {after}\)"):
        registered_evidence(registered)


def test_whoever_has_no_hidden_files_can_analyse(registered: Path) -> None:
    (registered.parent / "t2" / "key.toml").unlink()
    assert isinstance(registered_evidence(registered), Evidence)


def test_a_study_is_complete_when_every_session_has_its_final_class(registered: Path) -> None:
    rows = everything()
    measure(registered, *rows[:-1])
    evidence = registered_evidence(registered)
    assert (evidence.progress().planned, evidence.progress().final) == (24, 23)
    lost = session("T4", 2, "cc", "infrastructure_failed")
    # Two retries are registered: the third failure is final.
    measure(registered, lost, lost)
    assert not evidence.progress().complete
    measure(registered, lost)
    assert evidence.progress().complete


def test_a_failed_first_attempt_and_its_retry_are_one_session(registered: Path) -> None:
    measure(registered, session("T1", 0, "cc", "infrastructure_failed"), session("T1", 0, "cc", "timed_out"))
    assert registered_evidence(registered).progress().final == 1


def test_an_early_look_and_an_analysis_are_written_down_as_such(registered: Path) -> None:
    evidence = registered_evidence(registered)
    record_look(evidence, evidence.progress(), verdict="INCONCLUSIVE", sentence="Too early.")
    measure(registered, *everything())
    record_look(evidence, evidence.progress(), verdict="KEEP", sentence="Kept.")
    rows = [row for row in read_rows(evidence.ledger) if row.event in ("look", "analysis")]
    assert [(row.event, row.body["final"], row.body["verdict"]) for row in rows] == [
        ("look", 0, "INCONCLUSIVE"),
        ("analysis", 24, "KEEP"),
    ]
    assert rows[0].sha256 == evidence.version.sha256
