"""Where things are kept between runs, and how two processes take turns there."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from contextbenchmark.core.record import CACHE, make_folder, storage_error
from contextbenchmark.errors import RunFolderError

CACHE_VARIABLE = "CONTEXTBENCHMARK_CACHE"
# Where this package lies, with the data that ships in it.
PACKAGE_FOLDER = Path(__file__).resolve().parent.parent


def cache_folder() -> Path:
    """Return the folder for what can be fetched or made again; it need not exist yet.

    ``$CONTEXTBENCHMARK_CACHE``; else ``contextbenchmark`` under ``$XDG_CACHE_HOME`` (XDG base directories),
    else under the platform's own place: ``~/.cache``, ``~/Library/Caches``, ``%LOCALAPPDATA%``.
    """
    if own := os.environ.get(CACHE_VARIABLE):
        return Path(own).absolute()
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():  # the standard has relative values ignored
        return Path(xdg) / "contextbenchmark"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "contextbenchmark"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "contextbenchmark"
    return Path.home() / ".cache" / "contextbenchmark"


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` against other processes and threads; waits for as long as it is held.

    The system frees it when its holder ends, however it ends. The file itself stays. Raises
    :class:`~contextbenchmark.errors.RunFolderError` when it cannot be made.
    """
    make_folder(path.parent, CACHE)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise storage_error(error, path, CACHE) from error
    try:
        if sys.platform == "win32":
            import msvcrt

            while True:
                # LK_LOCK gives up after ten tries, a second apart.
                with contextlib.suppress(OSError):
                    msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def lock_at_once(path: Path, held: str) -> Callable[[], None]:
    """Take the lock file ``path`` without waiting, and return what gives it back; the system does when we end.

    Raises :class:`~contextbenchmark.errors.RunFolderError` that says ``held`` where another process has it, or when
    the file cannot be made. A file system that knows no locks locks nothing.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            os.close(descriptor)
            raise RunFolderError(held, "Wait until it has ended, or start a run of your own.") from error
    return lambda: os.close(descriptor)


@contextlib.contextmanager
def scratch_beside(place: Path) -> Iterator[Path]:
    """Yield a new folder to build ``place`` in, on the same disk, so that renaming it there is one step.

    To be used while holding the lock of ``place``: what a killed process left of earlier tries is removed first.
    The folder is removed at the end, whatever happens, unless it was renamed. Raises
    :class:`~contextbenchmark.errors.RunFolderError` when it cannot be made.
    """
    make_folder(place.parent, CACHE)
    start = f".{place.name}.part-"
    for old in place.parent.iterdir():
        if old.name.startswith(start):
            shutil.rmtree(old, ignore_errors=True)
    folder = place.parent / f"{start}{secrets.token_hex(4)}"
    try:
        folder.mkdir()
    except OSError as error:
        raise storage_error(error, folder, CACHE) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
