"""The git checkout that a staged tree stands in: the same content each time, another commit each time.

Engines read more than files: the commit time of the repository around a corpus is a known way for the
environment to get into an artifact. So each build finds its tree tracked in a repository of its own, whose one
commit has a time of its own; what embeds it differs between builds and shows. The tree itself holds no ``.git``,
and every build finds the same kind of surroundings, so an engine that asks git which files there are gets the
same answer in each. Without git on the machine the tree stands alone, and the report says that.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from contextbenchmark.core.record import storage_error
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
            raise storage_error(error, top) from error
        if extra:
            self._run(top, "add", "--force", "--", *(f"{tree.name}/{path}" for path in extra))
        self._commit(top, random.Random(seed).randint(EARLIEST, LATEST))

    def _first(self, tree: Path) -> Path:
        """Write the objects of ``tree`` and an index of it once; builds then share the one and copy the other."""
        shared = self._folder / "git-objects"
        self._run(self._folder, "init", "--quiet", "--bare", "--template=", str(shared))
        place = (f"--git-dir={shared}", f"--work-tree={tree.parent}")
        # Uncompressed: the objects live for one run, and are written faster than they could be packed.
        self._run(
            tree.parent,
            *place,
            "-c",
            "core.bare=false",
            "-c",
            "core.compression=0",
            "add",
            "--force",
            tree.name,
        )
        # Leaves the trees in the index too, so that no build works them out again.
        self._run(tree.parent, *place, "write-tree")
        return shared

    def _commit(self, top: Path, moment: int) -> None:
        made = self._run(top, "write-tree").strip()
        commit = self._run(top, "commit-tree", made, "-m", "corpus", moment=moment).strip()
        self._run(top, "update-ref", "refs/heads/main", commit, moment=moment)

    def _run(self, folder: Path, *arguments: str, moment: int = EARLIEST) -> str:
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
        done = subprocess.run(
            [self._git, "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", *arguments],
            cwd=folder,
            env={**kept, **quiet, **person},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ALLOWED_SECONDS,
            check=False,
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise RunFolderError(
                f"git {arguments[0]} failed in the temporary folder: {last}.",
                "Free some space there, or set TMPDIR.",
            )
        return done.stdout
