"""The git checkout that a staged tree stands in: the same content each time, another commit each time.

Engines read more than files: the commit time of the repository around a corpus is a known way for the
environment to get into an artifact. So each build finds its tree tracked in a repository of its own, whose one
commit has a time of its own; what embeds it differs between builds and shows. The tree itself holds no ``.git``,
and every build finds the same kind of surroundings, so an engine that asks git which files there are gets the
same answer in each. Without git on the machine the tree stands alone, and the report says that.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contextbenchmark.core.record import WORK, storage_error
from contextbenchmark.errors import RunFolderError

# Commit times: whole seconds from 2005, when git began, to the end of 2024, UTC.
EARLIEST, LATEST = 1_112_911_993, 1_735_603_200
ALLOWED_SECONDS = 600


class Checkouts:
    """Makes repositories that share the objects of one first, made once for a run. Safe to use from threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git = shutil.which("git")
        self._lock = threading.Lock()
        self._shared: Path | None = None

    @property
    def available(self) -> bool:
        return self._git is not None

    def surround(self, tree: Path, seed: int, extra: Sequence[str] = ()) -> None:
        """Make the folder above ``tree`` a repository whose one commit holds the whole tree.

        :param seed: draws the commit time.
        :param extra: paths in the tree that the corpus does not have (noise); they are committed too.
        :raises RunFolderError: git failed, which on a tree of plain files means that there is no room.
        """
        if self._git is None:
            return
        with self._lock:
            if self._shared is None:
                self._shared = self._first(tree)
        top = tree.parent
        self._run(top, "init", "--quiet", "--template=", "--initial-branch=main")
        try:
            (top / ".git/objects/info").mkdir(exist_ok=True)
            (top / ".git/objects/info/alternates").write_text(f"{self._shared / 'objects'}\n", "utf-8")
            shutil.copyfile(self._shared / "index", top / ".git/index")
        except OSError as error:
            raise storage_error(error, top, WORK) from error
        if extra:
            self._run(top, "add", "--force", "--", *(f"{tree.name}/{path}" for path in extra))
        self._commit(top, random.Random(seed).randint(EARLIEST, LATEST))

    def _first(self, tree: Path) -> Path:
        """Write the objects of ``tree`` and an index of it once; builds then share the one and copy the other.

        Through git's import stream into one pack, uncompressed: the objects live for one run, and a file for each
        would take longer to write than the whole tree.
        """
        shared = self._folder / "git-objects"
        self._run(self._folder, "init", "--quiet", "--bare", "--template=", str(shared))
        self._run(
            shared,
            "-c",
            "core.compression=0",
            "fast-import",
            "--quiet",
            "--done",
            "--depth=0",  # no looking for likeness between files
            feed=_import_stream(tree),
        )
        # Leaves the trees in the index too, so that no build works them out again.
        self._run(shared, "read-tree", "refs/heads/main")
        return shared

    def _commit(self, top: Path, moment: int) -> None:
        made = self._run(top, "write-tree").strip()
        commit = self._run(top, "commit-tree", made, "-m", "corpus", moment=moment).strip()
        self._run(top, "update-ref", "refs/heads/main", commit, moment=moment)

    def _run(
        self, folder: Path, *arguments: str, moment: int = EARLIEST, feed: Iterable[bytes] | None = None
    ) -> str:
        assert self._git is not None
        person = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (
                ("NAME", "corpus"),
                ("EMAIL", "corpus@localhost"),
                ("DATE", f"@{moment} +0000"),
            )
        }
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(self._folder)}
        with subprocess.Popen(
            [self._git, "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", *arguments],
            cwd=folder,
            env={**kept, **quiet, **person},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as git:
            assert git.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # it has failed, and says why
                for part in feed or ():
                    git.stdin.write(part)
            output, errors = git.communicate(timeout=ALLOWED_SECONDS)
        if git.returncode:
            last = (errors.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"])[-1]
            raise RunFolderError(
                f"git failed in the temporary folder: {last}.", "Free some space there, or set TMPDIR."
            )
        return output.decode("utf-8", "replace")


def _import_stream(tree: Path) -> Iterator[bytes]:
    """Yield a git fast-import stream of one commit that holds every file of ``tree``, below the tree's own name."""
    yield b"commit refs/heads/main\ncommitter corpus <corpus@localhost> %d +0000\ndata 6\ncorpus\n" % EARLIEST
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as stream:
                content = stream.read()
            relative = os.path.relpath(path, tree.parent).replace(os.sep, "/")
            yield b"M 100644 inline %s\ndata %d\n" % (_quoted(relative), len(content))
            yield content
            yield b"\n"
    yield b"done\n"


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode()
