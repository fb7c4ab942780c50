"""A small repository with a history, and git as a machine without settings has it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.study.conftest import study_file

__all__ = ["study_file"]

Git = Callable[..., str]


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("EMAIL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def git() -> Git:
    """Run git in a folder and return what it printed."""

    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-c", "user.name=tester", "-c", "user.email=tester@localhost", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Path:
    """One commit of a Python project on ``main``, with a file in the working tree that is not committed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "app.py").write_text("x = 1\n")
    (folder / "pyproject.toml").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    (folder / "draft.txt").write_text("not committed\n")
    return folder
