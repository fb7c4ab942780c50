"""Propose a task from what a repository's own people did: a merged change, its tests hidden, the source before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.errors import StudyError
from contextbenchmark.study.check import LEAST_MODULES, TOUCHED_FILES
from contextbenchmark.study.repository import files_at, git, is_test, modules, source_files

# How far back a change is looked for.
LOOKED_AT = 500


@dataclass(frozen=True, kw_only=True)
class Change:
    """A merged change that brought tests with it.

    ``before``: the commit that it was made on; ``subject``: its first line; ``message``: all of it; ``sources``:
    every path that it touched but tests; ``tests``: the tests among them that are there after it.
    """

    commit: str
    before: str
    subject: str
    message: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]


def propose(clone: Path) -> Change:
    """Return the change of the main line that comes nearest to the rule book's size, the newest among equals.

    The nearest: 6 to 10 source files over 3 modules or more. Merges count as one change, as they were merged.

    :raises StudyError: none of the last 500 changes touched both source and tests.
    """
    best: tuple[tuple[int, int], Change] | None = None
    for change in _changes(clone):
        rank = _distance(change)
        if best is None or rank < best[0]:
            best = (rank, change)
        if rank == (0, 0):
            break
    if best is None:
        raise StudyError(
            f"None of the last {LOOKED_AT} changes of {clone} touched both source files and tests.",
            "Write the task yourself: contextbenchmark study init --no-task.",
        )
    return best[1]


def hidden_tests(clone: Path, change: Change) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each test that ``change`` brought, as it left them."""
    for path in change.tests:
        yield path, git(clone, "show", f"{change.commit}:{path}")


def reference(clone: Path, change: Change) -> bytes:
    """Return the source half of ``change`` as a patch on the commit before it."""
    return git(clone, "diff", "--binary", "--no-renames", change.before, change.commit, "--", *change.sources)


def _distance(change: Change) -> tuple[int, int]:
    low, high = TOUCHED_FILES
    count = len(change.sources)
    return max(low - count, count - high, 0), max(LEAST_MODULES - len(modules(change.sources)), 0)


def _changes(clone: Path) -> Iterator[Change]:
    log = git(clone, "log", "--first-parent", f"--max-count={LOOKED_AT}", "--format=%H %P", "HEAD")
    for line in log.decode("ascii").splitlines():
        commit, *parents = line.split()
        if parents:
            change = _change(clone, commit, parents[0])
            if change is not None:
                yield change


def _change(clone: Path, commit: str, before: str) -> Change | None:
    listing = git(clone, "diff-tree", "-r", "-z", "--no-renames", "--name-status", before, commit)
    parts = listing.decode("utf-8", "surrogateescape").split("\0")
    pairs = list(zip(parts[0::2], parts[1::2], strict=False))
    touched = [path for _, path in pairs if path.isprintable()]
    sources = tuple(path for path in touched if not is_test(path))
    tests = tuple(path for status, path in pairs if status != "D" and path in touched and is_test(path))
    if not source_files(sources) or not source_files(tests):
        return None
    message = git(clone, "show", "--no-patch", "--format=%B", commit).decode("utf-8", "replace").strip()
    return Change(
        commit=commit,
        before=before,
        subject=message.split("\n", 1)[0],
        message=message,
        sources=sources,
        tests=tests,
    )


def head(clone: Path) -> str:
    """Return the commit that ``clone`` stands at."""
    return git(clone, "rev-parse", "HEAD").decode("ascii").strip()


def usual_test_command(clone: Path, commit: str) -> tuple[str, ...]:
    """Return how the tests of a commit are usually run, with ``{report}`` for the JUnit file; empty if unknown."""
    names = {path for path in files_at(clone, commit) if "/" not in path}
    if names & {"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini"}:
        return ("python", "-m", "pytest", "--junitxml={report}")
    if "go.mod" in names:
        return ("gotestsum", "--junitfile", "{report}", "./...")
    if "Cargo.toml" in names:
        return ("cargo", "nextest", "run", "--profile", "ci")
    if any(name.startswith("vitest.config") for name in names):
        return ("npx", "vitest", "run", "--reporter=junit", "--outputFile={report}")
    return ()


def package_url(clone: Path) -> str:
    """Return the package URL of the repository that ``clone`` is a clone of, or one made of its folder's name."""
    from packageurl import PackageURL
    from packageurl.contrib import url2purl

    find: Callable[[str], PackageURL | None] = url2purl.get_purl

    try:
        address = git(clone, "remote", "get-url", "origin").decode("utf-8", "replace").strip()
    except StudyError:
        address = ""
    if address.startswith("git@"):
        address = "https://" + address.removeprefix("git@").replace(":", "/", 1)
    found = find(address.removesuffix(".git")) if address.startswith("https://") else None
    plain = found or PackageURL(type="generic", name=clone.resolve().name)
    return PackageURL(type=plain.type, namespace=plain.namespace, name=plain.name).to_string()
