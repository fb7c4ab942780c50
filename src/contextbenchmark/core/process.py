"""Every child process goes through here: one line channel, a deadline, output kept, the whole family ended.

A child is started in a session of its own. When it is ended, its process group is killed, and then whatever
it left outside that group: every process that carries the child's token in its environment is looked for and
killed too, so that a daemon which an adapter forked cannot outlive its operation or answer the next one.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

TOKEN_VARIABLE = "CONTEXTBENCHMARK_OPERATION"
MAX_LINE = 256 * 1024 * 1024
KEPT_OUTPUT = 16 * 1024


class ChildExited(Exception):
    """The child's channel closed before it answered; ``returncode`` is negative for a signal."""

    def __init__(self, returncode: int | None) -> None:
        super().__init__(f"exit status {returncode}")
        self.returncode = returncode


class ChildTimedOut(Exception):
    """The deadline passed while the child had not answered."""


class ChildStopped(Exception):
    """The run was interrupted; the child was ended on our side."""


def new_token() -> str:
    """Return a token that no other process carries."""
    return secrets.token_hex(16)


class Child:
    """A running child with a channel of lines on its stdin and stdout; stderr is kept (its end).

    :param argv: the command; no shell is involved.
    :param environment: the whole environment of the child; the token is added to it.
    :raises OSError: when the command cannot be started.
    """

    def __init__(
        self, argv: Sequence[str], *, folder: Path, environment: Mapping[str, str], token: str
    ) -> None:
        self.token = token
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._kept = bytearray()
        self._dropped = 0
        self._stopped = False
        self._process = subprocess.Popen(
            list(argv),
            cwd=folder,
            env={**environment, TOKEN_VARIABLE: token},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_output, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def request(self, line: bytes, deadline: float) -> bytes:
        """Send one line and return the next line that the child sends back, without its newline.

        :param deadline: in :func:`time.monotonic` seconds.
        :raises ChildExited, ChildTimedOut, ChildStopped:
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError, OSError):
            raise self._gone() from None
        return self.next_line(deadline)

    def next_line(self, deadline: float) -> bytes:
        """Return the child's next line without sending anything; raises as :meth:`request` does."""
        try:
            answer = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise ChildTimedOut from None
        if answer is None:
            raise self._gone()
        return answer

    def _gone(self) -> Exception:
        if self._stopped:
            return ChildStopped()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        return ChildExited(self._process.poll())

    def peak_memory(self) -> int:
        """Return the peak resident memory of the child itself in bytes, 0 where it cannot be read."""
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0

    def stop(self) -> None:
        """End the child because the run is interrupted: pending requests raise :class:`ChildStopped`."""
        self._stopped = True
        self._kill_group()

    def end(self, grace: float = 0.0) -> None:
        """Close the channel, give the child ``grace`` seconds to leave, then end its whole family."""
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        if grace:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=grace)
        self._kill_group()
        self._process.wait()
        end_family(self.token)
        for reader in self._readers:
            reader.join(timeout=5)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()

    def output(self) -> str:
        """Return the end of what the child printed, up to 16 KiB, invalid bytes replaced."""
        text = bytes(self._kept).decode("utf-8", "replace")
        return f"[{self._dropped} bytes before this left out]\n{text}" if self._dropped else text

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        stream = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(MAX_LINE):
                if not line.endswith(b"\n"):
                    break
                self._answers.put(line[:-1])
        self._answers.put(None)

    def _read_output(self) -> None:
        assert self._process.stderr is not None
        descriptor = self._process.stderr.fileno()
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(descriptor, 65536):
                self._kept += chunk
                if len(self._kept) > 2 * KEPT_OUTPUT:
                    self._dropped += len(self._kept) - KEPT_OUTPUT
                    del self._kept[:-KEPT_OUTPUT]


# Processes that were looked at and carry no token of ours: scanning costs only what is new since last time.
# A process number that is used again could hide behind this; the guardian's last sweep looks at all.
_strangers: set[int] = set()
_strangers_lock = threading.Lock()


def family_of(token: str, *, everyone: bool = False) -> list[int]:
    """Return the processes (zombies left out) whose environment carries ``token`` or begins with it."""
    wanted = f"{TOKEN_VARIABLE}={token}".encode()
    if not sys.platform.startswith("linux"):
        return _family_by_psutil(token)
    found: list[int] = []
    present = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    with _strangers_lock:
        _strangers.intersection_update(present)
        unknown = present if everyone else present - _strangers
    for pid in unknown:
        try:
            with open(f"/proc/{pid}/environ", "rb") as stream:
                environment = stream.read()
        except OSError:
            continue
        if wanted in environment:
            found.append(pid)
        # A process that has just been forked and not yet replaced its image still has our environment.
        elif (
            environment
            and TOKEN_VARIABLE.encode() not in environment
            and os.getpid() not in (pid, _parent(pid))
        ):
            with _strangers_lock:
                _strangers.add(pid)
    return found


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _family_by_psutil(token: str) -> list[int]:
    import psutil

    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(TOKEN_VARIABLE, "").startswith(token):
                found.append(process.pid)
    return found


def end_family(token: str, *, everyone: bool = False) -> int:
    """Kill every process that carries ``token``; return how many were met. Bounded: gives up after 100 rounds."""
    met = 0
    for _ in range(100):
        pids = family_of(token, everyone=everyone)
        if not pids:
            break
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
                met += 1
        time.sleep(0.002)
    return met
