"""The adapter contract, and how a reference on the command line leads to one.

An adapter is a plain module or object with ``name``, ``build(corpus_dir, out_dir)`` and
``query(out_dir, text, k) -> [{"file": str, "score": float | None}]``, and optionally ``artifact_file``,
``available()``, ``version()``, ``update(out_dir, corpus_dir, changes)`` and ``open(out_dir)``; each may be async.

Nothing of an adapter is executed in this process: what is needed before its child starts (``requirements``,
``summary`` and the like) is read from the literals at the top of its file.
"""

from __future__ import annotations

import difflib
import importlib.metadata
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from contextbenchmark.errors import AdapterReferenceError
from contextbenchmark.trust.adapter_source import read_literals, read_source, source_digest
from contextbenchmark.trust.command_file import CommandFile, command_digest, command_of

ENTRY_POINT_GROUP = "contextbenchmark.adapters"
AdapterKind = Literal["python", "node", "command"]


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How to start one adapter, known without running it.

    ``label`` is the row's name, as asked for; ``version`` the engine version asked for with ``@``. A Python
    adapter is loaded from ``path`` or, when that is None, imported as ``module``; ``object_name`` is looked up in
    it. ``requirements`` not empty: it runs in an environment of its own. ``vectors``: it is given those of the
    shared embedding step. ``source`` is the SHA-256 over its file and the files beside it that it imports.
    """

    label: str
    reference: str
    kind: AdapterKind
    name: str
    source: str
    path: Path | None = None
    module: str | None = None
    object_name: str | None = None
    version: str | None = None
    requirements: tuple[str, ...] = ()
    summary: str = ""
    deviations: tuple[str, ...] = ()
    remote: bool = False
    environment: tuple[str, ...] = ()
    shared_memory: bool = False
    vectors: bool = False
    command: tuple[str, ...] = ()
    artifact_file: str | None = None
    folders: tuple[Path, ...] = ()


def resolve(reference: str) -> Adapter:
    """Return the adapter that ``reference`` names.

    An entry point (``bm25``, ``tantivy@0.27.0``), ``path.py``, ``path.mjs``, ``path.toml``, or
    ``package.module[:object]``.

    :raises AdapterReferenceError: nothing is there, with the nearest names; or it cannot be read.
    """
    text = reference.strip()
    bare, _, version = text.partition("@")
    points = _entry_points()
    if bare in points:
        return _from_entry_point(text, bare, version or None, points[bare])
    suffix = Path(text).suffix.lower()
    if suffix in (".py", ".mjs", ".toml"):
        path = Path(text)
        if not path.is_file():
            raise AdapterReferenceError(
                f"There is no adapter file {text}.{_near_files(path)}", "Check the path."
            )
        return {".py": _from_python, ".mjs": _from_node, ".toml": _from_toml}[suffix](text, path.resolve())
    if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(:[A-Za-z_][\w.]*)?", text) and (
        "." in text or ":" in text
    ):
        return _from_module(text)
    raise _unknown(text, points)


def available_names() -> tuple[str, ...]:
    """Return the names that entry points give, sorted."""
    return tuple(sorted(_entry_points()))


def _entry_points() -> dict[str, importlib.metadata.EntryPoint]:
    return {point.name: point for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)}


def _unknown(text: str, points: Iterable[str]) -> AdapterReferenceError:
    near = difflib.get_close_matches(text.partition("@")[0], points, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else f" Known: {', '.join(sorted(points))}."
    return AdapterReferenceError(
        f"There is no adapter {text!r}.{hint}",
        "An adapter of your own is named by its file (my_adapter.py, .mjs or .toml) or as package.module:object; "
        "one from a package is there once that package is installed beside contextbenchmark.",
    )


def _near_files(path: Path) -> str:
    if not path.parent.is_dir():
        return f" The folder {path.parent} does not exist either."
    near = difflib.get_close_matches(
        path.name, [entry.name for entry in path.parent.iterdir()], n=3, cutoff=0.5
    )
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _from_entry_point(
    text: str, bare: str, version: str | None, point: importlib.metadata.EntryPoint
) -> Adapter:
    path = _module_file(point.module, text)
    facts = read_literals(path)
    requirements = tuple(facts.get("requirements", ()))
    if version and not requirements:
        raise AdapterReferenceError(
            f"{text} asks for version {version}, but {bare} runs in this interpreter and has no versions to choose.",
            f"Ask for {bare}.",
        )
    # An engine's environment does not hold the package that the adapter came with, so its file is all there is.
    by_path = bool(requirements) or point.module.startswith("contextbenchmark.")
    return _python_adapter(
        text,
        path,
        facts,
        name=bare,
        module=None if by_path else point.module,
        object_name=point.attr or None,
        version=version,
    )


def _from_python(text: str, path: Path) -> Adapter:
    return _python_adapter(text, path, read_literals(path))


def _from_module(text: str) -> Adapter:
    module, _, object_name = text.partition(":")
    path = _module_file(module, text)
    facts = read_literals(path)
    by_path = bool(facts.get("requirements"))
    name = object_name.rpartition(".")[2] if object_name else None
    return _python_adapter(
        text, path, facts, name=name, module=None if by_path else module, object_name=object_name or None
    )


def _python_adapter(
    text: str,
    path: Path,
    facts: Mapping[str, Any],
    *,
    name: str | None = None,
    module: str | None = None,
    object_name: str | None = None,
    version: str | None = None,
) -> Adapter:
    known = name or facts.get("name") or path.stem
    return Adapter(
        label=f"{known}@{version}" if version else known,
        reference=text,
        kind="python",
        name=known,
        source=source_digest(path),
        path=None if module else path,
        module=module,
        object_name=object_name,
        version=version,
        requirements=tuple(facts.get("requirements", ())),
        summary=facts.get("summary", ""),
        deviations=tuple(facts.get("deviations", ())),
        remote=bool(facts.get("remote", False)),
        environment=tuple(facts.get("environment", ())),
        shared_memory=bool(facts.get("shared_memory", False)),
        vectors=bool(facts.get("vectors", False)),
        artifact_file=facts.get("artifact_file"),
        folders=(Path.cwd(),) if module else (),
    )


def _from_node(text: str, path: Path) -> Adapter:
    found = re.search(rb"export\s+const\s+name\s*=\s*(['\"])([^'\"\n]+)\1", read_source(path))
    name = found[2].decode("utf-8", "replace") if found else path.stem
    return Adapter(label=name, reference=text, kind="node", name=name, source=source_digest(path), path=path)


def _from_toml(text: str, path: Path) -> Adapter:
    try:
        found = tomllib.loads(read_source(path).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise AdapterReferenceError(f"{text} is not TOML: {error}.", "Mend the file.") from error
    if found.get("kind") == "mcp":
        raise AdapterReferenceError(
            f'{text} is of kind "mcp", which this release does not run yet.',
            'Use kind = "command" meanwhile.',
        )
    try:
        declared = CommandFile.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise AdapterReferenceError(
            f"{text}: {where}: {first['msg']}.",
            'A command adapter has kind = "command", name and command = [...].',
        ) from error
    return Adapter(
        label=declared.name,
        reference=text,
        kind="command",
        name=declared.name,
        source=command_digest(path, declared.command),
        path=path,
        summary=declared.summary,
        deviations=tuple(declared.deviations),
        remote=declared.remote,
        environment=tuple(declared.environment),
        shared_memory=declared.shared_memory,
        command=command_of(path, declared.command),
        artifact_file=declared.artifact_file,
    )


def _module_file(module: str, text: str) -> Path:
    try:
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.append(str(Path.cwd()))
        spec = importlib.util.find_spec(module)
    except Exception as error:  # looking for a submodule runs its parent package, which may fail in any way
        raise AdapterReferenceError(
            f"{text}: the module {module} cannot be found: {type(error).__name__}: {error}.",
            "Install its package, or mend it.",
        ) from error
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        raise AdapterReferenceError(
            f"{text}: there is no Python file for the module {module}.",
            "Install its package or check the name.",
        )
    return Path(spec.origin)
