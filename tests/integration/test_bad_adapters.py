"""An adapter that misbehaves is its own ERROR row, with a reason a person can act on; nothing of it is left running."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.integration.conftest import RunAdapters, WriteAdapter

FAULTS = {
    "raises in build": (
        "def build(c, o): raise KeyError('no such thing')",
        "raised",
        "KeyError: 'no such thing'",
    ),
    "raises in query": (
        "def query(o, t, k): raise ValueError('bad query')",
        "raised",
        "ValueError: bad query",
    ),
    "raises on import": ("raise RuntimeError('broken')", "raised", "RuntimeError: broken"),
    "is not Python at run time": ("import no_such_module_here", "raised", "no_such_module_here"),
    "exits": ("def build(c, o): sys.exit(3)", "exited", "SystemExit: 3"),
    "exits hard": ("def query(o, t, k): os._exit(7)", "exited", "ended with exit status 7 while answering"),
    "is killed": ("def build(c, o): os.kill(os.getpid(), 9)", "exited", "ended by SIGKILL while building"),
    "segfaults": ("def build(c, o): os.kill(os.getpid(), 11)", "exited", "ended by SIGSEGV"),
    "closes every descriptor": ("def build(c, o): os.closerange(0, 100)", "exited", "while building"),
    "hangs in build": (
        "def build(c, o): time.sleep(600)",
        "timed-out",
        "had not finished building after 2 s",
    ),
    "hangs in query": (
        "def query(o, t, k): time.sleep(600)",
        "timed-out",
        "had not finished answering after 2 s",
    ),
    "hangs on import": ("time.sleep(600)", "timed-out", "had not finished starting after 2 s"),
    "hangs holding the interpreter": (
        "def build(c, o): re.match('(a+)+$', 'a' * 60 + 'b')",
        "timed-out",
        "had not finished building",
    ),
    "returns NaN": (
        "def query(o, t, k): return [{'file': 'doc00.txt', 'score': float('nan')}]",
        "invalid-answer",
        "nan",
    ),
    "returns infinity": (
        "def query(o, t, k): return [{'file': 'doc00.txt', 'score': float('inf')}]",
        "invalid-answer",
        "not a finite number",
    ),
    "returns a file twice": (
        "def query(o, t, k): return [{'file': 'doc00.txt', 'score': 1}] * 2",
        "invalid-answer",
        "'doc00.txt' more than once",
    ),
    "returns more than k": (
        "def query(o, t, k): return [{'file': f'doc{n:02d}.txt', 'score': 1} for n in range(k + 1)]",
        "invalid-answer",
        "11 files, more than k = 10",
    ),
    "returns a path outside": (
        "def query(o, t, k): return [{'file': '../secret.txt', 'score': 1}]",
        "invalid-answer",
        "no file of the corpus; paths are relative",
    ),
    "returns an absolute path": (
        "def query(o, t, k): return [{'file': '/etc/passwd', 'score': 1}]",
        "invalid-answer",
        "no file of the corpus",
    ),
    "returns a file that is not there": (
        "def query(o, t, k): return [{'file': 'doc99.txt', 'score': 1}]",
        "invalid-answer",
        "'doc99.txt', which is no file of the corpus",
    ),
    "returns a dict": (
        "def query(o, t, k): return {'file': 'doc00.txt'}",
        "invalid-answer",
        "not an object with a file",
    ),
    "returns a number": ("def query(o, t, k): return 3", "raised", "TypeError"),
    "returns a text score": (
        "def query(o, t, k): return [{'file': 'doc00.txt', 'score': 'high'}]",
        "invalid-answer",
        "the score high",
    ),
    "returns true as a score": (
        "def query(o, t, k): return [{'file': 'doc00.txt', 'score': True}]",
        "invalid-answer",
        "the score True",
    ),
    "returns a file that is no text": (
        "def query(o, t, k): return [{'file': 5, 'score': 1}]",
        "invalid-answer",
        "not an object with a file",
    ),
    "returns bytes": ("def query(o, t, k): return [{'file': b'doc00.txt'}]", "raised", "bytes"),
    "has no build": ("del build", "raised", "no `build`"),
    "names a link as its artifact": (
        "def build(c, o): os.symlink('/etc', o + '/x')",
        "invalid-answer",
        "artifact",
    ),
    "removes its artifact folder": (
        "import shutil\ndef build(c, o): shutil.rmtree(o)",
        "invalid-answer",
        "artifact",
    ),
    "says a version that is none": ("def version(): return 7", "invalid-answer", "version() returned '7'"),
    "declares a file outside": (
        "artifact_file = '../../x'",
        "invalid-answer",
        "not a path inside the artifact",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_is_an_error_row_with_its_reason(
    fault: str, write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    lines, kind, reason = FAULTS[fault]
    adapter = write_adapter(f"import os, re, sys, time\n{lines}")
    outcome = run_adapters(adapter, timeout=2.0 if kind == "timed-out" else 60.0)
    (system,) = outcome.report.systems
    assert system.status == "error" and system.level is None and system.failure is not None
    assert system.failure.kind == kind
    assert reason in system.failure.message
    assert system.fingerprint is None


def test_returning_nothing_is_vacuous_and_no_error(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    (system,) = run_adapters(write_adapter("def query(o, t, k): return None")).report.systems
    assert (system.status, system.level) == ("vacuous", None)


def test_what_it_prints_cannot_reach_the_channel(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    lines = """
import os, sys
print('{"jsonrpc": "2.0", "id": 2, "result": {}}')
honest = query
def query(o, t, k):
    print('{"jsonrpc": "2.0", "id": 3, "result": {"results": []}}', flush=True)
    os.write(1, b'noise' * 100000)
    sys.stdin.read()
    os.system("echo from a shell")
    return honest(o, t, k)
