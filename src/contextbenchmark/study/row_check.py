"""Is a row what it should be, and was it planned? What is refused is counted by reason, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from contextbenchmark.errors import StudyError
from contextbenchmark.study.analysis_record import Refused
from contextbenchmark.study.record import Judgement, Plan, Session
from contextbenchmark.study.table_file import RawRow

# Of every reason for refusal so many lines are named; of reasons themselves so many are told apart.
NAMED_LINES = 5
NAMED_REASONS = 40
_OTHER = "other reasons"
NEEDED: Mapping[type[BaseModel], tuple[str, ...]] = {
    Session: ("task", "repeat", "arm", "class"),
    Judgement: ("task", "repeat", "judge", "order", "verdict"),
}

Measurement = TypeVar("Measurement", Session, Judgement)


@dataclass(kw_only=True)
class Refusals:
    """Refused rows by file and reason."""

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
        """Return what was refused until now."""
        return tuple(
            Refused(file=file, reason=reason, rows=count, lines=tuple(self.lines[file, reason]))
            for (file, reason), count in self.counts.items()
        )


@dataclass(kw_only=True)
class Checker:
    """Checks rows against a plan, one by one."""

    plan: Plan
    refusals: Refusals = field(default_factory=Refusals)
    _unused: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _seen: set[Path] = field(default_factory=set)

    def checked(self, path: Path, raw: RawRow, kind: type[Measurement]) -> Measurement | None:
        """Return a row that can be used and was planned; refuse it as a whole where it is wrong in any place.

        :raises StudyError: the file lacks a column that every row needs.
        """
        if raw.problem:
            self.refusals.add(path.name, raw.problem, raw.line)
            return None
        if path not in self._seen:
            self._first(path, raw, kind)
        try:
            row = kind.model_validate(raw.values)
        except ValidationError as error:
            self.refusals.add(path.name, reasons(error), raw.line)
            return None
        return row if self.planned(path.name, raw.line, row) else None

    def planned(self, file: str, line: int, row: Session | Judgement) -> bool:
        """Return whether a row was planned; refuse it where it was not."""
        planned = self.plan.repeats(row.task)
        if row.study is not None and row.study != self.plan.study:
            reason = f"it belongs to another study than {self.plan.study!r}"
        elif not planned:
            reason = f"{row.task} was not planned"
        elif row.repeat > planned:
            reason = f"the repeat was not planned: {row.task} has {planned}"
        else:
            return True
        self.refusals.add(file, reason, line)
        return False

    def notes(self) -> tuple[str, ...]:
        """Return which columns no use was made of."""
        return tuple(f"{file}: not used: {', '.join(columns)}" for file, columns in self._unused.items())

    def _first(self, path: Path, raw: RawRow, kind: type[BaseModel]) -> None:
        """A column that is missing everywhere is a mistake in the call, not in every row."""
        self._seen.add(path)
        absent = [column for column in NEEDED[kind] if column not in raw.values]
        if absent:
            raise StudyError(
                f"{path} has no column {', '.join(absent)} (it has {', '.join(map(str, raw.values))}).",
                f"Where it has another name, say so: --map {absent[0]}=NAME.",
            )
        extra = unused(raw.values, kind)
        if extra:
            self._unused[path.name] = extra


def columns_of(kind: type[BaseModel]) -> set[str]:
    """Return the names of the columns of a record, as they stand on disk."""
    return {entry.alias or name for name, entry in kind.model_fields.items()}


def unused(values: Mapping[str, object], kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys of ``values`` that are none of ``kind``."""
    known = columns_of(kind) | set(kind.model_fields)
    return tuple(str(name) for name in values if name not in known)


def reasons(error: ValidationError) -> str:
    """Return what is wrong and where, in one line, the first four places."""
    found = []
    for item in error.errors()[:4]:
        place = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        message = "is missing" if item["type"] == "missing" else message[:1].lower() + message[1:]
        found.append(f"{place}: {message}" if place else message)
    return "; ".join(found)
