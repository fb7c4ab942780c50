"""Walk a tree of files and hash it: the tree hash of the standard, and the injective digest beside it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.chain import BATCH_BYTES, Chain
from contextbenchmark.errors import CorpusError

# Files up to this size are read whole.
WHOLE_BYTES = BATCH_BYTES
# A larger file goes through a ring of buffers small enough to stay in a core's own cache.
BUFFER_BYTES = 1 << 19
RING = 4


@dataclass(frozen=True, kw_only=True)
class FileDigest:
    """One file of a tree: its ``/``-separated path relative to the root, size in bytes, SHA-256 in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class TreeDigests:
    """Both hashes of a tree (hex) and the digests of its files, in hashing order.

    ``tree`` is the tree hash (spec: Hashes): one SHA-256 over, for each file in order, the path's UTF-8
    bytes, one NUL, the file's bytes, one NUL. It is not injective: a file's bytes may themselves hold NULs
    and paths.

    ``tree_digest`` is: one SHA-256 over, for each file in the same order, the length in bytes of the path's
    UTF-8 as an unsigned 64-bit big-endian integer, the path's UTF-8 bytes, and the 32 raw bytes of the
    SHA-256 of the file's bytes. Nothing else goes in; the digest of no files is SHA-256 of no bytes.
    """

    tree: str
    tree_digest: str
    files: tuple[FileDigest, ...]

    @property
    def bytes(self) -> int:
        """Return the size of all files together, in bytes."""
        return sum(file.size for file in self.files)


def sort_paths(paths: Iterable[str]) -> list[str]:
    """Return ``paths`` in the order of the standard: part by part, each part by code point."""
    # No name holds a NUL, so with NUL for "/" comparing whole strings compares part by part.
    return sorted(paths, key=lambda path: path.replace("/", "\0"))


def shown(path: str | Path) -> str:
    """Return ``path`` as text that can be printed anywhere, bytes that are no UTF-8 as ``\\xNN``."""
    return os.fsencode(os.fspath(path)).decode("utf-8", "backslashreplace")


def list_files(root: Path, *, skip_git: bool = True) -> tuple[str, ...]:
    """Return the paths of all files under ``root``, relative, ``/`` between parts, in hashing order.

    ``skip_git`` leaves out what is named ``.git``, file or folder, at any depth. A link to a file inside the
    root counts as that file, one to a folder inside it as that folder. Raises :class:`CorpusError`, naming
    the path, for a name that is not UTF-8, a folder that cannot be read, a link that loops, leads out of the
    root or nowhere, and for anything that is neither file, folder nor link.
    """
    base = os.path.realpath(root)
    if not Path(base).is_dir():
        what = "is not a folder" if Path(base).exists() else "does not exist"
        raise CorpusError(f"{shown(root)} {what}.", "Name a folder of documents.")
    found: list[str] = []
    # Folders still to be read: path on disk, prefix of the relative path, real paths of the folders above.
    pending: list[tuple[str, str, tuple[str, ...]]] = [(base, "", (base,))]
    while pending:
        folder, prefix, above = pending.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            raise _unreadable(folder, error) from error
        for entry in entries:
            if skip_git and entry.name == ".git":
                continue
            _require_utf8(entry)
            relative = prefix + entry.name
            if entry.is_symlink():
                target, is_folder = _follow(entry, base, above)
                if is_folder:
                    pending.append((entry.path, relative + "/", (*above, target)))
                else:
                    found.append(relative)
            elif entry.is_dir(follow_symlinks=False):
                real = above[-1] + os.sep + entry.name
                pending.append((entry.path, relative + "/", (*above, real)))
            elif entry.is_file(follow_symlinks=False):
                found.append(relative)
            else:
                raise _special(entry.path)
    return tuple(sort_paths(found))


def _require_utf8(entry: os.DirEntry[str]) -> None:
    try:
        entry.name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(
            f"The name of {shown(entry.path)} is not UTF-8.", "Rename it: paths are compared as UTF-8 text."
        ) from error


