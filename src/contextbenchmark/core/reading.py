"""Reading a file that someone else has named: never one that blocks, never more of it than can be of use."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def read_regular(path: Path | str, most: int) -> bytes:
    """Return the bytes of the regular file ``path``, at most ``most`` of them.

    :raises OSError: it cannot be read; or it is a folder (``EISDIR``), a pipe, a socket or a device, which could keep
        its reader waiting for ever (``EINVAL``); or it holds more than ``most`` bytes (``EFBIG``). ``strerror`` is in
        words that stand behind ``cannot be read:``.
    """
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        # A file may grow while it is read, so its size alone bounds nothing.
        data = stream.read(most + 1) if size <= most else b""
        size = max(size, len(data))
    if size > most:
        raise OSError(errno.EFBIG, f"it has {size:,} bytes, and {most:,} are the most it may have", str(path))
    return data


def open_regular(path: Path | str) -> BinaryIO:
    """Open the regular file ``path`` for reading; raises OSError as :func:`read_regular` does, but for its size."""
    # Without O_NONBLOCK, opening a pipe that nobody writes to would wait before it can be told what it is.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is a pipe, a socket or a device, not a file", str(path))
