"""Commands run to their end, or are ended with all that they started."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

from contextbenchmark.core.command import run_command

LEAVES_A_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
open("pid", "w").write(str(child.pid))
time.sleep(60)
"""


def run(program: str, folder: Path, seconds: float = 60.0, stdin: bytes = b"") -> object:
    argv = [sys.executable, "-c", program]
    return run_command(argv, folder=folder, environment=dict(os.environ), seconds=seconds, stdin=stdin)


def test_input_goes_in_and_all_output_comes_back(tmp_path: Path) -> None:
    program = "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d * 2); sys.exit('no\\nmore')"
    done = run_command(
        [sys.executable, "-c", program],
        folder=tmp_path,
        environment={"PATH": os.defpath},
        seconds=60,
        stdin=b"\x00" * 300_000,
    )
    assert (done.status, len(done.output), done.said) == (1, 600_000, "no\nmore")


def test_past_the_limit_it_and_what_it_started_are_ended(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match=r"took longer than 3 s"):
        run(LEAVES_A_CHILD, tmp_path, seconds=3)
    pid = int((tmp_path / "pid").read_text())
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "the child of the command still runs"
        time.sleep(0.05)


def test_what_is_no_command_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        run_command(["no-such-command-anywhere"], folder=tmp_path, environment={}, seconds=5)
