"""A run that is killed leaves no process and no half truth; resumed, it ends with the same report bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run as command_line
from tests.integration.test_bad_adapters import left_running

# Slow enough that a kill lands inside, and deterministic.
SLOW = """
import time
honest_build, honest_query = build, query
def build(c, o):
    time.sleep(0.2)
    honest_build(c, o)
def query(o, t, k):
    time.sleep(0.01)
    return honest_query(o, t, k)
"""


def arguments(adapters: str, corpus: Path, out: Path, *more: str) -> list[str]:
    options = [
        "--adapters",
        adapters,
        "--corpus",
        str(corpus),
        "--rebuilds",
        "2",
        "--trials",
        "3",
        "--out",
        str(out),
    ]
    return ["run", *options, *more]


def start(command: list[str], work: Path) -> subprocess.Popen[bytes]:
    work.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "contextbenchmark", *command],
        env={**os.environ, "TMPDIR": str(work)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for_rows(out: Path, rows: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = list(out.glob("runs/*/observations.jsonl"))
        if found and found[0].read_bytes().count(b'"kind":"pass"') >= rows:
            return
        time.sleep(0.02)
    raise AssertionError("the run did not get that far")


def wait_until_gone(work: Path) -> None:
    deadline = time.monotonic() + 20
    while left_running(str(work)) or list(work.iterdir()):
        assert time.monotonic() < deadline, (left_running(str(work)), list(work.iterdir()))
        time.sleep(0.05)


@pytest.fixture
def slow_adapter(write_adapter: object) -> str:
    return str(write_adapter(SLOW).path)  # type: ignore[operator]


@pytest.mark.parametrize("rows", [1, 4, 7])
def test_killed_then_resumed_ends_with_the_same_report(
    rows: int, slow_adapter: str, corpus_folder: Path, tmp_path: Path
) -> None:
    whole, cut, work = tmp_path / "whole", tmp_path / "cut", tmp_path / "work"
    assert command_line(arguments(slow_adapter, corpus_folder, whole)) == 0
    killed = start(arguments(slow_adapter, corpus_folder, cut), work)
    wait_for_rows(cut, rows)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    wait_until_gone(work)
    before = next(cut.glob("runs/*/observations.jsonl")).read_bytes()
    assert command_line(arguments(slow_adapter, corpus_folder, cut, "--resume")) == 0
    assert len(list(cut.glob("runs/*"))) == 1
    after = next(cut.glob("runs/*/observations.jsonl")).read_bytes()
    assert after.startswith(before[: before.rfind(b"\n") + 1]), "evidence is appended to, never rewritten"
    assert (cut / "report.json").read_bytes() == (whole / "report.json").read_bytes()


def test_interrupted_keeps_its_state_and_exits_130(
    slow_adapter: str, corpus_folder: Path, tmp_path: Path
) -> None:
    out, work = tmp_path / "results", tmp_path / "work"
    child = start(arguments(slow_adapter, corpus_folder, out), work)
    wait_for_rows(out, 2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert b"--resume" in errors and b"Traceback" not in errors
    wait_until_gone(work)
    assert command_line(arguments(slow_adapter, corpus_folder, out, "--resume")) == 0


def test_jobs_do_not_change_the_report(corpus_folder: Path, tmp_path: Path) -> None:
    reports = []
    for jobs in ("1", "4"):
        out = tmp_path / f"jobs{jobs}"
        assert command_line(arguments("bm25,fts5", corpus_folder, out, "--jobs", jobs)) == 0
        reports.append((out / "report.json").read_bytes())
    assert reports[0] == reports[1]


def test_resume_refuses_another_run(
    slow_adapter: str, corpus_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    assert command_line(arguments("bm25", corpus_folder, out)) == 0
    assert command_line(arguments("bm25", corpus_folder, out, "--resume", "-k", "5")) == 4
    assert "k was 10 and is 5" in capsys.readouterr().err
    assert command_line(arguments("bm25,fts5", corpus_folder, out, "--resume")) == 4
    assert "the adapters were bm25 and are bm25, fts5" in capsys.readouterr().err


def test_resume_refuses_a_changed_adapter_and_a_changed_corpus(
    slow_adapter: str, tmp_path: Path, corpus_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "results"
    corpus.mkdir()
    for file in corpus_folder.iterdir():
        (corpus / file.name).write_bytes(file.read_bytes())
    assert command_line(arguments(slow_adapter, corpus, out)) == 0
    source = Path(slow_adapter).read_text()
    Path(slow_adapter).write_text(source + "\n# changed\n")
    assert command_line(arguments(slow_adapter, corpus, out, "--resume")) == 4
    assert "source" in capsys.readouterr().err
    Path(slow_adapter).write_text(source)
    (corpus / "doc00.txt").write_text("changed")
    assert command_line(arguments(slow_adapter, corpus, out, "--resume")) == 4
    assert "corpus" in capsys.readouterr().err


def test_resuming_a_finished_run_derives_the_report_again(corpus_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    assert command_line(arguments("bm25", corpus_folder, out)) == 0
    before = (out / "report.json").read_bytes()
    (out / "report.json").unlink()
    assert command_line(arguments("bm25", corpus_folder, out, "--resume")) == 0
    assert (out / "report.json").read_bytes() == before
    (out / "report.json").unlink()
    assert command_line(["report", str(out)]) == 0
    assert (out / "report.json").read_bytes() == before


def test_a_damaged_row_is_refused_by_line(
    corpus_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    assert command_line(arguments("bm25", corpus_folder, out)) == 0
    rows = next(out.glob("runs/*/observations.jsonl"))
    lines = rows.read_text().splitlines()
    lines[2] = json.dumps({"kind": "nothing we know"})
    rows.write_text("\n".join(lines) + "\n")
    assert command_line(["report", str(out)]) == 4
    assert "line 3 is not an observation" in capsys.readouterr().err
