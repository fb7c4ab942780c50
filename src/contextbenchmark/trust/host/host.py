"""The Python host: answers JSON-RPC 2.0 requests, one a line, by calling an adapter. Standard library only.

Methods: ``hello`` loads the adapter and says who it is; ``build`` and ``update``; ``open`` then ``query``;
``close`` tells what was used, and the process ends. The channel is what were standard input and output when
the process began; they are taken away before the adapter is loaded, so that nothing it prints can reach the
channel. When the channel closes the process ends, whatever it is doing.
"""

from __future__ import annotations

import os
import sys
import time
from _queue import SimpleQueue
from _thread import start_new_thread

import lines  # type: ignore[import-not-found]

# Importing typing costs every operation milliseconds; a type checker takes this branch all the same.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NotReady(Exception):
    """A method was called before the one that it needs."""


class Host:
    """One adapter, loaded once, and the retriever that was opened last."""

    def __init__(self) -> None:
        self.adapter: Any = None
        self.opened: Any = None
        self.out = ""
        self.loop: Any = None

    def settle(self, value: Any) -> Any:
        """Return ``value``, awaited when it is awaitable: one event loop serves all calls of the process."""
        if not hasattr(value, "__await__"):
            return value
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()

        async def wait() -> Any:
            return await value

        return self.loop.run_until_complete(wait())

    def hello(self, parameters: dict[str, Any]) -> dict[str, Any]:
        for folder in parameters["folders"]:
            add_folder(folder)
        self.adapter = load(parameters)
        for needed in ("name", "build", "query"):
            if not hasattr(self.adapter, needed):
                raise AttributeError(f"the adapter has no `{needed}`; an adapter has name, build and query")
        available = True
        if hasattr(self.adapter, "available"):
            available = self.settle(self.adapter.available())
        version = None
        if available is True and hasattr(self.adapter, "version"):
            version = self.settle(self.adapter.version())
        return {
            "name": self.adapter.name,
            "summary": getattr(self.adapter, "summary", ""),
            "artifactFile": getattr(self.adapter, "artifact_file", None),
            "available": available,
            "version": version,
            "canUpdate": hasattr(self.adapter, "update"),
        }

    def build(self, parameters: dict[str, Any]) -> dict[str, Any]:
        self.settle(self.adapter.build(parameters["corpus"], parameters["out"]))
        return {}

    def update(self, parameters: dict[str, Any]) -> dict[str, Any]:
        self.settle(self.adapter.update(parameters["out"], parameters["corpus"], parameters["changes"]))
        return {}

    def embed(self, parameters: dict[str, Any]) -> dict[str, Any]:
        if not hasattr(self.adapter, "embed"):
            raise AttributeError("the adapter has no `embed`: it cannot embed for others")
        self.settle(self.adapter.embed(parameters["corpus"], parameters["out"], parameters["texts"]))
        return {}

    def open(self, parameters: dict[str, Any]) -> dict[str, Any]:
        self.out = parameters["out"]
        if hasattr(self.adapter, "open"):
            self.opened = self.settle(self.adapter.open(self.out))
        return {}

    def query(self, parameters: dict[str, Any]) -> dict[str, Any]:
        if not self.out:
            raise NotReady("query before open")
        text, k = parameters["text"], parameters["k"]
        if self.opened is not None:
            found = self.settle(self.opened.query(text, k))
        else:
            found = self.settle(self.adapter.query(self.out, text, k))
        return {"results": found if found is None else list(found)}

    def close(self, parameters: dict[str, Any]) -> dict[str, Any]:
        closing = getattr(self.opened, "close", None)
        if callable(closing):
            self.settle(closing())
        times = os.times()
        return {
            "cpuSeconds": times.user + times.system + times.children_user + times.children_system,
            "peakMemoryBytes": peak_memory(),
        }


def peak_memory() -> int:
    """Return this process's peak resident memory in bytes. ``ru_maxrss`` would carry over what the parent used."""
    try:
        with open("/proc/self/status", "rb") as stream:
            for line in stream:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def add_folder(folder: str) -> None:
    """Put ``folder`` on the path, with what its ``.pth`` files name (editable installs stand there)."""
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".pth"))
    except OSError:
        return
    for name in names:
        if name != "distutils-precedence.pth":  # only tells setuptools' own distutils from the interpreter's
            read_path_file(os.path.join(folder, name), folder)


def read_path_file(path: str, folder: str) -> None:
    """Do what the ``site`` module does with a ``.pth`` file: lines name folders, or are statements that import."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        lines = stream.read().splitlines()
    for line in lines:
        if line.startswith(("import ", "import\t")):
            exec(line)
        elif line.strip() and not line.startswith("#"):
            named = os.path.join(folder, line.strip())
            if named not in sys.path and os.path.exists(named):
                sys.path.append(named)


def load(parameters: dict[str, Any]) -> Any:
    """Load the adapter by file path or by module name, then the named object in it."""
    if parameters.get("path"):
        path = parameters["path"]
        # Last, not first: an adapter called after its engine (tantivy.py) still imports the engine by that name.
        sys.path.append(os.path.dirname(path))
        # By hand: importing importlib.util would cost every operation milliseconds.
        found: Any = type(sys)("contextbenchmark_adapter")
        found.__file__ = path
        sys.modules[found.__name__] = found
        with open(path, "rb") as stream:
            code = compile(stream.read(), path, "exec", dont_inherit=True)
        exec(code, found.__dict__)
    else:
        import importlib

        found = importlib.import_module(parameters["module"])
    for part in (parameters.get("object") or "").split("."):
        found = getattr(found, part) if part else found
    return found() if isinstance(found, type) else found


def plain(value: Any) -> Any:
    """Return what JSON can hold for a value it does not know: numpy scalars, paths."""
    if hasattr(value, "item"):
        return value.item()
    if hasattr(value, "__fspath__"):
        return os.fspath(value)
    raise TypeError(f"an answer holds a {type(value).__name__}, which is neither text nor a number")


def describe_error(error: BaseException) -> dict[str, Any]:
    import traceback

    lines = traceback.format_exception(type(error), error, error.__traceback__)
    where = {"type": type(error).__name__, "traceback": "".join(lines)[-8000:]}
    return {"code": -32000, "message": f"{type(error).__name__}: {error}"[:2000], "data": where}


def flush_prints() -> None:
    """Flush what was printed: the parent may end this process without notice."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # the adapter has closed or replaced it


def serve(channel_in: int, channel_out: int) -> None:
    """Answer requests until ``close`` or until the channel closes."""
    requests: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        with os.fdopen(channel_in, "rb") as stream:
            for line in stream:
                requests.put(line)
        os._exit(1)

    start_new_thread(read, ())
    host = Host()
    answers = os.fdopen(channel_out, "wb")
    while True:
        request = lines.read(requests.get().decode("utf-8"))
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        began = time.perf_counter()
        try:
            method = getattr(host, request["method"])
            answer["result"] = method(request["params"])
            answer["result"]["seconds"] = time.perf_counter() - began
            line = lines.write(answer, plain)
        except BaseException as error:
            answer.pop("result", None)
            line = lines.write({**answer, "error": describe_error(error)}, plain)
        flush_prints()
        answers.write(line.encode("utf-8", "surrogatepass") + b"\n")
        answers.flush()
        if request["method"] == "close":
            os._exit(0)


def main() -> None:
    """Take the channel away from standard input and output, then serve."""
    channel_in, channel_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    serve(channel_in, channel_out)
