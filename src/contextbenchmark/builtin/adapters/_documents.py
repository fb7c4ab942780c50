"""What the adapters of real engines share: which files are documents, their order, and ranks as files.

**Order.** Documents come in ascending order of their path, compared part by part by code point, however the
file system lists them. None of these engines walks a directory: its user hands it one document after
another, so the order is the caller's choice and, here, ours. Listing order differs between file systems (ext4
hashes names, tmpfs lists by creation), and each staged checkout is created in another order. Passing that on
would mark an engine for our own walk, and differently on each disk. What is left is the engine's own doing.
An engine that does walk a directory gets the directory.

**Documents.** Every regular file that is UTF-8 without a NUL byte and at most 1 MB, as a code search tool
takes, outside folders named ``node_modules`` and ``.git``. Links are not followed.

Standard library only: an engine's environment does not hold our package.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

LARGEST_BYTES = 1_000_000
SKIPPED_FOLDERS = frozenset(("node_modules", ".git"))


def documents(corpus_dir: str) -> Iterator[tuple[str, str]]:
    """Yield ``(path, text)`` for each document: ``/`` between parts of the path, line endings as they are."""
    yield from _walk("", corpus_dir)


def _walk(prefix: str, folder: str) -> Iterator[tuple[str, str]]:
    with os.scandir(folder) as listed:
        entries = sorted(listed, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED_FOLDERS:
                yield from _walk(f"{prefix}{entry.name}/", entry.path)
        elif entry.is_file(follow_symlinks=False):
            text = _text(entry)
            if text is not None:
                yield prefix + entry.name, text


def _text(entry: os.DirEntry[str]) -> str | None:
    if entry.stat(follow_symlinks=False).st_size > LARGEST_BYTES:
        return None
    with open(entry.path, "rb", buffering=0) as stream:
        data = stream.read()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def chunks(text: str, lines: int, overlap: int) -> Iterator[str]:
    """Yield runs of ``lines`` lines of ``text``; each begins with the last ``overlap`` lines of the one before.

    The last run ends at the end of the text and may be shorter. Empty text gives no chunk. A line ends at a
    line feed and nowhere else, as editors and version control count them.
    """
    parts = text.removesuffix("\n").split("\n") if text else []
    for start in range(0, len(parts), lines - overlap):
        yield "\n".join(parts[start : start + lines])
        if start + lines >= len(parts):
            return


def best_files(ranked: Iterable[tuple[str, float]], k: int) -> list[dict[str, Any]]:
    """Return the first ``k`` distinct files of ``(file, score)`` pairs, best first, with their first score.

    No more pairs are taken than that needs, so that an engine that ranks chunks can be asked on demand.
    """
    found: dict[str, float] = {}
    if k > 0:
        for file, score in ranked:
            if file not in found:
                found[file] = float(score)
                if len(found) == k:
                    break
    return [{"file": file, "score": score} for file, score in found.items()]
