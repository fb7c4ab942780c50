"""Rows measured elsewhere: a plan, a table of sessions, a table of verdicts (``study import``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from contextbenchmark.errors import StudyError
from contextbenchmark.study.analysis_record import Imported
from contextbenchmark.study.judging import Tally
from contextbenchmark.study.measured import Collector, Measured, first_repeat, settle
from contextbenchmark.study.record import Judgement, Plan, Session
from contextbenchmark.study.row_check import Checker, columns_of, reasons, unused
from contextbenchmark.study.table_file import ColumnNames, read_table


@dataclass(frozen=True, kw_only=True)
class Rows:
    """What an analysis is made from, and what of the files was taken."""

    measured: Measured
    judged: Tally
    imported: Imported


def read_plan(path: Path) -> Plan:
    """Read a plan (JSON).

    :raises StudyError: it cannot be read, or says something that cannot be meant; each place is named.
    """
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise StudyError(f"Cannot read {path}: {error.strerror}.", "Name the plan of the study.") from error
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{path} is not JSON: {error}.", "Mend the file.") from error
    try:
        return Plan.model_validate(value)
    except ValidationError as error:
        raise StudyError(f"{path}: {reasons(error)}.", "Mend these places.") from error


def unused_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of a plan that this package makes no use of."""
    return unused(json.loads(path.read_bytes()), Plan)


def column_names(texts: Iterable[str]) -> dict[str, str]:
    """Return other names of columns from ``OURS=THEIRS``, ours -> theirs; the other way round is understood too.

    :raises StudyError: a text is no such thing, or names no column of ours.
    """
    ours = columns_of(Session) | columns_of(Judgement)
    found: dict[str, str] = {}
    for text in texts:
        left, sign, right = (part.strip() for part in text.partition("="))
        if not sign or not left or not right:
            raise StudyError(f"--map {text!r} is not OURS=THEIRS.", "Write --map wall_s=seconds.")
        if left not in ours:
            left, right = right, left
        if left not in ours:
            raise StudyError(f"--map {text!r} names no column of ours.", f"Ours: {', '.join(sorted(ours))}.")
        if found.setdefault(left, right) != right:
            raise StudyError(f"--map gives {left} two names.", "Give one.")
    return found


def read_records(
    checker: Checker, sessions: Path, judges: Path | None = None, names: ColumnNames | None = None
) -> Iterator[Session | Judgement]:
    """Yield the rows of both files that can be used, in their order; ``checker`` knows in the end what was refused.

    :raises StudyError: a file cannot be read or lacks a column that every row needs.
    """
    for raw in read_table(sessions, names or {}):
        session = checker.checked(sessions, raw, Session)
        if session is not None:
            yield session
    if judges is None:
        return
    for raw in read_table(judges, names or {}):
        judgement = checker.checked(judges, raw, Judgement)
        if judgement is not None:
            yield judgement


def import_rows(
    plan: Plan, sessions: Path, judges: Path | None = None, names: ColumnNames | None = None
) -> Rows:
    """Read sessions and verdicts; memory depends on the plan, not on the number of rows.

    :raises StudyError: a file cannot be read or lacks a column that every row needs.
    """
    checker = Checker(plan=plan)
    return _collect(checker, read_records(checker, sessions, judges, names), sessions.name)


def import_records(plan: Plan, records: Iterable[Session | Judgement], source: str) -> Rows:
    """Take rows that are records already, for example a ledger's; those that were not planned are refused."""
    checker = Checker(plan=plan)
    planned = (row for number, row in enumerate(records, 1) if checker.planned(source, number, row))
    return _collect(checker, planned, source)


def _collect(checker: Checker, records: Iterable[Session | Judgement], source: str) -> Rows:
    collector, judged = Collector(), Tally()
    sessions = verdicts = 0
    for row in records:
        if isinstance(row, Session):
            collector.add(row)
            sessions += 1
        else:
            judged.add(row)
            verdicts += 1
    beyond = _beyond(checker.plan, collector)
    if beyond:
        reason = "the repeat was not planned: repeats are counted from 0 here"
        checker.refusals.add(source, reason, None, beyond)
    return Rows(
        measured=settle(checker.plan, collector),
        judged=judged,
        imported=Imported(
            sessions=sessions - beyond,
            judgements=verdicts,
            refused=checker.refusals.rows(),
            notes=checker.notes(),
        ),
    )


def _beyond(plan: Plan, collector: Collector) -> int:
    """Return how many planned sessions would be one too many: repeats from 0 end before their number."""
    if first_repeat(collector.outcomes) == 1:
        return 0
    return sum(key.repeat >= plan.repeats(key.task) for key in collector.outcomes)
