"""What a registered study measured, read from its ledger: the analysis begins here, and every look is written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.record import Record
from contextbenchmark.study.demands import sessions as planned_sessions
from contextbenchmark.study.frozen import Version, default_ledger, require_unchanged
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import Head, read_rows
from contextbenchmark.study.record import Arm, Judgement, Plan, Session, Task

SESSION_EVENT = "session"
JUDGEMENT_EVENT = "judgement"
# An analysis before every planned session has its final class; after it.
LOOK_EVENT = "look"
ANALYSIS_EVENT = "analysis"


class Looked(Record):
    """Body of the row of an analysis: what it saw and said. ``final`` of ``planned`` sessions had their class."""

    planned: int
    final: int
    verdict: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a study is: ``final`` of its ``planned`` sessions have their final class."""

    planned: int
    final: int

    @property
    def complete(self) -> bool:
        return self.final >= self.planned


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The rows of a study under the version in force; those under earlier versions stay in the ledger, apart."""

    ledger: Path
    versions: tuple[Version, ...]

    @property
    def version(self) -> Version:
        """Return the version in force."""
        return self.versions[-1]

    @property
    def plan(self) -> Plan:
        """Return the registered plan of the analysis."""
        return self.version.design.plan()

    def sessions(self) -> Iterator[Session]:
        """Yield every attempt in the order in which it was measured."""
        for row in read_rows(self.ledger, event=SESSION_EVENT, study=self.plan.study):
            if row.sha256 == self.version.sha256:
                yield row.body_as(Session)

    def judgements(self) -> Iterator[Judgement]:
        """Yield every verdict of a judge in the order in which it was given."""
        for row in read_rows(self.ledger, event=JUDGEMENT_EVENT, study=self.plan.study):
            if row.sha256 == self.version.sha256:
                yield row.body_as(Judgement)

    def progress(self) -> Progress:
        """Return how many planned sessions have their final class.

        A result is final, and so is an infrastructure failure of the last attempt that the registration allows.
        """
        design = self.version.design
        failures: Counter[tuple[Task, int | None, int, Arm]] = Counter()
        settled: set[tuple[Task, int | None, int, Arm]] = set()
        for session in self.sessions():
            key = (session.task, session.step, session.repeat, session.arm)
            failures[key] += not session.counts
            if session.counts or failures[key] > design.schedule.retries:
                settled.add(key)
        return Progress(planned=planned_sessions(design), final=len(settled))


def registered_evidence(study_file: Path, ledger: Path | None = None) -> Evidence:
    """Return what a study measured, once every file that it registered is found unchanged.

    Hidden files may be absent: who analyses what others measured has none.

    :raises StudyError: a file differs, named with both digests; or the study is not registered.
    :raises LedgerError: the ledger was changed.
    """
    versions = require_unchanged(study_file, ledger, hidden_may_be_absent=True)
    return Evidence(ledger=ledger or default_ledger(study_file), versions=versions)


def record_look(evidence: Evidence, progress: Progress, *, verdict: str, sentence: str) -> Head:
    """Write down that the results were looked at; returns the head when the row is on the disk.

    An early look is a row of its own kind, because looking again and again makes false verdicts (spec: Running).
    """
    looked = Looked(planned=progress.planned, final=progress.final, verdict=verdict, sentence=sentence)
    kind = ANALYSIS_EVENT if progress.complete else LOOK_EVENT
    with Ledger(evidence.ledger) as opened:
        return opened.append(Event(kind=kind, provenance=evidence.version.provenance(), body=looked))
