"""Stored records: frozen pydantic models, JSON lines that survive a kill, derived files replaced whole."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from contextbenchmark.core.reading import open_regular
from contextbenchmark.errors import RunFolderError


class Record(BaseModel):
    """Base of everything that is stored: immutable, camelCase on disk, unknown keys ignored on reading."""

    model_config = ConfigDict(
        frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore", ser_json_inf_nan="null"
    )

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the record as JSON text, keys in the order of declaration."""
        return self.model_dump_json(by_alias=True, indent=indent)


OUT = "choose another folder with --out"
# What can be fetched or made again.
CACHE = "name another folder in the environment variable CONTEXTBENCHMARK_CACHE"
# Where operations work: copies of the corpus, artifacts, what engines put in TMPDIR.
WORK = "name a folder on another disk in the environment variable TMPDIR"


def storage_error(error: OSError, path: Path | str, elsewhere: str = OUT) -> RunFolderError:
    """Turn an operating-system refusal to write into a sentence with a remedy.

    ``elsewhere`` tells how to choose another place for what could not be written.
    """
    reasons = {
        errno.ENOSPC: ("the disk is full", "Free some space or "),
        errno.EDQUOT: ("your disk quota is used up", "Free some space or "),
        errno.EROFS: ("it is on a read-only file system", ""),
        errno.EACCES: ("it may not be written", "Change its permissions or "),
        errno.EPERM: ("it may not be written", "Change its permissions or "),
        errno.ENOTDIR: ("a file stands where a folder is needed", ""),
        errno.EEXIST: ("a file stands where a folder is needed", ""),
        errno.EISDIR: ("a folder stands where a file is needed", ""),
        errno.ENAMETOOLONG: ("the name is too long", ""),
    }
    why, first = reasons.get(error.errno or 0, ((error.strerror or str(error)).rstrip("."), ""))
    remedy = first + elsewhere if first else elsewhere[:1].upper() + elsewhere[1:]
    return RunFolderError(f"Cannot write {path}: {why}.", f"{remedy}.")


def make_folder(path: Path, elsewhere: str = OUT) -> Path:
    """Create ``path`` and its parents; a :class:`RunFolderError` says why it cannot be done."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, path, elsewhere) from error
    return path


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace ``path`` by ``content`` in one step: a reader sees the old file or the new, never half."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name[:40]}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise storage_error(error, path) from error


class LineLog:
    """An append-only file of JSON lines, flushed line by line; safe to append to from several threads.

    A line that a kill tore off (no newline at the end of the file) is cut away when the log is opened to
    append, so that what follows it stays readable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _cut_torn_line(path)
            self._stream = open(path, "ab")  # noqa: SIM115 - closed by close()
        except OSError as error:
            raise storage_error(error, path) from error

    def append(self, *lines: str) -> None:
        """Append ``lines`` together; raises :class:`RunFolderError` when the disk refuses."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8")
        with self._lock:
            try:
                self._stream.write(data)
                self._stream.flush()
            except OSError as error:
                raise storage_error(error, self.path) from error

    def close(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            os.fsync(self._stream.fileno())
            self._stream.close()


def _cut_torn_line(path: Path) -> None:
    if not path.exists():
        return
    with open(path, "r+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            start = max(0, end - 65536)
            stream.seek(start)
            newline = stream.read(end - start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end != size:
            stream.truncate(end)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the whole lines of a :class:`LineLog`, without newline; a torn last line is left out."""
    try:
        with open_regular(path) as stream:
            for line in stream:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except OSError as error:
        raise RunFolderError(
            f"Cannot read {path}: {error.strerror}.", "Name a folder that a run has left its observations in."
        ) from error
