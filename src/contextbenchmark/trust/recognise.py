"""Recognise a pinned corpus by its content, as it is or with its line endings turned into CRLF."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from contextbenchmark.core.digest import TreeDigests, shown
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.sources import Pin, pins

# Git looks for a NUL in so much of a file to tell binary from text.
SNIFFED_BYTES = 8000


def recognise(root: Path, digests: TreeDigests) -> tuple[Pin | None, tuple[str, ...]]:
    """Return the pin that the tree at ``root`` is, or None, and what has to be said about that."""
    known = pins()
    for pin in known:
        if pin.tree == digests.tree:
            return pin, ()
    # Only a tree of as many files as a pin has is worth reading again (some pins do not count queries.json).
    candidates = [pin for pin in known if 0 <= len(digests.files) - pin.files <= 1]
    if not candidates:
        return None, ()
    normalised = tree_hash_with_lf(root, tuple(file.path for file in digests.files))
    for pin in candidates:
        if normalised == pin.tree:
            return pin, (
                f"{shown(root)} is the pinned corpus {pin.name} with CRLF line endings. Its hash is another, "
                "so its fingerprints cannot be compared with those of the pin; check it out with "
                "core.autocrlf=false to have the pinned bytes.",
            )
    return None, ()


def tree_hash_with_lf(root: Path, paths: tuple[str, ...]) -> str:
    """Return the tree hash (spec: Hashes) that ``paths`` would have if each CRLF in a text file were LF."""
    tree = hashlib.sha256()
    for path in paths:
        place = f"{os.fspath(root)}{os.sep}{path}"
        try:
            with open(place, "rb") as stream:
                data = stream.read()
        except OSError as error:
            raise CorpusError(
                f"Cannot read {shown(place)}: {error.strerror}.", "Make it readable."
            ) from error
        if b"\0" not in data[:SNIFFED_BYTES]:
            data = data.replace(b"\r\n", b"\n")
        tree.update(path.encode("utf-8") + b"\0" + data + b"\0")
    return tree.hexdigest()
