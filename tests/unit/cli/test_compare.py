"""``contextbenchmark compare`` as a user meets it: what is printed, and what it exits with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contextbenchmark.__main__ import run

REFERENCE = Path(__file__).parents[2] / "reference"
BM25 = REFERENCE / "bm25.micro-app.win32-x64.fingerprint.json"
SPIDERBRAIN = REFERENCE / "spiderbrain.micro-app.win32-x64.fingerprint.json"
MINILM = REFERENCE / "emb-minilm.micro-app.win32-x64.fingerprint.json"
QUERY = "payment retry logic"
HOSTILE = "\x1b]0;owned\x07\x1b[2J[red]x[/red]\n<b>"


def bm25(folder: Path, name: str = "other.json", **changes: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps({**json.loads(BM25.read_text("utf-8")), **changes}), encoding="utf-8")
    return path


def results(**changes: str) -> dict[str, str]:
    return {**json.loads(BM25.read_text("utf-8"))["queryHashes"], **changes}


def compare(*arguments: Path | str) -> int:
    return run(["compare", *map(str, arguments)])


def test_a_file_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, BM25) == 0
    said = capsys.readouterr().out
    assert "Verdict: PASS\n" in said and "No evidence for CTL-4" in said
    assert "10 of 10 queries identical" in said and "(win32 10.0.19045 x64)" in said


def test_a_vacuous_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(SPIDERBRAIN, SPIDERBRAIN) == 2
    assert "is vacuous: every query returned nothing" in capsys.readouterr().out


def test_another_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, bm25(tmp_path, env={"os": "linux 6.1.0", "arch": "x64"})) == 0
    assert "Verdict: PASS, CTL-4-eligible (unattested)" in capsys.readouterr().out


def test_results_that_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, bm25(tmp_path, queryHashes=results(**{QUERY: "f" * 64}))) == 1
    said = capsys.readouterr().out
    assert "Verdict: FAIL\n" in said and "9 of 10" in said and f"differs: {QUERY}" in said


def test_an_artifact_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, bm25(tmp_path, artifactHash="f" * 64)) == 1
    assert "Verdict: FAIL (artifact only)" in capsys.readouterr().out


def test_an_unknown_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, bm25(tmp_path, system=None, artifactHash="f" * 64)) == 3
    said = capsys.readouterr().out
    assert "INCONCLUSIVE" in said and "cannot be attributed: system identity" in said


def test_of_several_files_the_worst_pair_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(BM25, BM25, MINILM) == 2
    assert compare(BM25, MINILM, bm25(tmp_path, artifactHash="f" * 64)) == 1
    assert "All 3 pairs: FAIL" in capsys.readouterr().out


def test_json_is_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = bm25(tmp_path, queryHashes=results(**{HOSTILE: "f" * 64}))
    assert compare(BM25, other, "--json") == 2
    raw = capsys.readouterr().out
    said = json.loads(raw)
    assert said["schema"] == "contextbenchmark.comparison/1" and said["exit_code"] == 2
    (pair,) = said["pairs"]
    assert (pair["first"], pair["second"]) == (str(BM25), str(other))
    assert pair["query_total"] == 11 and pair["query_matches"] == 10
    assert raw.isascii() and "\x1b" not in raw


def test_nothing_in_a_file_reaches_the_terminal_as_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env = {"os": HOSTILE, "arch": HOSTILE, "cpu": HOSTILE, "libc": HOSTILE}
    first = bm25(tmp_path, "a.json", queryHashes=results(**{HOSTILE: "e" * 64}), adapter=HOSTILE, env=env)
    second = bm25(tmp_path, "b.json", queryHashes=results(**{HOSTILE: "f" * 64, HOSTILE * 2: "f" * 64}))
    assert compare(first, second) == 2
    said = capsys.readouterr().out
    assert not any(ord(character) < 32 and character != "\n" for character in said)
    assert "[red]x[/red]" in said, "markup is shown, not obeyed"
    assert "\\x1b[2J" in said


@pytest.mark.parametrize("arguments", [[], [BM25], [BM25, "none.json"], [BM25, REFERENCE], [BM25, __file__]])
def test_mistakes(arguments: list[Path | str], capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(*arguments) == 4
    caught = capsys.readouterr()
    assert caught.out == "" and caught.err.startswith("Error: ") and "Traceback" not in caught.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_query_that_the_terminal_cannot_write(encoding: str, tmp_path: Path) -> None:
    first = bm25(tmp_path, "a.json", queryHashes=results(**{"認証 ß": "e" * 64}))
    second = bm25(tmp_path, "b.json", queryHashes=results(**{"認証 ß": "f" * 64}))
    done = subprocess.run(
        [sys.executable, "-m", "contextbenchmark", "compare", str(first), str(second)],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"differs: " in done.stdout
