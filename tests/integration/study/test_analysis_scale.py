"""A study is analysed from a ledger of a million rows in the memory that ten thousand take."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run
from contextbenchmark.study.frozen import in_force
from contextbenchmark.study.ledger_reading import verify

MORE_BYTES = 8 * 1024 * 1024
ANALYST = """
import resource, sys
from pathlib import Path
from contextbenchmark.study.analyse import analyse
from contextbenchmark.study.frozen import in_force
from contextbenchmark.study.stored import read_stored
ledger = Path(sys.argv[2])
stored = read_stored(ledger, in_force(Path(sys.argv[1]), ledger)[-1])
found = analyse(stored.rows.measured, stored.rows.judged, studies=200, resamples=200)
print(stored.rows.imported.sessions, found.missing.pairs, found.missing.later_results, stored.other_versions[0],
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def grow(ledger: Path, begin: bytes, study_file: Path, rows: int) -> None:
    """Write a registered ledger that goes on for ``rows`` rows: four of five are attempts at planned sessions."""
    ledger.write_bytes(begin)
    head = verify(ledger).head
    provenance = in_force(study_file, ledger)[-1].provenance()
    previous, common = head.digest, json.loads(provenance.to_json())
    tasks = [("T1", repeat) for repeat in (1, 2, 3)] + [("T2", repeat) for repeat in (1, 2, 3)]
    with open(ledger, "ab") as stream:
        for number in range(rows):
            task, repeat = tasks[number % 6]
            body = {
                "arm": "cc" if number // 6 % 2 else "vanilla",
                "class": "infrastructure_failed" if number % 7 else "completed",
                "hidden_pass_rate": 1,
                "repeat": repeat,
                "t2_score": 1,
                "task": task,
                "wall_s": number % 50,
            }
            row = {
                **common,
                "body": body,
                "event": "session",
                "index": head.rows + number,
                "previous": previous,
                "schema": "contextbenchmark.ledger/1",
                "time": "2026-01-01T00:00:00Z",
            }
            if number % 5 == 0:
                row |= {"sha256": "0" * 64, "version": 0}
            data = json.dumps(row, separators=(",", ":"), sort_keys=True).encode()
            previous = hashlib.sha256(data).hexdigest()
            stream.write(b'{"row":%b,"sha256":"%b"}\n' % (data, previous.encode()))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(sys.platform == "win32", reason="reads the peak of memory from the system")
def test_memory_of_an_analysis_does_not_grow_with_the_rows(study_file: Path, tmp_path: Path) -> None:
    assert run(["study", "register", str(study_file)]) == 0
    begin = (study_file.parent / "ledger.jsonl").read_bytes()
    peaks = []
    for rows in (10_000, 1_000_000):
        ledger = tmp_path / f"{rows}.jsonl"
        grow(ledger, begin, study_file, rows)
        command = [sys.executable, "-c", ANALYST, str(study_file), str(ledger)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ledger.unlink()
        sessions, pairs, later, others, peak = map(int, done.stdout.split())
        assert (sessions, others) == (rows * 4 // 5, rows // 5)
        assert pairs == 6
        assert later > rows // 10
        peaks.append(peak * (1 if sys.platform == "darwin" else 1024))
    assert peaks[1] - peaks[0] < MORE_BYTES
