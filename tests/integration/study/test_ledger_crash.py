"""What was acknowledged is on the disk: killed at random moments, and read from a trace of system calls."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contextbenchmark.study.ledger import TORN_EVENT, Ledger
from contextbenchmark.study.ledger_reading import read_rows, verify

WRITER = Path(__file__).with_name("ledger_writer.py")
KILLS = 50


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_kill_at_any_moment_loses_no_acknowledged_row(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    command = [sys.executable, str(WRITER), "kill", str(path), str(KILLS), "20261201"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) == KILLS and all(turn["holds"] for turn in rounds)
    acknowledged = [number for turn in rounds for number in turn["acknowledged"]]
    assert len(acknowledged) > KILLS, "the kills came too early to mean anything"
    with Ledger(path) as ledger:
        assert ledger.append() == ledger.head
    assert verify(path).holds
    rows = list(read_rows(path))
    kept = [row.body["number"] for row in rows if row.event != TORN_EVENT]
    # In order, each acknowledged one there, and beyond those at most one a kill: written, not yet acknowledged.
    assert kept == sorted(kept)
    assert set(acknowledged) <= set(kept)
    assert len(kept) - len(acknowledged) <= KILLS
    for row in rows:
        if row.event == TORN_EVENT:
            assert path.with_name(str(row.body["file"])).stat().st_size == row.body["bytes"]


def order_of_calls(trace: str, path: Path) -> list[str]:
    """Return write, sync and ack in the order they happened, for the ledger's descriptor and standard output."""
    opened = re.search(rf'openat\([^"]*"{re.escape(str(path))}", [^)]*\) = (\d+)', trace)
    assert opened, trace
    mine = opened[1]
    calls = []
    for line in trace.splitlines():
        if re.search(rf"\bwrite\({mine}, ", line):
            calls.append("write")
        elif re.search(rf"\bf(data)?sync\({mine}\)", line):
            calls.append("sync")
        elif re.search(r'\bwrite\(1, "ack ', line):
            calls.append("ack")
    return calls


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed (.ci/run installs it)")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], ["write", "sync", "ack"]), (["unsynced"], ["write", "ack"])],
    ids=["synced", "not"],
)
def test_a_row_is_synced_before_it_is_acknowledged(
    tmp_path: Path, arguments: list[str], expected: list[str]
) -> None:
    """The second case plants the defect: the trace must be able to show a missing sync."""
    path, trace = tmp_path / "ledger.jsonl", tmp_path / "trace"
    command = ["strace", "-qq", "-e", "trace=openat,write,fsync,fdatasync", "-o", str(trace)]
    done = subprocess.run(
        [*command, sys.executable, str(WRITER), "trace", str(path), "5", *arguments],
        capture_output=True,
        text=True,
        timeout=100,
    )
    if "Operation not permitted" in done.stderr and not path.exists():
        pytest.skip("this machine forbids tracing")
    assert done.stdout.splitlines() == [f"ack {number}" for number in range(5)], done.stderr
    assert order_of_calls(trace.read_text(errors="replace"), path) == expected * 5
