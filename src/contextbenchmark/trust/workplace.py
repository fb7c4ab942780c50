"""Where a run does its work: a temporary folder, the children at work in it, and a guardian over both."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from contextbenchmark.core import guardian as guardian_module
from contextbenchmark.core.process import Child, ChildStopped, end_family, new_token
from contextbenchmark.core.record import WORK, storage_error
from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.checkout import Checkouts

# A tree goes into memory only if this many times its size are free there: it takes more than its bytes, several
# cells are at work at once, and the engine needs memory itself.
ROOM_IN_MEMORY = 16

NEARLY_FULL = 1 << 20
"""Bytes."""


class Workplace:
    """A context manager. Leaving it ends every child, and removes the folder; so does being killed.

    A work folder is made beneath the system's temporary folder (``TMPDIR``). ``stop()`` may be called from any
    thread or signal handler: operations in progress then raise
    :class:`~contextbenchmark.core.process.ChildStopped`.
    """

    def __init__(self) -> None:
        self.token = new_token()
        self.folder = Path()
        self.trees = Path()
        self.checkouts = Checkouts(self.folder)
        self._children: set[Child] = set()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._guardian: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Workplace:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="contextbenchmark-")).resolve()
            self.trees = _memory_folder() or self.folder
        except OSError as error:
            raise storage_error(error, tempfile.gettempdir(), WORK) from error
        self.checkouts = Checkouts(self.folder)
        self._guardian = subprocess.Popen(
            [sys.executable, "-s", "-S", "-P", guardian_module.__file__, self.token]
            + [str(folder) for folder in dict.fromkeys((self.folder, self.trees))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/" if os.name == "posix" else None,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        end_family(self.token, everyone=True)
        for folder in dict.fromkeys((self.folder, self.trees)):
            remove_tree(folder)
        if self._guardian is not None and self._guardian.stdin is not None:
            self._guardian.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._guardian.wait(timeout=10)

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self) -> None:
        """End every child that is at work; no new one starts."""
        self._stopping.set()
        with self._lock:
            children = list(self._children)
        for child in children:
            child.stop()

    def start(self, argv: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> Child:
        """Start a child whose family is known by this run's token and one of its own."""
        with self._lock:
            if self.stopping:
                raise ChildStopped
            child = Child(argv, folder=folder, environment=environment, token=self.token + new_token())
            self._children.add(child)
        return child

    def end(self, child: Child, grace: float = 0.0) -> None:
        """End ``child`` and all that it started."""
        child.end(grace)
        with self._lock:
            self._children.discard(child)

    def new_tree_folder(self, size: int) -> Path:
        """Make a folder as :meth:`new_folder` does, for a staged tree of ``size`` bytes.

        It lies in memory where there is ample room (Linux: a tmpfs). That is faster by far, and there the order in
        which a folder lists its files follows the order in which they were made, which differs in each build: an
        engine that depends on it shows, as it would not on file systems that order names by a hash of their own.
        """
        roomy = self.trees != self.folder and size * ROOM_IN_MEMORY <= shutil.disk_usage(self.trees).free
        return self.new_folder("build", self.trees if roomy else self.folder)

    def new_folder(self, prefix: str, within: Path | None = None) -> Path:
        """Make an empty folder at a path that has not been used before and is not guessable.

        Its depth varies, so that paths differ in length too: what is embedded in an artifact must show.
        """
        place = (within or self.folder) / f"{prefix}-{secrets.token_hex(6)}"
        for _ in range(secrets.randbelow(3)):
            place /= secrets.token_hex(1 + secrets.randbelow(4))
        try:
            place.mkdir(parents=True)
        except OSError as error:
            raise storage_error(error, place, WORK) from error
        return place

    def is_nearly_full(self) -> bool:
        """Tell whether so little room is left that an operation's failure is put down to that."""
        return shutil.disk_usage(self.folder).free < NEARLY_FULL

    def full(self) -> RunFolderError:
        """Return the error that says so."""
        return storage_error(OSError(errno.ENOSPC, ""), self.folder, WORK)

    def discard(self, folder: Path) -> None:
        """Remove the top folder that :meth:`new_folder` made on the way to ``folder``."""
        top = self.folder if folder.is_relative_to(self.folder) else self.trees
        remove_tree(top / folder.relative_to(top).parts[0])


def _memory_folder() -> Path | None:
    """Make a folder in memory, or return None: only where the user leaves the choice (no TMPDIR) and Linux has it."""
    shared = Path("/dev/shm")
    if os.environ.get("TMPDIR") or not sys.platform.startswith("linux") or not os.access(shared, os.W_OK):
        return None
    try:
        return Path(tempfile.mkdtemp(prefix="contextbenchmark-", dir=shared))
    except OSError:
        return None


def remove_tree(folder: Path) -> None:
    """Remove a folder whatever permissions an adapter gave to what is inside."""

    def make_writable(function: Callable[..., Any], path: str, _: Any) -> None:
        with contextlib.suppress(OSError):
            parent = os.path.dirname(path)
            os.chmod(parent, stat.S_IRWXU)
            if not os.path.islink(path):
                os.chmod(path, stat.S_IRWXU)
            if function in (os.unlink, os.rmdir):
                function(path)
            else:
                shutil.rmtree(path, ignore_errors=True)

    shutil.rmtree(folder, onerror=make_writable)
