"""The adapter contract, and how a reference on the command line leads to one.

An adapter is a plain module or object with ``name``, ``build(corpus_dir, out_dir)`` and
``query(out_dir, text, k) -> [{"file": str, "score": float | None}]``, and optionally ``artifact_file``,
``available()``, ``version()``, ``update(out_dir, corpus_dir, changes)`` and ``open(out_dir)``; each may be async.

Nothing of an adapter is executed in this process: what is needed before its child starts (``requirements``,
``summary`` and the like) is read from the literals at the top of its file.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.metadata
import importlib.util
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contextbenchmark.errors import AdapterReferenceError

ENTRY_POINT_GROUP = "contextbenchmark.adapters"
AdapterKind = Literal["python", "node", "command"]


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How to start one adapter, known without running it.

    ``label`` is the row's name, as asked for; ``version`` the engine version asked for with ``@``. A Python
    adapter is loaded from ``path`` or, when that is None, imported as ``module``; ``object_name`` is looked up in
    it. ``requirements`` not empty: it runs in an environment of its own. ``source`` is the SHA-256 over the
    adapter's file and the files beside it that it imports.
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
    names = sorted(points)
    near = difflib.get_close_matches(text.partition("@")[0], names, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else f" Known: {', '.join(names)}."
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
    facts = _literals(path)
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
    return _python_adapter(text, path, _literals(path))


def _from_module(text: str) -> Adapter:
    module, _, object_name = text.partition(":")
    path = _module_file(module, text)
    facts = _literals(path)
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
        source=_source_digest(path),
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
        artifact_file=facts.get("artifact_file"),
        folders=(Path.cwd(),) if module else (),
    )


def _from_node(text: str, path: Path) -> Adapter:
    found = re.search(r"export\s+const\s+name\s*=\s*(['\"])([^'\"\n]+)\1", path.read_text("utf-8", "replace"))
    name = found[2] if found else path.stem
    return Adapter(label=name, reference=text, kind="node", name=name, source=_source_digest(path), path=path)


class _CommandFile(BaseModel):
    """An adapter declared in TOML: any executable that speaks the line protocol."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["command"]
    name: str = Field(min_length=1)
    command: list[str] = Field(min_length=1)
    summary: str = ""
    artifact_file: str | None = None
    deviations: list[str] = []
    environment: list[str] = []
    remote: bool = False
    shared_memory: bool = False


def _from_toml(text: str, path: Path) -> Adapter:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise AdapterReferenceError(f"{text} is not TOML: {error}.", "Mend the file.") from error
    if found.get("kind") == "mcp":
        raise AdapterReferenceError(
            f'{text} is of kind "mcp", which this release does not run yet.',
            'Use kind = "command" meanwhile.',
        )
    try:
        declared = _CommandFile.model_validate(found)
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
        source=_command_digest(path, declared.command),
        path=path,
        summary=declared.summary,
        deviations=tuple(declared.deviations),
        remote=declared.remote,
        environment=tuple(declared.environment),
        shared_memory=declared.shared_memory,
        command=_command_line(path, declared.command),
        artifact_file=declared.artifact_file,
    )


def _command_line(path: Path, command: list[str]) -> tuple[str, ...]:
    """Return the command with its executable as a full path; arguments that name files beside the TOML too."""
    beside = path.parent / command[0]
    executable = str(beside.resolve()) if beside.is_file() else shutil.which(command[0])
    if executable is None:
        raise AdapterReferenceError(
            f"{path.name}: the command {command[0]!r} is neither beside the file nor on the PATH.",
            "Install it or write its path.",
        )
    rest = [
        str((path.parent / part).resolve()) if (path.parent / part).is_file() else part
        for part in command[1:]
    ]
    return (executable, *rest)


def _module_file(module: str, text: str) -> Path:
    try:
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.append(str(Path.cwd()))
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError) as error:
        raise AdapterReferenceError(
            f"{text}: the module {module} cannot be found ({error}).",
            "Install its package or check the name.",
        ) from error
    except Exception as error:  # a parent package's own code ran and failed
        raise AdapterReferenceError(
            f"{text}: importing the package of {module} failed: {type(error).__name__}: {error}.",
            "Mend that package.",
        ) from error
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        raise AdapterReferenceError(
            f"{text}: there is no Python file for the module {module}.",
            "Install its package or check the name.",
        )
    return Path(spec.origin)


_LITERALS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "summary": str,
    "requirements": (list, tuple),
    "deviations": (list, tuple),
    "environment": (list, tuple),
    "remote": bool,
    "shared_memory": bool,
    "artifact_file": (str, type(None)),
}


def _literals(path: Path) -> dict[str, Any]:
    """Return the contract's attributes that stand as literals at the top of a Python file."""
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AdapterReferenceError(f"{path} is not Python: {error}.", "Mend the file.") from error
    except OSError as error:
        raise AdapterReferenceError(
            f"{path} cannot be read: {error.strerror}.", "Check its permissions."
        ) from error
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            targets = [node.target.id]
        else:
            continue
        for target in targets:
            if target in _LITERALS and node.value is not None:
                try:
                    value = ast.literal_eval(node.value)
                except (ValueError, TypeError, SyntaxError):
                    continue  # computed: the child will tell
                if not isinstance(value, _LITERALS[target]):
                    raise AdapterReferenceError(
                        f"{path}: `{target}` is a {type(value).__name__}.",
                        "See docs/adapters.md for what it should be.",
                    )
                found[target] = value
    return found


def _source_digest(path: Path) -> str:
    """Return the SHA-256 over the file and the files beside it that it imports, by name and content."""
    digest = hashlib.sha256()
    for member in _source_files(path):
        name, content = member.name.encode(), member.read_bytes()
        digest.update(len(name).to_bytes(8, "big") + name + len(content).to_bytes(8, "big") + content)
    return f"sha256:{digest.hexdigest()}"


def _source_files(path: Path) -> list[Path]:
    found: dict[str, Path] = {}
    waiting = [path]
    while waiting:
        current = waiting.pop()
        if current.name in found:
            continue
        found[current.name] = current
        text = current.read_text("utf-8", "replace")
        if current.suffix == ".py":
            names = re.findall(r"^\s*(?:from|import)\s+\.?([A-Za-z_]\w*)", text, re.MULTILINE)
            beside = [current.parent / f"{name}.py" for name in names]
        else:
            names = re.findall(r"(?:from|import)\s*\(?\s*['\"]\./([^'\"]+)['\"]", text)
            beside = [current.parent / name for name in names]
        waiting += [file for file in beside if file.is_file()]
    return [found[name] for name in sorted(found)]


def _command_digest(path: Path, command: list[str]) -> str:
    """Return the SHA-256 over the declaration and every part of its command that is a file beside it."""
    digest = hashlib.sha256(path.read_bytes())
    for part in _command_line(path, command):
        if Path(part).is_file():
            digest.update(b"\0" + Path(part).read_bytes())
    return f"sha256:{digest.hexdigest()}"
