"""One byte of a registered file stops the analysis of its study, by the file's name and both digests."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run
from contextbenchmark.study.ledger_reading import read_rows, verify

Captured = pytest.CaptureFixture[str]
COLUMNS = (
    *(
        "study",
        "task",
        "repeat",
        "arm",
        "class",
        "hidden_pass_rate",
        "static_score",
        "t2_score",
        "change_pass_rate",
    ),
    *("wall_s", "input", "output", "cache_write", "cache_read", "adapt_tokens", "adapt_wall_s"),
    *("server_calls_called", "server_calls_successful"),
)


@pytest.fixture
def measured(study_file: Path, tmp_path: Path, capsys: Captured) -> Path:
    """A registered study with all of its sessions in the ledger."""
    sessions = tmp_path / "sessions.csv"
    with open(sessions, "w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for task in ("T1", "T2", "T3", "T4"):
            for repeat in range(3):
                for arm in ("vanilla", "cc"):
                    score = 0.5 + 0.1 * repeat + 0.05 * (arm == "cc")
                    calls = 3 if arm == "cc" else 0
                    cost = (100 + repeat, 1000, 200, 10, 5000, 300, 20)
                    writer.writerow(
                        (
                            "small",
                            task,
                            repeat,
                            arm,
                            "completed",
                            score,
                            score,
                            score,
                            score,
                            *cost,
                            calls,
                            calls,
                        )
                    )
    assert run(["study", "register", str(study_file)]) == 0
    command = ["study", "import", "--study", str(study_file), "--sessions", str(sessions)]
    assert run(command) == 0
    capsys.readouterr()
    return study_file


def analyse(study_file: Path, tmp_path: Path) -> int:
    return run(["study", "analyse", str(study_file), "--out", str(tmp_path / "out"), "--json"])


def test_one_byte_stops_the_analysis(measured: Path, tmp_path: Path, capsys: Captured) -> None:
    ledger = measured.parent / "ledger.jsonl"
    rows = verify(ledger).head.rows
    prompt = measured.parent / "t1" / "prompt.md"
    before = hashlib.sha256(prompt.read_bytes()).hexdigest()
    prompt.write_bytes(prompt.read_bytes().replace(b"Build", b"build"))
    after = hashlib.sha256(prompt.read_bytes()).hexdigest()
    assert analyse(measured, tmp_path) == 4
    told = capsys.readouterr()
    assert told.out == "" and "t1/prompt.md" in told.err and before in told.err and after in told.err
    assert not (tmp_path / "out").exists() and verify(ledger).head.rows == rows


def test_untouched_it_is_analysed_and_the_look_is_written_down(
    measured: Path, tmp_path: Path, capsys: Captured
) -> None:
    (measured.parent / "t2" / "key.toml").unlink()
    assert analyse(measured, tmp_path) in (0, 10, 11, 12)
    capsys.readouterr()
    rows = list(read_rows(measured.parent / "ledger.jsonl"))
    assert [row.event for row in rows] == ["registered", *["session"] * 24, "analysed"]
    assert rows[-1].sha256 == rows[0].sha256


def test_an_edited_ledger_stops_the_analysis(measured: Path, tmp_path: Path, capsys: Captured) -> None:
    ledger = measured.parent / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"hidden_pass_rate":0.55', b'"hidden_pass_rate":0.95', 1))
    assert analyse(measured, tmp_path) == 4
    assert "was changed" in capsys.readouterr().err
