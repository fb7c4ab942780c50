"""Append to a ledger: a row is on the disk before anybody is told that it is there.

Nothing here rewrites a row. The one thing that is ever taken out of the file is a line without its end, which a
kill or a power cut tore off before it was acknowledged: it is set aside in a file of its own and reported by a
row. The format: :mod:`contextbenchmark.study.ledger_row`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from contextbenchmark.core.durable import sync, sync_folder
from contextbenchmark.core.folders import locked
from contextbenchmark.core.record import Record, make_folder, storage_error, write_whole
from contextbenchmark.errors import LedgerError
from contextbenchmark.study.ledger_reading import EMPTY, Head
from contextbenchmark.study.ledger_row import (
    MAX_LINE,
    LedgerRow,
    NotARow,
    Provenance,
    RawRow,
    decode_row,
    encode_row,
)

TORN_EVENT = "torn-line-set-aside"
_BLOCK = 65536
# Windows would change line ends otherwise.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)


class TornLine(Record):
    """Body of the row that reports a torn line: its size in bytes, its SHA-256, the file it was put in."""

    bytes: int
    sha256: str
    file: str


@dataclass(frozen=True, kw_only=True)
class Event:
    """What is to become a row: its kind, what it was measured under, and its body."""

    kind: str
    provenance: Provenance = field(default_factory=Provenance)
    body: Record | None = None


def utc_now() -> str:
    """Return the time of the clock as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Ledger:
    """A ledger that is appended to; several processes and threads may do so at once, they take turns.

    Opening reads the last row only; :func:`~contextbenchmark.study.ledger_reading.verify` checks all.

    :raises LedgerError: the file's last row is no row of a ledger.
    :raises RunFolderError: the file cannot be made or written.
    """

    def __init__(self, path: Path, clock: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.head = EMPTY
        self._clock = clock
        self._end = 0
        self._usable = True
        make_folder(path.parent)
        with self._turn():
            new = not path.exists()
            try:
                self._file = os.open(path, _FLAGS, 0o644)
                if new:
                    sync_folder(path.parent)
            except OSError as error:
                raise storage_error(error, path) from error
            try:
                self._find_head()
                self._set_torn_aside()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; every row that was appended is on the disk already."""
        self._usable = False
        with contextlib.suppress(OSError):
            os.close(self._file)

    def append(self, *events: Event, after: Head | None = None) -> Head:
        """Append ``events`` in this order and return the head; on return they are on the disk.

        :param after: append only where the ledger still ends here: what was decided was decided from these rows.
        :raises LedgerError: a row cannot be written as it is, or the file was changed by another hand.
        :raises RunFolderError: the disk refuses; then none of ``events`` is in the ledger.
        """
        if not self._usable:
            raise LedgerError(f"{self.path} was closed.", "Open it again.")
        with self._turn():
            self._catch_up()
            if after is not None and after != self.head:
                raise LedgerError(
                    f"{self.path} has grown meanwhile.", "Do it again, from what stands there now."
                )
            head, lines = self.head, []
            for event in events:
                line, head = self._line(event, head)
                lines.append(line)
            self._write(b"".join(lines))
            self.head = head
            return head

    def _line(self, event: Event, head: Head) -> tuple[bytes, Head]:
        row = LedgerRow.model_validate(
            {
                **event.provenance.model_dump(),
                "index": head.rows,
                "previous": head.digest,
                "time": self._clock(),
                "event": event.kind,
                "body": {} if event.body is None else event.body.model_dump(mode="json", by_alias=True),
            }
        )
        line, digest = encode_row(row)
        return line, Head(rows=head.rows + 1, digest=digest)

    def _turn(self) -> contextlib.AbstractContextManager[None]:
        return locked(self.path.with_name(self.path.name + ".lock"))

    def _write(self, data: bytes) -> None:
        """Write and sync; on a refusal take back what was written, which nobody was told of."""
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._file, left) :]
            sync(self._file)
        except OSError as error:
            self._usable = False
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise storage_error(error, self.path) from error
        self._end += len(data)

    def _find_head(self) -> None:
        """Read the last whole line of the file, wherever it begins."""
        size = os.fstat(self._file).st_size
        tail, start = b"", size
        while start > 0 and tail.count(b"\n") < 2:
            step = min(max(_BLOCK, len(tail)), start)
            start -= step
            tail = self._read(start, step) + tail
            # A line and a torn one behind it.
            if len(tail) > 4 * MAX_LINE:
                raise self._not_ours(f"the last {len(tail):,} bytes hold no row")
        whole, newline, _ = tail.rpartition(b"\n")
        if not newline:
            return
        self._end = start + len(whole) + 1
        self._take(self._decoded(whole.rpartition(b"\n")[2]))

    def _catch_up(self) -> None:
        """Take in what another process appended since; its rows must follow ours."""
        try:
            status, now = os.fstat(self._file), os.stat(self.path)
        except OSError as error:
            raise LedgerError(f"{self.path} is gone: {error.strerror}.", "Put it back.") from error
        if not os.path.samestat(status, now) or now.st_size < self._end:
            raise LedgerError(
                f"{self.path} was replaced or cut while it was open, so nothing more is appended to it.",
                "Put the ledger back as it was: it is appended to, never edited.",
            )
        if now.st_size == self._end:
            return
        for line in self._tail().split(b"\n")[:-1]:
            row = self._decoded(line)
            if row.index != self.head.rows or row.previous != self.head.digest:
                raise self._not_ours(f"row {row.index + 1} does not follow row {self.head.rows}")
            self._end += len(line) + 1
            self._take(row)
        self._set_torn_aside()

    def _tail(self) -> bytes:
        """Return the bytes from our end to the file's."""
        return self._read(self._end, os.fstat(self._file).st_size - self._end)

    def _read(self, place: int, size: int) -> bytes:
        os.lseek(self._file, place, os.SEEK_SET)
        parts = []
        while size > 0 and (part := os.read(self._file, size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _set_torn_aside(self) -> None:
        torn = self._tail()
        if not torn:
            return
        digest = hashlib.sha256(torn).hexdigest()
        place = self.path.with_name(f"{self.path.name}.torn-{self.head.rows + 1}-{digest[:8]}")
        write_whole(place, torn)
        try:
            sync_folder(place.parent)
            os.ftruncate(self._file, self._end)
        except OSError as error:
            raise storage_error(error, self.path) from error
        report = TornLine(bytes=len(torn), sha256=digest, file=place.name)
        line, head = self._line(Event(kind=TORN_EVENT, body=report), self.head)
        self._write(line)
        self.head = head

    def _decoded(self, line: bytes) -> RawRow:
        try:
            return decode_row(line)
        except NotARow as wrong:
            raise self._not_ours(f"its last row {wrong}") from wrong

    def _take(self, row: RawRow) -> None:
        self.head = Head(rows=row.index + 1, digest=row.digest)

    def _not_ours(self, why: str) -> LedgerError:
        return LedgerError(
            f"Nothing can be appended to {self.path}: {why}.",
            "See `contextbenchmark ledger verify`, and take the ledger again from where it was published.",
        )
