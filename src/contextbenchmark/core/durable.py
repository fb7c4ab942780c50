"""Have the disk keep what was written, as far as the system can promise it."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


def sync(descriptor: int) -> None:
    """Have the disk keep what was written to a file (on macOS fsync alone leaves it in the drive's cache)."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the disk keep a new name in ``folder``; Windows cannot and need not."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