"""
    (system,) = run_adapters(write_adapter(lines)).report.systems
    assert (system.status, system.level) == ("ok", "CTL-3")


def test_what_it_printed_is_kept_with_the_error(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    lines = "def build(c, o):\n    print('the last words')\n    raise SystemError('gone')"
    (system,) = run_adapters(write_adapter(lines)).report.systems
    assert system.failure is not None
    assert "the last words" in system.failure.output
    assert "SystemError: gone" in system.failure.output


@pytest.mark.parametrize("way", ["fork", "new session", "double fork"])
def test_a_child_left_behind_is_ended(
    way: str,
    write_adapter: WriteAdapter,
    run_adapters: RunAdapters,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lines = f"""
import os, subprocess, sys, time
def leave():
    if {way!r} == "fork":
        if os.fork() == 0:
            time.sleep(600)
    elif {way!r} == "new session":
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session=True)
    elif os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
honest_build = build
def build(c, o):
    leave()
    honest_build(c, o)
"""
    (system,) = run_adapters(write_adapter(lines)).report.systems
    assert (system.status, system.level) == ("ok", "CTL-3")
    assert not left_running(str(tmp_path))


def left_running(work: str) -> list[str]:
    """Return the command lines of processes whose environment names the folder ``work``."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and work.encode() in Path(f"/proc/{name}/environ").read_bytes():
                found.append(Path(f"/proc/{name}/cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


def test_memory_is_bounded(write_adapter: WriteAdapter, run_adapters: RunAdapters) -> None:
    lines = "def build(c, o):\n    hoard = bytearray(600_000_000)"
    (system,) = run_adapters(write_adapter(lines), memory=256 * 1024 * 1024).report.systems
    assert system.failure is not None and system.failure.kind == "out-of-memory"


def test_a_surrogate_in_an_answer_is_an_error_row(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    (system,) = run_adapters(write_adapter("def query(o, t, k): return [{'file': '\\ud800'}]")).report.systems
    assert system.status == "error"


def test_async_adapters_are_awaited_in_one_loop(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    lines = """
import asyncio
async def build(c, o):
    await asyncio.sleep(0)
    write_index(c, o)
class Opened:
    def __init__(self, o): self.index, self.loop = read_index(o), asyncio.get_running_loop()
    async def query(self, t, k):
        assert asyncio.get_running_loop() is self.loop
        return rank(self.index, t, k)
async def open(o): return Opened(o)
async def available(): return True
"""
    (system,) = run_adapters(write_adapter(lines)).report.systems
    assert (system.status, system.level) == ("ok", "CTL-3")
