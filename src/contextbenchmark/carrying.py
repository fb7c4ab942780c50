"""One's own functions, carried into the fresh processes of a run: by reference where they can be imported there,
else by value with cloudpickle. Never by fork: a forked process shares its parent's hash seed and state.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import os
import pickle
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from contextbenchmark.errors import ConfigurationError
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.adapter_source import source_digest

CARRIER = '''"""Written for one run: gives the host the adapter that was pickled beside this file."""

import os
import pickle

with open(os.path.join(os.path.dirname(__file__), "adapter.pickle"), "rb") as stream:
    adapter = pickle.load(stream)
'''


def carry(own: Any, folder: Path) -> Adapter:
    """Return an adapter for ``own``, an object with ``name``, ``build`` and ``query``, stored in ``folder``.

    :raises ConfigurationError: it is no adapter, or cannot be pickled; the message says what to do.
    """
    for needed in ("name", "build", "query"):
        if not hasattr(own, needed):
            raise ConfigurationError(
                f"{own!r} is no adapter: it has no {needed}.",
                "Give build= and query=, a name or file of an adapter, or an object that has name, build and query.",
            )
    data, modules = dump(own)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "adapter.pickle").write_bytes(data)
    path = folder / "adapter.py"
    path.write_text(CARRIER, encoding="utf-8")
    name = str(own.name)
    return Adapter(
        label=name,
        reference=name,
        kind="python",
        name=name,
        source=_digest(data, modules),
        path=path,
        object_name="adapter",
        summary=str(getattr(own, "summary", "")),
        deviations=tuple(getattr(own, "deviations", ())),
        environment=tuple(getattr(own, "environment", ())),
        remote=bool(getattr(own, "remote", False)),
        shared_memory=bool(getattr(own, "shared_memory", False)),
        artifact_file=getattr(own, "artifact_file", None),
        folders=tuple(_search_path()),
    )


def dump(own: Any) -> tuple[bytes, frozenset[str]]:
    """Return ``own`` pickled, and the modules that unpickling it imports in the other process."""
    plain = _Recorder()
    try:
        data: bytes | None = plain.dump_all(own)
    except (pickle.PicklingError, TypeError, AttributeError):
        data = None  # a lambda, a function inside a function
    strangers = sorted(name for name in plain.modules if not can_be_imported(name))
    if data is not None and not strangers:
        return data, frozenset(plain.modules)
    where = strangers[0] if strangers else "a function or class that has no name of its own in a module"
    return _dump_by_value(own, strangers, where), frozenset(plain.modules - set(strangers))


class _Recorder(pickle.Pickler):
    """A pickler that remembers in which modules the functions and classes are that it refers to."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._buffer = io.BytesIO()
        super().__init__(self._buffer)

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, type | FunctionType | BuiltinFunctionType):
            self.modules.add(value.__module__ or "builtins")
        return NotImplemented

    def dump_all(self, value: Any) -> bytes:
        self.dump(value)
        return self._buffer.getvalue()


def _dump_by_value(own: Any, strangers: list[str], where: str) -> bytes:
    try:
        cloudpickle = importlib.import_module("cloudpickle")
    except ModuleNotFoundError:
        raise ConfigurationError(
            f"The retriever {own.name!r} needs {where}, which a fresh process cannot import.",
            "Install cloudpickle beside contextbenchmark, or put the functions into a module of their own.",
        ) from None
    by_value = [sys.modules[name] for name in strangers if name in sys.modules and name != "__main__"]
    with contextlib.ExitStack() as stack:
        for module in by_value:
            cloudpickle.register_pickle_by_value(module)
            stack.callback(cloudpickle.unregister_pickle_by_value, module)
        try:
            data: bytes = cloudpickle.dumps(own)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ConfigurationError(
                f"The retriever {own.name!r} cannot be carried into a fresh process: {error}.",
                "What holds a connection, a lock or a model has to be made inside build() and open().",
            ) from error
    return data


def can_be_imported(name: str) -> bool:
    """Tell whether a fresh process with our search path finds the module ``name``, and finds this same file."""
    if name in ("__main__", "__mp_main__"):
        return False
    loaded = sys.modules.get(name)
    file = getattr(loaded, "__file__", None)
    if file is None:
        return name in sys.builtin_module_names or name.partition(".")[0] in sys.stdlib_module_names
    path: Any = None
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        full = ".".join(parts[:count])
        spec = None
        for finder in sys.meta_path:
            with contextlib.suppress(Exception):  # a finder of somebody's own may do anything
                spec = finder.find_spec(full, path)
            if spec is not None:
                break
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return bool(spec and spec.origin and os.path.exists(spec.origin) and os.path.samefile(spec.origin, file))


def _search_path() -> Iterator[Path]:
    seen = set()
    for entry in sys.path:
        folder = Path(entry or os.curdir).resolve()
        if folder not in seen and folder.is_dir():
            seen.add(folder)
            yield folder


def _digest(data: bytes, modules: frozenset[str]) -> str:
    """Return the SHA-256 over what is carried and the files, other than installed ones, that it refers to."""
    digest = hashlib.sha256(data)
    installed = [Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "purelib", "platlib")]
    for name in sorted(modules):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is None or any(Path(file).resolve().is_relative_to(folder) for folder in installed):
            continue
        digest.update(f"\0{name}\0{source_digest(Path(file))}".encode())
    return f"sha256:{digest.hexdigest()}"
