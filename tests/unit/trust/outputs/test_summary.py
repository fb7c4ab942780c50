"""The summary of a build step is appended where the runner asks for it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.outputs.summary import MAX_BYTES, append_summary
from tests.golden.sample import sample


def test_it_is_appended_to_what_stands_there(tmp_path: Path) -> None:
    report, times, _ = sample()
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    assert append_summary(report, times, {"GITHUB_STEP_SUMMARY": str(path)}) == path
    assert path.read_text("utf-8").startswith("before\n## Context trust: sample-shop\n\n| System |")


def test_nothing_is_written_where_nobody_asks() -> None:
    report, times, _ = sample()
    assert append_summary(report, times, {}) is None
    assert append_summary(report, times, {"GITHUB_STEP_SUMMARY": ""}) is None


def test_it_stays_below_what_the_runner_takes(tmp_path: Path) -> None:
    report, times, _ = sample()
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * (MAX_BYTES - 1000))
    append_summary(report, times, {"GITHUB_STEP_SUMMARY": str(path)})
    assert path.stat().st_size <= MAX_BYTES and path.read_bytes().endswith(b"see report.md.\n")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    report, times, _ = sample()
    with pytest.raises(RunFolderError, match="GITHUB_STEP_SUMMARY"):
        append_summary(report, times, {"GITHUB_STEP_SUMMARY": str(tmp_path)})
