"""A million rows are checked and read in the memory that ten thousand take."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from contextbenchmark.study.ledger_reading import Head

MORE_BYTES = 8 * 1024 * 1024
READER = """
import resource, sys
from pathlib import Path
from contextbenchmark.study.ledger_reading import Head, read_rows, verify
path = Path(sys.argv[1])
found = verify(path, [Head.parse(sys.argv[2])])
wall = sum(row.body["wall_s"] for row in read_rows(path, event="session"))
print(found.holds, found.head.rows, wall, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write(path: Path, rows: int) -> Head:
    """Write a ledger from the description of its format: appending a million rows would sync too often."""
    previous = "0" * 64
    with open(path, "wb") as stream:
        for index in range(rows):
            row = {
                "body": {"class": "completed", "wall_s": 2},
                "event": "session",
                "index": index,
                "previous": previous,
                "schema": "contextbenchmark.ledger/1",
                "study": f"study-{index % 7}",
                "time": "2026-01-01T00:00:00Z",
            }
            data = json.dumps(row, separators=(",", ":")).encode()
            previous = hashlib.sha256(data).hexdigest()
            stream.write(b'{"row":%b,"sha256":"%b"}\n' % (data, previous.encode()))
    return Head(rows=rows, digest=previous)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="reads the peak of memory from the system")
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for rows in (10_000, 1_000_000):
        path = tmp_path / f"{rows}.jsonl"
        head = write(path, rows)
        command = [sys.executable, "-c", READER, str(path), str(head)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        path.unlink()
        holds, count, wall, peak = done.stdout.split()
        assert (holds, int(count), float(wall)) == ("True", rows, 2 * rows)
        peaks.append(int(peak) * (1 if sys.platform == "darwin" else 1024))
    assert peaks[1] - peaks[0] < MORE_BYTES
