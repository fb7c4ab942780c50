"""Put a ledger on the ``bench-results`` branch of a git repository, where a rewrite would show twice."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.errors import LedgerError, StudyError
from contextbenchmark.study.ledger_reading import Head, verify
from contextbenchmark.study.repository import git

BRANCH = "bench-results"
NO_COMMIT = "0" * 40
_BLOCK = 1 << 20
_OURS = {"NAME": "contextbenchmark", "EMAIL": "contextbenchmark@localhost"}


@dataclass(frozen=True, kw_only=True)
class Published:
    """What is on the branch now: the commit, the head to keep elsewhere, whether there was anything new."""

    commit: str
    head: Head
    new: bool


def publish(
    ledger: Path, repository: Path, path: str, *, branch: str = BRANCH, remote: str | None = None
) -> Published:
    """Commit ``ledger`` as ``path`` to ``branch`` of ``repository``; its working tree and index stay as they are.

    What is on the branch already must be the beginning of what comes: published rows are never rewritten. A torn
    last line is not published. ``remote``: fetch the branch from there first, and push it there, never by force.

    :raises LedgerError: the chain is broken, or the ledger is no continuation of the published one.
    :raises StudyError: git refuses, or the branch is checked out.
    """
    found = verify(ledger)
    if not found.holds:
        raise LedgerError(
            f"{ledger} is not published: {found.breaks[0].problem}",
            "Take it again from where it was published.",
        )
    folder = _git_folder(repository, branch)
    reference = f"refs/heads/{branch}"
    local = _commit_of(folder, reference)
    parent = _newest(folder, local, _fetched(folder, remote, reference), branch)
    with _beginning(ledger, found.size) as beginning:
        known = _blob(folder, parent, path)
        if known is not None:
            _require_continuation(folder, known, beginning, f"{path} of {branch}")
        blob = git(folder, "hash-object", "-w", "--no-filters", "--", str(beginning)).decode().strip()
    commit = parent
    if commit is None or known != blob:
        commit = _commit(folder, parent, path, blob, found.head)
    if commit != local:
        git(folder, "update-ref", reference, commit, local or NO_COMMIT)
    if remote is not None:
        git(folder, "push", "--quiet", remote, f"{reference}:{reference}")
    return Published(commit=commit, head=found.head, new=commit != parent)


def _git_folder(repository: Path, branch: str) -> Path:
    git(repository, "check-ref-format", "--branch", branch)
    folder = Path(os.fsdecode(git(repository, "rev-parse", "--path-format=absolute", "--git-dir").strip()))
    out = git(repository, "worktree", "list", "--porcelain").decode("utf-8", "replace").splitlines()
    if f"branch refs/heads/{branch}" in out:
        raise StudyError(
            f"{branch} is checked out in {repository}, and would be changed under it.",
            "Switch that working tree to another branch first.",
        )
    return folder


def _commit_of(folder: Path, name: str) -> str | None:
    try:
        return git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
    except StudyError:
        return None


def _fetched(folder: Path, remote: str | None, reference: str) -> str | None:
    """Return the commit that the remote's branch stands at, None where there is no remote or no branch."""
    if remote is None or not git(folder, "ls-remote", "--", remote, reference).strip():
        return None
    git(folder, "fetch", "--quiet", "--no-tags", "--", remote, reference)
    return _commit_of(folder, "FETCH_HEAD")


def _newest(folder: Path, local: str | None, remote: str | None, branch: str) -> str | None:
    if local is None or remote is None:
        return local or remote
    if _is_ancestor(folder, remote, local):
        return local
    if _is_ancestor(folder, local, remote):
        return remote
    raise StudyError(
        f"{branch} here and on the remote have grown apart.", "Bring the two together with git first."
    )


def _is_ancestor(folder: Path, older: str, newer: str) -> bool:
    try:
        git(folder, "merge-base", "--is-ancestor", older, newer)
    except StudyError:
        return False
    return True


def _blob(folder: Path, commit: str | None, path: str) -> str | None:
    """Return the object that stands at ``path`` in ``commit``."""
    if commit is None:
        return None
    listing = git(folder, "ls-tree", "-z", commit, "--", path).decode("utf-8", "replace")
    return listing.split()[2] if listing else None


@contextlib.contextmanager
def _beginning(ledger: Path, size: int) -> Iterator[Path]:
    """Copy the first ``size`` bytes, the ones that were checked: more may be appended meanwhile."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "ledger"
        with open(ledger, "rb") as source, open(copy, "wb") as target:
            while size > 0 and (part := source.read(min(_BLOCK, size))):
                target.write(part)
                size -= len(part)
        yield copy


def _require_continuation(folder: Path, known: str, beginning: Path, shown: str) -> None:
    """Refuse a ledger that does not begin with the published one, by git's own name for those bytes."""
    size = int(git(folder, "cat-file", "-s", known))
    algorithm = git(folder, "rev-parse", "--show-object-format").decode().strip()
    digest, left = hashlib.new(algorithm, b"blob %d\0" % size), size
    with open(beginning, "rb") as stream:
        while left > 0 and (part := stream.read(min(_BLOCK, left))):
            digest.update(part)
            left -= len(part)
    if left or digest.hexdigest() != known:
        raise LedgerError(
            f"The ledger does not begin with what was published as {shown}: rows were changed or removed since.",
            "Publish the ledger that was published before, continued.",
        )


def _commit(folder: Path, parent: str | None, path: str, blob: str, head: Head) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        if parent is not None:
            git(folder, "read-tree", parent, environment=index)
        git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}", environment=index)
        tree = git(folder, "write-tree", environment=index).decode().strip()
    message = f"{path}: {head.rows} rows\n\nHead: {head}\n".encode()
    above = [] if parent is None else ["-p", parent]
    return (
        git(folder, "commit-tree", tree, *above, stdin=message, environment=_identity(folder))
        .decode()
        .strip()
    )


def _identity(folder: Path) -> dict[str, str]:
    """Return nothing where git knows who commits, else a name of ours: a server often has none."""
    try:
        git(folder, "var", "GIT_COMMITTER_IDENT")
        return {}
    except StudyError:
        return {
            f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _OURS.items()
        }