def _follow(entry: os.DirEntry[str], base: str, above: tuple[str, ...]) -> tuple[str, bool]:
    """Return where a link leads and whether that is a folder; refuse one that loops, dangles or leaves."""
    try:
        target = os.path.realpath(entry.path, strict=True)
        mode = Path(target).stat().st_mode
    except FileNotFoundError as error:
        raise CorpusError(f"The link {shown(entry.path)} leads nowhere.", "Remove it or mend it.") from error
    except OSError as error:
        # ELOOP; realpath(strict=True) finds a link that leads to itself over others too.
        raise CorpusError(
            f"The link {shown(entry.path)} cannot be followed: {error.strerror}.", "Remove it."
        ) from error
    if target != base and not target.startswith(base + os.sep):
        raise CorpusError(
            f"The link {shown(entry.path)} leads out of the corpus, to {shown(target)}.",
            "Put a copy of what it leads to in its place, or remove it.",
        )
    if stat.S_ISDIR(mode):
        if target in above:
            raise CorpusError(
                f"The link {shown(entry.path)} leads to a folder that holds it, so the tree has no end.",
                "Remove it.",
            )
        return target, True
    if not stat.S_ISREG(mode):
        raise _special(entry.path)
    return target, False


def _unreadable(path: str, error: OSError) -> CorpusError:
    return CorpusError(
        f"Cannot read {shown(path)}: {error.strerror or error}.",
        "Make it readable, or leave it out of the tree.",
    )


def _special(path: str) -> CorpusError:
    return CorpusError(
        f"{shown(path)} is neither a file nor a folder (a socket, a pipe or a device).",
        "Remove it: only files can be documents.",
    )


def digest_tree(root: Path, files: Sequence[str] | None = None) -> TreeDigests:
    """Hash the files of ``root``: ``files`` in the order of :func:`list_files`, or all that it lists.

    The chained hash runs beside the files' own, in a second thread, over the same bytes: each byte is read
    once. Raises :class:`CorpusError` naming a file that cannot be read.
    """
    paths = list_files(root) if files is None else files
    base = os.fspath(root)
    digests: list[FileDigest] = []
    injective = hashlib.sha256()
    with Chain() as chain:
        for path in paths:
            name = path.encode("utf-8")
            chain.add(name)
            chain.add(b"\0")
            size, digest = _digest_file(f"{base}{os.sep}{path}", chain)
            chain.add(b"\0")
            injective.update(len(name).to_bytes(8, "big") + name + digest)
            digests.append(FileDigest(path=path, size=size, sha256=digest.hex()))
        tree = chain.finish()
    return TreeDigests(tree=tree, tree_digest=injective.hexdigest(), files=tuple(digests))


def digest_trees(roots: Sequence[Path]) -> list[TreeDigests]:
    """Hash separate trees side by side; the answers stand in the order of ``roots``."""
    if len(roots) < 2:
        return [digest_tree(root) for root in roots]
    with ThreadPoolExecutor(max_workers=min(len(roots), os.cpu_count() or 1)) as pool:
        return list(pool.map(digest_tree, roots))


def _digest_file(path: str, chain: Chain) -> tuple[int, bytes]:
    try:
        with open(path, "rb", buffering=0) as stream:
            head = stream.read(WHOLE_BYTES)
            if len(head) < WHOLE_BYTES:
                # One read may give less than there is, so read on to the end, which is an empty read.
                while more := stream.read(WHOLE_BYTES):
                    head += more
                chain.add(head)
                return len(head), hashlib.sha256(head).digest()
            own = hashlib.sha256()
            chain.add_now(head)
            own.update(head)
            size = len(head)
            ring = [bytearray(BUFFER_BYTES) for _ in range(RING)]
            used: list[Future[None] | None] = [None] * RING
            turn = 0
            while True:
                waiting = used[turn]
                if waiting is not None:
                    waiting.result()
                count = stream.readinto(ring[turn])
                if not count:
                    break
                view = memoryview(ring[turn])[:count]
                used[turn] = chain.add_now(view)
                own.update(view)
                size += count
                turn = (turn + 1) % RING
            return size, own.digest()
    except OSError as error:
        raise _unreadable(path, error) from error
