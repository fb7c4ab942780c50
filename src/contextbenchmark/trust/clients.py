"""Fetch packages and repositories, each by its ordinary client, running none of their code."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from packageurl.contrib import purl2url

from contextbenchmark.core.process import Child, ChildExited, ChildTimedOut, new_token
from contextbenchmark.core.record import make_folder
from contextbenchmark.errors import FetchError

FETCH_SECONDS = 900.0


def repository_url(purl: str) -> str:
    """Return the address of the repository that a package URL of a git host names."""
    find: Callable[[str], str | None] = purl2url.get_repo_url
    url = find(purl.partition("#")[0].partition("?")[0].partition("@")[0])
    if not url:
        raise FetchError(f"{purl} names no repository.", "Write it as pkg:github/OWNER/NAME@COMMIT.")
    return url


def git_commit(url: str, commit: str, scratch: Path) -> Path:
    """Fetch one commit and nothing of its history; git itself checks that the content has that name."""
    tree = make_folder(scratch / "tree")
    plain = ["-c", "core.autocrlf=false", "-c", "core.hooksPath=", "-c", "core.symlinks=true"]
    _run(["git", "init", "--quiet", "--template="], tree)
    _run(["git", *plain, "fetch", "--quiet", "--depth", "1", "--no-tags", "--", url, commit], tree)
    _run(["git", *plain, "checkout", "--quiet", "--detach", "FETCH_HEAD"], tree)
    return tree


def pypi_archive(name: str, version: str, sha256: str | None, scratch: Path) -> Path:
    """Save a source archive without running what is in it; only if pip's parts have changed, by its verb."""
    folder = make_folder(scratch / "archive")
    script = Path(__file__).with_name("sdist_fetcher.py")
    status, lines, said = _outcome([sys.executable, str(script), name, version, str(folder)], scratch)
    if status == 0 and lines:
        return Path(lines[-1])
    if "No module named 'pip" in said:
        raise FetchError("This Python has no pip to fetch it with.", "Install it: python -m ensurepip.")
    if sha256 is None or "no source archive" in said:
        raise FetchError(
            f"The source archive of {name} {version} could not be had: {said}", "Try again later."
        )
    # This runs code of the archive (its metadata are built), but only after its hash was found to be the pin's.
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
    options = ["--no-deps", "--no-binary", ":all:", "--require-hashes", "--quiet", "--dest", str(folder)]
    _run([sys.executable, "-m", "pip", "download", *options, "--requirement", str(wanted)], scratch)
    return _only_file(folder, name)


def npm_archive(name: str, version: str, scratch: Path) -> Path:
    folder = make_folder(scratch / "archive")
    options = ["--silent", "--ignore-scripts", "--pack-destination", str(folder)]
    _run([shutil.which("npm") or "npm", "pack", *options, f"{name}@{version}"], scratch)
    return _only_file(folder, name)


def _only_file(folder: Path, name: str) -> Path:
    found = list(folder.iterdir())
    if len(found) != 1:
        raise FetchError(f"Fetching {name} left {len(found)} files where one was due.", "Try again.")
    return found[0]


def _run(command: Sequence[str], folder: Path) -> None:
    status, _, said = _outcome(command, folder)
    if status != 0:
        raise FetchError(
            f"{Path(command[0]).name} could not fetch it (exit status {status}): {said or 'no reason given'}",
            "Check the network and the name, or fetch it yourself and name its folder as the corpus.",
        )


def _outcome(command: Sequence[str], folder: Path) -> tuple[int | None, list[str], str]:
    """Run a client; return its exit status, its lines of output, and the end of what it complained of."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1", "PIP_NO_INPUT": "1"}
    try:
        child = Child(command, folder=folder, environment=environment, token=new_token())
    except OSError as error:
        raise FetchError(
            f"{Path(command[0]).name} cannot be started: {error.strerror}.",
            f"Install {Path(command[0]).name}.",
        ) from error
    lines: list[str] = []
    deadline = time.monotonic() + FETCH_SECONDS
    try:
        while True:
            lines.append(child.next_line(deadline).decode("utf-8", "replace"))
    except ChildExited as ended:
        status = ended.returncode
    except ChildTimedOut as error:
        raise FetchError(
            f"{Path(command[0]).name} had not ended after {FETCH_SECONDS:.0f} s.",
            "Try again on a faster line.",
        ) from error
    finally:
        child.end()
    said = " ".join(child.output().split())[-400:]
    return status, lines, said
