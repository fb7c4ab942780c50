"""What the figures are measured on, and whole runs as processes of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "contextbenchmark")


def django() -> Path:
    """Return the pinned django tree, fetched into the cache when it is not there yet."""
    from contextbenchmark.trust.sources import fetch

    return fetch("django")


def run(out: Path, corpus: str, *options: str) -> float:
    """Run the program as a user does, into a new folder; return the wall seconds of the whole process."""
    shutil.rmtree(out, ignore_errors=True)
    command = [*COMMAND, "run", "--adapters", "bm25", "--corpus", corpus, "--out", str(out), *options]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return spent


def times(out: Path) -> dict[str, Any]:
    """Return ``times.json`` of the run in ``out``."""
    found: dict[str, Any] = json.loads((out / "times.json").read_text())
    return found
