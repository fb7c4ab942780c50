"""Read a ledger and check its chain, row by row, in memory that does not grow with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.errors import LedgerError
from contextbenchmark.study.ledger_row import (
    MAX_LINE,
    NO_DIGEST,
    LedgerRow,
    NotARow,
    RawRow,
    decode_row,
    upgraded,
)

# Problems that are told one by one; the rest are counted.
TOLD = 20


@dataclass(frozen=True, kw_only=True)
class Head:
    """How far a ledger goes: its number of rows and the digest (hex) of the last, 64 zeros for none."""

    rows: int
    digest: str

    def __str__(self) -> str:
        return f"{self.rows}:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Head:
        """Read ``ROWS:DIGEST``; raises :class:`LedgerError` for anything else."""
        found = re.fullmatch(r"\s*([0-9]{1,15}):([0-9a-fA-F]{64})\s*", text)
        if not found:
            raise LedgerError(
                f"{text!r} is no head of a ledger.", "Write it as ROWS:DIGEST, as it was printed."
            )
        return cls(rows=int(found[1]), digest=found[2].lower())


EMPTY = Head(rows=0, digest=NO_DIGEST)


@dataclass(frozen=True, kw_only=True)
class Break:
    """A place where the chain does not hold: ``line`` counts from 1; ``problem`` is a sentence."""

    line: int
    problem: str


@dataclass(frozen=True, kw_only=True)
class Torn:
    """Bytes after the last whole line: a row that was never acknowledged. ``offset`` counts from 0."""

    offset: int
    size: int


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What checking a ledger found.

    ``breaks`` are the first of ``breaks_found`` places; ``missed`` says, a sentence each, which heads it does not
    lead through; ``heads`` is how many were asked for; ``set_aside`` are files with torn lines beside it; ``size`` is
    how many bytes its whole lines are.
    """

    head: Head
    size: int
    breaks: tuple[Break, ...]
    breaks_found: int
    torn: Torn | None
    heads: int
    missed: tuple[str, ...]
    set_aside: tuple[Path, ...]

    @property
    def holds(self) -> bool:
        """Return whether the chain holds and leads through every head that was asked for."""
        return self.breaks_found == 0 and not self.missed

    @property
    def sentence(self) -> str:
        """Return the outcome in a sentence that claims no more than was checked."""
        if self.breaks_found:
            return f"The chain is broken in {self.breaks_found} place{'s' * (self.breaks_found > 1)}."
        if self.missed:
            return self.missed[0]
        if self.heads:
            return f"Complete to row {self.head.rows}, and it leads through the head that was kept elsewhere."
        return f"Complete to row {self.head.rows} as far as this file tells: a cut end shows only against a head."


@dataclass(frozen=True, kw_only=True)
class _Step:
    """One line: the row where its own digest is right, the problem where something is not."""

    line: int
    row: RawRow | None
    problem: str | None


class Walk:
    """Iterate over the lines of a ledger; afterwards ``torn`` says what stood behind the last whole line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn: Torn | None = None
        self.end = 0

    def __iter__(self) -> Iterator[_Step]:
        previous, index, number = NO_DIGEST, 0, 0
        try:
            with open(self.path, "rb") as stream:
                while line := stream.readline(MAX_LINE + 1):
                    if not line.endswith(b"\n"):
                        size = _rest(stream, len(line))
                        if size is None:
                            raise LedgerError(
                                f"Line {number + 1} of {self.path} is longer than any row.",
                                "This is not a ledger, or it was changed: take it from where it was published.",
                            )
                        self.torn = Torn(offset=self.end, size=size)
                        return
                    number += 1
                    self.end += len(line)
                    step = _step(number, line[:-1], index, previous)
                    yield step
                    if step.row is None:
                        index, previous = index + 1, ""
                    else:
                        index, previous = step.row.index + 1, step.row.digest
        except OSError as error:
            raise LedgerError(f"Cannot read {self.path}: {error.strerror}.", "Name a ledger.") from error


def _rest(stream: Iterable[bytes], size: int) -> int | None:
    """Return the size of a last line without newline, None when the line is a whole one after all."""
    if size <= MAX_LINE:
        return size
    for part in stream:
        size += len(part)
        if part.endswith(b"\n"):
            return None
    return size


def _step(number: int, line: bytes, index: int, previous: str) -> _Step:
    """Check one line against the row before it; ``previous`` is empty where that could not be read."""
    try:
        row = decode_row(line)
    except NotARow as wrong:
        return _Step(line=number, row=None, problem=f"Line {number} {wrong}.")
    if row.index != index:
        problem = f"Line {number} is row {row.index + 1} where row {index + 1} was due."
    elif previous and row.previous != previous:
        problem = (
            f"Line {number} follows {_short(row.previous)}, but the row before it is {_short(previous)}."
        )
    else:
        return _Step(line=number, row=row, problem=None)
    return _Step(line=number, row=row, problem=problem)


def _short(digest: str) -> str:
    return f"{digest[:12]}..."


def verify(path: Path, heads: Iterable[Head] = ()) -> Verification:
    """Check every row of a ledger, and that it leads through each of ``heads``, which were kept elsewhere.

    Any row that was edited, removed, put in or moved breaks the chain; rows cut off the end, or a last row that
    was written anew with a digest of its own, show only against a head.

    :raises LedgerError: the file cannot be read.
    """
    kept = list(heads)
    wanted: dict[int, list[str]] = {}
    for head in kept:
        wanted.setdefault(head.rows, []).append(head.digest)
    walk = Walk(path)
    breaks: list[Break] = []
    found = rows = 0
    digest = NO_DIGEST
    missed = _compare(wanted.pop(0, []), 0, NO_DIGEST)
    for step in walk:
        rows += 1
        digest = step.row.digest if step.row else ""
        if step.problem is not None:
            found += 1
            if len(breaks) < TOLD:
                breaks.append(Break(line=step.line, problem=step.problem))
        if rows in wanted:
            missed += _compare(wanted.pop(rows), rows, digest)
    missed += [
        f"The end was cut off: it has {rows} of the {number} rows that the head of row {number} stands for."
        for number in sorted(wanted)
    ]
    return Verification(
        head=Head(rows=rows, digest=digest or NO_DIGEST),
        size=walk.end,
        breaks=tuple(breaks),
        breaks_found=found,
        torn=walk.torn,
        heads=len(kept),
        missed=tuple(missed),
        set_aside=tuple(sorted(path.parent.glob(f"{path.name}.torn-*"))),
    )


def _compare(digests: Iterable[str], row: int, digest: str) -> list[str]:
    return [
        f"Row {row} is not the one that was kept: its digest is {digest or 'none'}, the head says {expected}."
        for expected in digests
        if expected != digest
    ]


def read_rows(path: Path, *, event: str | None = None, study: str | None = None) -> Iterator[LedgerRow]:
    """Yield the rows of a ledger, checked as they come, optionally of one event or study only.

    A torn last line is left out: nobody was told that it is there.

    :raises LedgerError: the chain is broken, at the row where it is; or a row cannot be understood.
    """
    for step in Walk(path):
        if step.problem is not None or step.row is None:
            raise LedgerError(
                f"The ledger {path} was changed. {step.problem}",
                "See `contextbenchmark ledger verify`; take it again from where it was published.",
            )
        fields = step.row.fields
        if (event is None or fields.get("event") == event) and (
            study is None or fields.get("study") == study
        ):
            yield upgraded(step.row)
