"""Ask git about the repository that a study works on; nothing here changes a working tree."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from contextbenchmark.core.command import run_command
from contextbenchmark.errors import StudyError

GIT_SECONDS = 300.0
# Files that count as source where a study does not say which do: what people write programs in.
_EXTENSIONS = (
    "c cc cpp cs ex exs go h hpp java js jsx kt m mjs php pl py rb rs scala sh swift ts tsx vue"  # one a word
)
SOURCE_EXTENSIONS = frozenset(f".{extension}" for extension in _EXTENSIONS.split())
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "specs", "testing"))
_TEST_NAME = re.compile(
    r"(^test_.*|^conftest\..*|.*[._-](test|spec)\.[a-z]+$|.*_test\.[a-z]+$|.*Tests?\.(java|kt|cs|scala)$)"
)


def git(
    folder: Path, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> bytes:
    """Run git in ``folder`` and return what it printed; it asks nobody anything and runs no hook.

    :raises StudyError: git is not installed, fails, or takes longer than five minutes.
    """
    # What points git at another repository (inside a hook, say) must not point ours.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept = {name: os.environ[name] for name in ("GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL") if name in os.environ}
    surroundings = {**clean, **kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **(environment or {})}
    command = ["git", "-c", f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false", *arguments]
    try:
        done = run_command(command, folder=folder, environment=surroundings, seconds=GIT_SECONDS, stdin=stdin)
    except TimeoutError as error:
        raise StudyError(f"git {arguments[0]} in {folder}: {error}.", "Try again.") from error
    except OSError as error:
        raise StudyError(
            f"git cannot be run in {folder}: {error.strerror}.", "Install git; name a folder."
        ) from error
    if done.status != 0:
        raise StudyError(
            f"git {arguments[0]} in {folder} failed: {done.said}.", "Name a git repository that has it."
        )
    return done.output


def has_commit(clone: Path, commit: str) -> bool:
    """Return whether ``clone`` holds ``commit``."""
    try:
        git(clone, "cat-file", "-e", f"{commit}^{{commit}}")
    except StudyError:
        return False
    return True


def files_at(clone: Path, commit: str) -> tuple[str, ...]:
    """Return the paths of all files of a commit."""
    listing = git(clone, "ls-tree", "-r", "-z", "--name-only", commit)
    return tuple(name for name in listing.decode("utf-8", "replace").split("\0") if name)


def source_files(paths: Sequence[str], extensions: Sequence[str] = ()) -> tuple[str, ...]:
    """Return those of ``paths`` that are source files: by ``extensions``, or by the usual ones."""
    wanted = {extension if extension.startswith(".") else f".{extension}" for extension in extensions}
    kinds = wanted or SOURCE_EXTENSIONS
    return tuple(path for path in paths if PurePosixPath(path).suffix in kinds)


def is_test(path: str) -> bool:
    """Return whether a path looks like a test: by its folder or by its name, as the usual runners find them."""
    *folders, name = path.split("/")
    return any(folder in _TEST_FOLDERS for folder in folders) or _TEST_NAME.match(name) is not None


def modules(paths: Sequence[str]) -> frozenset[str]:
    """Return the modules of ``paths``: the folders that hold them."""
    return frozenset(path.rpartition("/")[0] for path in paths)


def touched(patch: str) -> tuple[str, ...]:
    """Return the paths that a patch in git's or diff's unified form touches, in order."""
    found: dict[str, None] = {}
    for line in patch.splitlines():
        header = re.match(r'(?:---|\+\+\+) "?[ab]/(.+?)"?(?:\t.*)?$', line) or re.match(
            r"rename (?:from|to) (.+)$", line
        )
        if header:
            found[header[1]] = None
    return tuple(found)
