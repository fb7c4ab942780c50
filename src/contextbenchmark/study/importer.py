"""Rows measured elsewhere: read, checked one by one, counted where they were refused and why (``study import``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from contextbenchmark.errors import StudyError
from contextbenchmark.study.analysis_record import Imported, Refused
from contextbenchmark.study.judging import Tally
from contextbenchmark.study.measured import Collector, Measured, first_repeat, settle
from contextbenchmark.study.record import Judgement, Plan, Session, Task
from contextbenchmark.study.table_file import ColumnNames, RawRow, read_table

# Of every reason for refusal so many lines are named; of reasons themselves so many are told apart.
NAMED_LINES = 5
NAMED_REASONS = 40
_OTHER = "other reasons"
_NEEDED_SESSION = ("task", "repeat", "arm", "class")
Kind = TypeVar("Kind", bound=BaseModel)
_NEEDED_JUDGEMENT = ("task", "repeat", "judge", "order", "verdict")


@dataclass(frozen=True, kw_only=True)
class Rows:
    """What an analysis is made from, and what of the files was taken."""

    measured: Measured
    judged: Tally
    imported: Imported


@dataclass(kw_only=True)
class _Refusals:
    """Refused rows by file and reason, in bounded memory."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    lines: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add(self, file: str, reason: str, line: int | None, rows: int = 1) -> None:
        key = (file, reason)
        if key not in self.counts and len(self.counts) >= NAMED_REASONS:
            key = (file, _OTHER)
        self.counts[key] = self.counts.get(key, 0) + rows
        named = self.lines.setdefault(key, [])
        if line is not None and len(named) < NAMED_LINES:
            named.append(line)

    def rows(self) -> tuple[Refused, ...]:
        return tuple(
            Refused(file=file, reason=reason, rows=count, lines=tuple(self.lines[file, reason]))
            for (file, reason), count in self.counts.items()
        )


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
        raise StudyError(f"{path}: {_reasons(error)}.", "Mend these places.") from error


def unused_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of a plan that this package makes no use of."""
    return _unused(json.loads(path.read_bytes()), Plan)


def column_names(texts: tuple[str, ...]) -> dict[str, str]:
    """Return other names of columns from ``OURS=THEIRS``, ours -> theirs; the other way round is understood too.

    :raises StudyError: a text is no such thing, or names no column of ours.
    """
    ours = _columns(Session) | _columns(Judgement)
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


def import_rows(
    plan: Plan, sessions: Path, judges: Path | None = None, names: ColumnNames | None = None
) -> Rows:
    """Read sessions and verdicts row by row; memory depends on the plan, not on the number of rows.

    A row that is wrong in any place is refused as a whole: no number of it is used.

    :raises StudyError: a file cannot be read or lacks a column that every row needs.
    """
    reader = _Reader(plan=plan, names=names or {})
    collector, judged = Collector(), Tally()
    taken = sum(reader.session(sessions, raw, collector) for raw in read_table(sessions, reader.names))
    verdicts = 0
    if judges is not None:
        verdicts = sum(reader.judgement(judges, raw, judged) for raw in read_table(judges, reader.names))
    unplanned = _beyond(plan, collector)
    if unplanned:
        reason = "the repeat was not planned: repeats are counted from 0 here"
        reader.refusals.add(sessions.name, reason, None, unplanned)
        taken -= unplanned
    return Rows(
        measured=settle(plan, collector),
        judged=judged,
        imported=Imported(
            sessions=taken,
            judgements=verdicts,
            refused=reader.refusals.rows(),
            notes=reader.notes(),
        ),
    )


def _beyond(plan: Plan, collector: Collector) -> int:
    if first_repeat(collector.outcomes) == 1:
        return 0
    return sum(key.repeat >= plan.repeats(key.task) for key in collector.outcomes)


@dataclass(kw_only=True)
class _Reader:
    plan: Plan
    names: Mapping[str, str]
    refusals: _Refusals = field(default_factory=_Refusals)
    unused: dict[str, tuple[str, ...]] = field(default_factory=dict)
    seen: set[Path] = field(default_factory=set)

    def session(self, path: Path, raw: RawRow, into: Collector) -> bool:
        row = self._row(path, raw, Session, _NEEDED_SESSION)
        if row is None or not self._belongs(path, raw, row.study, row.task, row.repeat):
            return False
        into.add(row)
        return True

    def judgement(self, path: Path, raw: RawRow, into: Tally) -> bool:
        row = self._row(path, raw, Judgement, _NEEDED_JUDGEMENT)
        if row is None or not self._belongs(path, raw, row.study, row.task, row.repeat):
            return False
        into.add(row)
        return True

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{file}: not used: {', '.join(columns)}" for file, columns in self.unused.items())

    def _row(self, path: Path, raw: RawRow, kind: type[Kind], needed: tuple[str, ...]) -> Kind | None:
        if raw.problem:
            self.refusals.add(path.name, raw.problem, raw.line)
            return None
        if path not in self.seen:
            self._first(path, raw, kind, needed)
        try:
            return kind.model_validate(raw.values)
        except ValidationError as error:
            self.refusals.add(path.name, _reasons(error), raw.line)
            return None

    def _first(self, path: Path, raw: RawRow, kind: type[BaseModel], needed: tuple[str, ...]) -> None:
        """A column that is missing everywhere is a mistake in the call, not in every row."""
        self.seen.add(path)
        absent = [column for column in needed if column not in raw.values]
        if absent:
            raise StudyError(
                f"{path} has no column {', '.join(absent)} (it has {', '.join(map(str, raw.values))}).",
                f"Where it has another name, say so: --map {absent[0]}=NAME.",
            )
        unused = _unused(raw.values, kind)
        if unused:
            self.unused[path.name] = unused

    def _belongs(self, path: Path, raw: RawRow, study: str | None, task: Task, repeat: int) -> bool:
        planned = self.plan.repeats(task)
        if study is not None and study != self.plan.study:
            reason = f"it belongs to another study than {self.plan.study!r}"
        elif not planned:
            reason = f"{task} was not planned"
        elif repeat > planned:
            reason = f"the repeat was not planned: {task} has {planned}"
        else:
            return True
        self.refusals.add(path.name, reason, raw.line)
        return False


def _columns(kind: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in kind.model_fields.items()}


def _unused(values: Mapping[str, object], kind: type[BaseModel]) -> tuple[str, ...]:
    known = _columns(kind) | set(kind.model_fields)
    return tuple(str(name) for name in values if name not in known)


def _reasons(error: ValidationError) -> str:
    found = []
    for item in error.errors()[:4]:
        place = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        message = "is missing" if item["type"] == "missing" else message[:1].lower() + message[1:]
        found.append(f"{place}: {message}" if place else message)
    return "; ".join(found)
