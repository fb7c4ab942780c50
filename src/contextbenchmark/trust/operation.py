"""One operation on an adapter in a fresh child process: described, built, or asked a pass of queries."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import math
import os
import py_compile
import shutil
import signal
import sys
import sysconfig
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import ValidationError

from contextbenchmark.core.canonical import compact_json
from contextbenchmark.core.process import Child, ChildExited, ChildTimedOut
from contextbenchmark.trust import host as host_package
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.observation import Failure, FailureKind, SystemIdentity
from contextbenchmark.trust.workplace import Workplace

HOST = Path(host_package.__file__).parent
# What a child may see of our environment: how to find programs and certificates, and what the user set about
# numerics and threads. Everything else is made for the operation or left out.
PASSED_ON = ("PATH", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
             "SSL_CERT_FILE", "SSL_CERT_DIR")  # fmt: skip
PASSED_ON_PREFIXES = ("OPENBLAS_", "OMP_", "MKL_", "GOTO_", "NUMEXPR_")
CLOSE_GRACE = 5.0


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one operation: wall seconds, and bytes of memory (None: no bound)."""

    timeout_seconds: float = 900.0
    memory_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """What runs a Python adapter: an executable and the folders put on its path by hand."""

    python: Path
    folders: tuple[Path, ...]


@dataclass(frozen=True, kw_only=True)
class Used:
    """What an operation used. Seconds; bytes. ``query_seconds[i]`` is query i's, in the order asked."""

    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    query_seconds: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One query's ranked paths, most relevant first, with a score each or None where the adapter gave none."""

    files: tuple[str, ...]
    scores: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class Description:
    """What ``hello`` told. ``reason`` says why the adapter is not available, else it is empty."""

    name: str
    summary: str
    artifact_file: str | None
    available: bool
    reason: str
    version: SystemIdentity | None


def compile_host() -> None:
    """Have the host's byte code lie beside it: children may not write there, and would compile it each time."""
    with contextlib.suppress(OSError, py_compile.PyCompileError):
        source = HOST / "host.py"
        cached = Path(importlib.util.cache_from_source(str(source)))
        if not cached.exists() or cached.stat().st_mtime_ns < source.stat().st_mtime_ns:
            py_compile.compile(str(source), doraise=True, quiet=1)


class OperationFailed(Exception):
    """The adapter, not the harness, is at fault: becomes its ERROR row."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def own_interpreter() -> Interpreter:
    """Return this process's interpreter with its own site-packages."""
    paths = sysconfig.get_paths()
    return Interpreter(
        python=Path(sys.executable),
        folders=tuple(dict.fromkeys(Path(paths[key]) for key in ("purelib", "platlib"))),
    )


def operation_seed(run_seed: int, operation_id: str) -> int:
    """Return the seed of an operation, 1 to 2**32 - 1, from the run's seed and the operation's id.

    It is the child's PYTHONHASHSEED (0 would switch the randomisation off) and seeds what staging draws.
    """
    digest = hashlib.sha256(f"{run_seed}/{operation_id}".encode()).digest()
    return 1 + int.from_bytes(digest[:8], "big") % (2**32 - 1)


