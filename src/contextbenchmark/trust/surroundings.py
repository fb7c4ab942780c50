"""What a child is started with: an interpreter, a command line, and an environment made for one operation."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import py_compile
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.canonical import compact_json
from contextbenchmark.trust import host as host_package
from contextbenchmark.trust.adapter import Adapter

HOST = Path(host_package.__file__).parent


# What a child may see of our environment: how to find programs and certificates, and what the user set about
# numerics and threads. Everything else is made for the operation or left out.
PASSED_ON = ("PATH", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
             "SSL_CERT_FILE", "SSL_CERT_DIR")  # fmt: skip


# Where an adapter with `vectors = True` finds them: folders, joined as in PATH. Any kind of host can read it.
VECTORS_VARIABLE = "CONTEXTBENCHMARK_VECTORS"

PASSED_ON_PREFIXES = ("OPENBLAS_", "OMP_", "MKL_", "GOTO_", "NUMEXPR_")


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """What runs a Python adapter: an executable and the folders put on its path by hand."""

    python: Path
    folders: tuple[Path, ...]


@functools.cache
def compile_host() -> None:
    """Have the host's byte code lie beside it: children may not write there, and would compile it each time."""
    for source in (HOST / "host.py", HOST / "lines.py"):
        with contextlib.suppress(OSError, py_compile.PyCompileError):
            cached = Path(importlib.util.cache_from_source(str(source)))
            if not cached.exists() or cached.stat().st_mtime_ns < source.stat().st_mtime_ns:
                py_compile.compile(str(source), doraise=True, quiet=1)


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


def command_line(
    adapter: Adapter, interpreter: Interpreter, *, memory_bytes: int | None, writable: Sequence[Path]
) -> list[str]:
    """Return the command that starts an adapter's host: through ``launch.py``, which sets its limits first.

    :raises FileNotFoundError: Node is needed and missing.
    """
    compile_host()
    shared = ["/dev/shm"] if adapter.shared_memory and Path("/dev/shm").is_dir() else []
    config = {
        "memoryBytes": memory_bytes,
        "confine": True,
        "writable": [*(str(folder) for folder in writable), *shared],
    }
    launch = [str(interpreter.python), "-s", "-S", "-P", str(HOST / "launch.py"), compact_json(config)]
    if adapter.kind == "python":
        return launch
    if adapter.kind == "node":
        node = shutil.which("node")
        if node is None:
            raise FileNotFoundError(2, "Node.js is not on the PATH")
        target = [node, str(HOST / "host.mjs"), str(adapter.path)]
    else:
        target = list(adapter.command)
    return target if sys.platform == "win32" else [*launch, *target]


def environment(adapter: Adapter, own: Path, seed: int, vectors: Sequence[Path] = ()) -> dict[str, str]:
    """Return the whole environment of a child whose own folders stand in ``own``; ``seed`` is its hash seed.

    ``vectors`` are folders that an adapter which asks for vectors finds them in.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name in adapter.environment or name.startswith(PASSED_ON_PREFIXES)
    }
    home, tmp = str(own / "home"), str(own / "tmp")
    xdg = {f"XDG_{name}_HOME": f"{home}/.{name.lower()}" for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    given = {VECTORS_VARIABLE: os.pathsep.join(map(str, vectors))} if vectors else {}
    return {
        **kept,
        **xdg,
        **given,
        "HOME": home,
        "USERPROFILE": home,
        "XDG_RUNTIME_DIR": tmp,
        "TMPDIR": tmp,
        "TEMP": tmp,
        "TMP": tmp,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(seed),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
