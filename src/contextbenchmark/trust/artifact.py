"""What a build left on disk: its hashes, and whether reading changed it."""

from __future__ import annotations

import os
from pathlib import Path

from contextbenchmark.core.digest import digest_tree
from contextbenchmark.trust.observation import Artifact, ArtifactFile


def read_artifact(folder: Path, declared_file: str | None) -> Artifact:
    """Hash what a build left. A folder of no files, or of only empty ones, is an absent artifact (bytes 0)."""
    digests = digest_tree(folder)
    files = tuple(ArtifactFile(path=file.path, size=file.size, sha256=file.sha256) for file in digests.files)
    return Artifact(
        hash=digests.tree,
        tree_digest=digests.tree_digest,
        bytes=digests.bytes,
        files=files,
        declared_file=declared_file,
    )


def stamps(folder: Path) -> frozenset[tuple[str, int, int, int]]:
    """Return what changes when a file does: the inode's change time cannot be set back by a program."""
    found = set()
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            state = os.lstat(path)
            found.add((os.path.relpath(path, folder), state.st_size, state.st_ino, state.st_ctime_ns))
    return frozenset(found)
