"""One operation on an adapter in a fresh child process: described, built, or asked a pass of queries."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from contextbenchmark.core.canonical import compact_json
from contextbenchmark.core.process import Child, ChildExited, ChildTimedOut
from contextbenchmark.core.record import WORK, make_folder
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.answer import (
    Answer,
    is_inner_path,
    is_message,
    read_answer,
    read_number,
    without_halves,
)
from contextbenchmark.trust.observation import Failure, FailureKind, SystemIdentity
from contextbenchmark.trust.outcome import (
    Description,
    OperationFailed,
    Used,
    how_it_ended,
    read_availability,
    read_version,
)
from contextbenchmark.trust.surroundings import Interpreter, command_line, environment
from contextbenchmark.trust.workplace import Workplace


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one operation: wall seconds, and bytes of memory (None: no bound)."""

    timeout_seconds: float = 900.0
    memory_bytes: int | None = None


class Operation:
    """A child at work for one operation. A context manager: leaving it ends the child and its family.

    :param seed: see :func:`~contextbenchmark.trust.surroundings.operation_seed`.
    :param writable: folders, beside the operation's own, that the child may change files in.
    :param vectors: folders of vectors from the shared embedding step, for an adapter that asks for them.
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
        vectors: Sequence[Path] = (),
    ) -> None:
        self.workplace, self.adapter, self.interpreter, self.limits = workplace, adapter, interpreter, limits
        self.seed, self.writable, self.vectors = seed, tuple(writable), tuple(vectors)
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
            make_folder(self._own / name, WORK)
        try:
            self._child = self.workplace.start(
                command_line(
                    self.adapter,
                    self.interpreter,
                    memory_bytes=self.limits.memory_bytes,
                    writable=(self._own, *self.writable),
                ),
                folder=self._own / "cwd",
                environment=environment(self.adapter, self._own, self.seed, self.vectors),
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
        full = isinstance(error, OperationFailed) and self.workplace.is_nearly_full()
        self.workplace.discard(self._own)
        if full:
            # No fault of the adapter's: it may do well where there is room.
            raise self.workplace.full() from error
        if isinstance(error, OperationFailed):
            # What the child printed is complete only now.
            with_output = error.failure.model_copy(update={"output": self._output()})
            raise OperationFailed(with_output) from None

    def hello(self) -> Description:
        """Load the adapter and learn who it is."""
        answer = self._call("start", "hello", self._introduction())
        available, reason = read_availability(answer.get("available", True))
        artifact_file = answer.get("artifactFile")
        if artifact_file is None:
            artifact_file = self.adapter.artifact_file
        if artifact_file is not None and not is_inner_path(artifact_file):
            what = f"artifact_file is {artifact_file!r}, not a path inside the artifact"
            raise self._failed("start", "invalid-answer", what)
        name = answer.get("name", self.adapter.name)
        if not isinstance(name, str) or not name.strip():
            raise self._failed("start", "invalid-answer", f"its name is {name!r}, not a text")
        return Description(
            name=name,
            summary=str(answer.get("summary") or self.adapter.summary),
            artifact_file=artifact_file,
            available=available,
            reason=reason,
            version=self._version(answer.get("version")),
        )

    def build(self, corpus: Path, out: Path) -> None:
        self._call("build", "build", {"corpus": str(corpus), "out": str(out)})

    def embed(self, corpus: Path, out: Path, texts: Sequence[str]) -> None:
        """Write vectors of the passages of ``corpus`` and of ``texts`` to ``out``: the shared embedding step."""
        self._call("build", "embed", {"corpus": str(corpus), "out": str(out), "texts": list(texts)})

    def open(self, out: Path) -> None:
        self._call("open", "open", {"out": str(out)})

    def query(self, text: str, k: int, documents: Collection[str]) -> Answer:
        """Ask one query; every path must be one of ``documents``."""
        answer = self._call("query", "query", {"text": text, "k": k})
        seconds = answer.get("seconds")
        self.query_seconds.append(read_number(seconds) or 0.0)
        try:
            return read_answer(answer.get("results"), k, documents)
        except ValueError as error:
            raise self._failed("query", "invalid-answer", f"asked {text[:80]!r}, {error}") from None

    def close(self) -> Used:
        """Let the child say what it used, and leave."""
        assert self._child is not None
        peak = self._child.peak_memory()
        answer = self._call("query", "close", {})
        cpu, told = read_number(answer.get("cpuSeconds")), read_number(answer.get("peakMemoryBytes"))
        return Used(
            wall_seconds=time.monotonic() - self._began,
            cpu_seconds=cpu or 0.0,
            peak_memory_bytes=peak if told is None else int(told),
            query_seconds=tuple(self.query_seconds),
        )

    def _call(self, phase: Any, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        assert self._child is not None
        self._requests += 1
        number = self._requests
        request = compact_json({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        doing = {"hello": "starting", "build": "building", "open": "opening its artifact", "query": "answering",
                 "close": "closing", "update": "updating", "embed": "embedding"}[method]  # fmt: skip
        began = time.perf_counter()
        try:
            line = self._child.request(request.encode("utf-8"), self._deadline)
            while not is_message(line):
                line = self._child.next_line(self._deadline)
        except ChildTimedOut:
            raise self._failed(
                phase, "timed-out", f"had not finished {doing} after {self.limits.timeout_seconds:g} s",
                "Give it longer with --timeout, if it needs that.",
            ) from None  # fmt: skip
        except ChildExited as ended:
            limit = self.limits.memory_bytes
            remedy = (
                f"It had {limit:,} bytes of memory: give it more with --memory, if it needs that."
                if limit
                else ""
            )
            raise self._failed(
                phase, "exited", f"{how_it_ended(ended.returncode)} while {doing}", remedy
            ) from None
        try:
            # Half of a surrogate pair, which JSON can spell, can be neither stored nor shown.
            answer = (
                without_halves(json.loads(line)) if b"\\u" in line or b"\xed" in line else json.loads(line)
            )
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
        try:
            return read_version(told)
        except ValueError as error:
            raise self._failed("version", "invalid-answer", f"version() {error}") from None

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