class Operation:
    """A child at work for one operation. A context manager: leaving it ends the child and its family.

    :param seed: see :func:`operation_seed`.
    :param writable: folders, beside the operation's own, that the child may change files in.
    """

    def __init__(
        self,
        workplace: Workplace,
        adapter: Adapter,
        interpreter: Interpreter,
        limits: Limits,
        *,
        seed: int,
        writable: Sequence[Path] = (),
    ) -> None:
        self.workplace, self.adapter, self.interpreter, self.limits = workplace, adapter, interpreter, limits
        self.seed, self.writable = seed, tuple(writable)
        self.query_seconds: list[float] = []
        self.cpu_seconds, self.peak_memory_bytes = 0.0, 0
        self._requests = 0
        self._trace = ""
        self._child: Child | None = None
        self._began = time.monotonic()
        self._deadline = self._began + limits.timeout_seconds

    def __enter__(self) -> Operation:
        self._own = self.workplace.new_folder("operation")
        for name in ("home", "tmp", "cwd"):
            (self._own / name).mkdir()
        try:
            self._child = self.workplace.start(
                self._command(), folder=self._own / "cwd", environment=self._environment()
            )
        except OSError as error:
            self.workplace.discard(self._own)
            raise self._failed(
                "start", "not-started", f"cannot be started: {error.strerror or error}"
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._child is not None
        self.workplace.end(self._child)
        self.workplace.discard(self._own)
        if isinstance(error, OperationFailed):
            # What the child printed is complete only now.
            with_output = error.failure.model_copy(update={"output": self._output()})
            raise OperationFailed(with_output) from None

    def hello(self) -> Description:
        """Load the adapter and learn who it is."""
        answer = self._call("start", "hello", self._introduction())
        available = answer.get("available", True)
        reason = "" if available is True else available
        if not isinstance(reason, str) or (available is not True and not reason):
            reason = "available() said no, without a reason"
        artifact_file = answer.get("artifactFile", self.adapter.artifact_file)
        if artifact_file is None:
            artifact_file = self.adapter.artifact_file
        if artifact_file is not None and not is_inner_path(artifact_file):
            raise self._failed(
                "start",
                "invalid-answer",
                f"artifact_file is {artifact_file!r}, not a path inside the artifact",
            )
        name = answer.get("name", self.adapter.name)
        if not isinstance(name, str) or not name.strip():
            raise self._failed("start", "invalid-answer", f"its name is {name!r}, not a text")
        return Description(
            name=name,
            summary=str(answer.get("summary") or self.adapter.summary),
            artifact_file=artifact_file,
            available=available is True,
            reason=reason,
            version=self._version(answer.get("version")),
        )

    def build(self, corpus: Path, out: Path) -> None:
        self._call("build", "build", {"corpus": str(corpus), "out": str(out)})

    def open(self, out: Path) -> None:
        self._call("open", "open", {"out": str(out)})

    def query(self, text: str, k: int, documents: Collection[str]) -> Answer:
        """Ask one query; every path must be one of ``documents``."""
        answer = self._call("query", "query", {"text": text, "k": k})
        seconds = answer.get("seconds")
        self.query_seconds.append(float(seconds) if isinstance(seconds, (int, float)) else 0.0)
        try:
            return read_answer(answer.get("results"), k, documents)
        except ValueError as error:
            raise self._failed("query", "invalid-answer", f"asked {text[:80]!r}, {error}") from None

    def close(self) -> Used:
        """Let the child say what it used, and leave."""
        assert self._child is not None
        peak = self._child.peak_memory()
        answer = self._call("query", "close", {})
        cpu = answer.get("cpuSeconds")
        told = answer.get("peakMemoryBytes")
        return Used(
            wall_seconds=time.monotonic() - self._began,
            cpu_seconds=float(cpu) if isinstance(cpu, (int, float)) else 0.0,
            peak_memory_bytes=int(told) if isinstance(told, (int, float)) else peak,
            query_seconds=tuple(self.query_seconds),
        )

    def _call(self, phase: Any, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        assert self._child is not None
        self._requests += 1
        number = self._requests
        request = compact_json({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        doing = {"hello": "starting", "build": "building", "open": "opening its artifact", "query": "answering",
                 "close": "closing", "update": "updating"}[method]  # fmt: skip
        began = time.perf_counter()
        try:
            line = self._child.request(request.encode("utf-8"), self._deadline)
            while not _is_message(line):
                line = self._child.next_line(self._deadline)
        except ChildTimedOut:
            raise self._failed(
                phase, "timed-out", f"had not finished {doing} after {self.limits.timeout_seconds:g} s",
                "Give it longer with --timeout, if it needs that.",
            ) from None  # fmt: skip
        except ChildExited as ended:
            raise self._failed(phase, "exited", f"{_how_it_ended(ended.returncode)} while {doing}") from None
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._failed(
                phase, "malformed", f"sent a line that is not JSON while {doing}: {error}"
            ) from None
        if not isinstance(answer, dict) or answer.get("id") != number:
            raise self._failed(phase, "malformed", f"sent an answer to another request while {doing}")
        if "error" in answer:
            raise self._raised(phase, doing, answer["error"])
        result = answer.get("result")
        if not isinstance(result, dict):
            raise self._failed(phase, "malformed", f"sent neither a result nor an error while {doing}")
        result.setdefault("seconds", time.perf_counter() - began)
        return result

    def _raised(self, phase: Any, doing: str, error: Any) -> OperationFailed:
        told = error.get("message") if isinstance(error, dict) else error
        data = error.get("data") if isinstance(error, dict) else None
        kind: FailureKind = "raised"
        if isinstance(data, dict) and data.get("type") == "MemoryError":
            kind = "out-of-memory"
        if isinstance(data, dict) and data.get("type") == "SystemExit":
            kind = "exited"
        failure = self._failed(phase, kind, f"failed while {doing}: {str(told)[:1000]}")
        if isinstance(data, dict):
            self._trace = str(data.get("traceback") or "")
        return failure

    def _output(self) -> str:
        assert self._child is not None
        own = str(self.workplace.folder)
        return (self._child.output() + self._trace).replace(own, "<work>")[-16384:]

    def _failed(self, phase: Any, kind: FailureKind, what: str, remedy: str = "") -> OperationFailed:
        message = f"{self.adapter.label} {what}.".replace(str(self.workplace.folder), "<work>")
        return OperationFailed(Failure(phase=phase, kind=kind, message=message, remedy=remedy))

    def _version(self, told: Any) -> SystemIdentity | None:
        if told is None:
            return None
        try:
            return SystemIdentity(id=told) if isinstance(told, str) else SystemIdentity.model_validate(told)
        except ValidationError:
            raise self._failed(
                "version",
                "invalid-answer",
                f"version() returned {str(told)[:200]!r}, not a text or {{id, source, note}}",
            ) from None

    def _introduction(self) -> dict[str, Any]:
        adapter = self.adapter
        folders = [str(folder) for folder in (*adapter.folders, *self.interpreter.folders)]
        return {
            "protocol": 1,
            "path": str(adapter.path) if adapter.path else None,
            "module": adapter.module,
            "object": adapter.object_name,
            "folders": folders,
        }

    def _command(self) -> list[str]:
        config = {
            "memoryBytes": self.limits.memory_bytes,
            "confine": True,
            "writable": [str(folder) for folder in (self._own, *self.writable)]
            + (["/dev/shm"] if self.adapter.shared_memory and Path("/dev/shm").is_dir() else []),
        }
        launch = [
            str(self.interpreter.python),
            "-s",
            "-S",
            "-P",
            str(HOST / "launch.py"),
            compact_json(config),
        ]
        if self.adapter.kind == "python":
            return launch
        if self.adapter.kind == "node":
            node = shutil.which("node")
            if node is None:
                raise FileNotFoundError(2, "Node.js is not on the PATH")
            target = [node, str(HOST / "host.mjs"), str(self.adapter.path)]
        else:
            target = list(self.adapter.command)
        return target if sys.platform == "win32" else [*launch, *target]

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in PASSED_ON or name in self.adapter.environment or name.startswith(PASSED_ON_PREFIXES)
        }
        home, tmp = str(self._own / "home"), str(self._own / "tmp")
        xdg = {f"XDG_{name}_HOME": f"{home}/.{name.lower()}" for name in ("CACHE", "CONFIG", "DATA", "STATE")}
        return {
            **kept,
            **xdg,
            "HOME": home,
            "USERPROFILE": home,
            "XDG_RUNTIME_DIR": tmp,
            "TMPDIR": tmp,
            "TEMP": tmp,
            "TMP": tmp,
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONHASHSEED": str(self.seed),
            "PYTHONDONTWRITEBYTECODE": "1",
        }


def is_inner_path(path: object) -> bool:
    """Tell whether ``path`` is a relative path with ``/`` between its parts that stays inside its folder."""
    if not isinstance(path, str) or not path or path.startswith("/") or "\\" in path or "\0" in path:
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


def read_answer(results: object, k: int, documents: Collection[str]) -> Answer:
    """Return the checked answer, or raise ValueError saying what is wrong with it.

    ``results`` is a list of at most ``k`` distinct ``{"file", "score"}``, files of the corpus, scores finite
    numbers or null; None counts as nothing found.
    """
    if results is None:
        return Answer(files=(), scores=())
    if not isinstance(results, list):
        raise ValueError(f"it answered with a {type(results).__name__}, not a list")
    if len(results) > k:
        raise ValueError(f"it returned {len(results)} files, more than k = {k}")
    files: list[str] = []
    scores: list[float | None] = []
    for place, item in enumerate(results, 1):
        if not isinstance(item, dict) or not isinstance(item.get("file"), str):
            raise ValueError(f"result {place} is {str(item)[:80]!r}, not an object with a file and a score")
        file, score = item["file"], item.get("score")
        if file not in documents:
            hint = (
                "; paths are relative to the corpus, with / between parts" if not is_inner_path(file) else ""
            )
            raise ValueError(f"result {place} is {file[:200]!r}, which is no file of the corpus{hint}")
        if score is not None and (
            isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score)
        ):
            raise ValueError(
                f"result {place} ({file}) has the score {str(score)[:40]}, not a finite number or null"
            )
        files.append(file)
        scores.append(None if score is None else float(score))
    if len(set(files)) < len(files):
        twice = next(file for file in files if files.count(file) > 1)
        raise ValueError(f"it returned {twice!r} more than once")
    return Answer(files=tuple(files), scores=tuple(scores))


def _is_message(line: bytes) -> bool:
    """Tell a line of the protocol from something printed to the channel (only a command or native code can)."""
    return line.lstrip()[:1] == b"{" and b'"jsonrpc"' in line


def _how_it_ended(returncode: int | None) -> str:
    if returncode is None:
        return "closed its channel"
    if returncode < 0:
        try:
            return f"was ended by {signal.Signals(-returncode).name}"
        except ValueError:
            return f"was ended by signal {-returncode}"
    return f"ended with exit status {returncode}"
