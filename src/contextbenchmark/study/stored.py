"""A registered study's rows in its ledger: put in, read back under the version in force, every look written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.record import Record
from contextbenchmark.study.analysis_record import Analysis, Look
from contextbenchmark.study.design import Design
from contextbenchmark.study.frozen import Version
from contextbenchmark.study.importer import Rows, import_records
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import read_rows
from contextbenchmark.study.ledger_row import LedgerRow
from contextbenchmark.study.record import Judgement, Plan, Session, Weights

SESSION_EVENT = "session"
JUDGEMENT_EVENT = "judgement"
LOOK_EVENT = "analysed"
# Rows that are synced together.
_BATCH = 500


@dataclass(frozen=True, kw_only=True)
class Stored:
    """What a ledger holds of a study: the rows of the version in force, earlier looks, rows of other versions."""

    rows: Rows
    looks: tuple[Look, ...]
    other_versions: dict[int, int]


def plan_of(design: Design) -> Plan:
    """Return what a registered design says of the analysis."""
    analysis = design.analysis
    return Plan.model_validate(
        {
            "study": design.name,
            "planned_repeats": {task: count for task, count in design.repeats.model_dump().items() if count},
            "lambda": analysis.lambda_,
            "alpha": analysis.alpha,
            "estimator": analysis.estimator,
            "cap": analysis.cap,
            "cache_read_weight": analysis.cache_read_weight,
            "validity_threshold": analysis.validity_threshold,
            "resamples": analysis.resamples,
            "seed": analysis.seed,
            "weights": Weights.model_validate(design.weights.model_dump()),
            "kind": design.kind,
        }
    )


def append_rows(ledger: Path, version: Version, rows: Iterable[Session | Judgement]) -> int:
    """Append sessions and verdicts to the ledger as rows of ``version``; return how many."""
    count = 0
    provenance = version.provenance()
    with Ledger(ledger) as opened:
        batch: list[Event] = []
        for row in rows:
            kind = SESSION_EVENT if isinstance(row, Session) else JUDGEMENT_EVENT
            batch.append(Event(kind=kind, provenance=provenance, body=row))
            count += 1
            if len(batch) == _BATCH:
                opened.append(*batch)
                batch.clear()
        if batch:
            opened.append(*batch)
    return count


def read_stored(ledger: Path, version: Version) -> Stored:
    """Read the rows of a study from its ledger; memory depends on the plan, not on the number of rows.

    :raises LedgerError: the ledger was changed.
    """
    looks: list[Look] = []
    others: Counter[int] = Counter()

    def measured() -> Iterator[Session | Judgement]:
        for row in read_rows(ledger, study=version.registration.study):
            if row.event == LOOK_EVENT:
                looks.append(row.body_as(Look))
            elif row.event in (SESSION_EVENT, JUDGEMENT_EVENT):
                if row.sha256 == version.sha256:
                    yield _measured(row)
                else:
                    others[row.version or 0] += 1

    rows = import_records(plan_of(version.design), measured(), ledger.name)
    return Stored(rows=rows, looks=tuple(looks), other_versions=dict(others))


def _measured(row: LedgerRow) -> Session | Judgement:
    return row.body_as(Session) if row.event == SESSION_EVENT else row.body_as(Judgement)


def append_look(ledger: Path, version: Version, analysis: Analysis) -> None:
    """Write down that somebody looked at the numbers, and what they said then."""
    body: Record = Look(
        verdict=analysis.verdict,
        nv=analysis.nv.value,
        lo=analysis.nv.lo,
        hi=analysis.nv.hi,
        sessions=analysis.progress.final,
        planned=analysis.progress.planned,
    )
    with Ledger(ledger) as opened:
        opened.append(Event(kind=LOOK_EVENT, provenance=version.provenance(), body=body))
