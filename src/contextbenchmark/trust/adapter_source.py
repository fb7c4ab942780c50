"""What an adapter's source tells without being executed: the literals at its top, and its hash."""

from __future__ import annotations

import ast
import hashlib
import re
from pathlib import Path
from typing import Any

from contextbenchmark.core.reading import read_regular
from contextbenchmark.errors import AdapterReferenceError

# Far above any source that a person has written.
LARGEST_SOURCE = 16 << 20

_LITERALS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "summary": str,
    "requirements": (list, tuple),
    "deviations": (list, tuple),
    "environment": (list, tuple),
    "remote": bool,
    "shared_memory": bool,
    "vectors": bool,
    "artifact_file": (str, type(None)),
}


def read_literals(path: Path) -> dict[str, Any]:
    """Return the contract's attributes that stand as literals at the top of a Python file."""
    try:
        tree = ast.parse(read_source(path), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AdapterReferenceError(f"{path} is not Python: {error}.", "Mend the file.") from error
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
                if not _fits(value, _LITERALS[target]):
                    raise AdapterReferenceError(
                        f"{path}: `{target}` is {_kind(value)}.",
                        "See docs/adapters.md for what it should be.",
                    )
                found[target] = value
    return found


def read_source(path: Path) -> bytes:
    """Return the bytes of an adapter's file; an :class:`AdapterReferenceError` says why they cannot be had."""
    try:
        return read_regular(path, LARGEST_SOURCE)
    except OSError as error:
        raise AdapterReferenceError(
            f"{path} cannot be read: {error.strerror}.",
            "Name the file of an adapter, and check its permissions.",
        ) from error


def _fits(value: object, kind: type | tuple[type, ...]) -> bool:
    """Tell whether a literal is of its kind; lists hold texts, and every text can be written down."""
    if not isinstance(value, kind):
        return False
    parts = value if isinstance(value, (list, tuple)) else [value]
    if isinstance(value, (list, tuple)) and not all(isinstance(part, str) for part in value):
        return False
    return not any(isinstance(part, str) and _torn(part) for part in parts)


def _torn(text: str) -> bool:
    """Tell whether ``text`` holds half of a surrogate pair, which no file and no terminal takes."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def _kind(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "no list of texts"
    return "no valid Unicode" if isinstance(value, str) else f"a {type(value).__name__}"


def source_digest(path: Path) -> str:
    """Return the SHA-256 over the file and the files beside it that it imports, by name and content."""
    digest = hashlib.sha256()
    for member in _source_files(path):
        name, content = member.name.encode("utf-8", "surrogateescape"), read_source(member)
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
        text = read_source(current).decode("utf-8", "replace")
        if current.suffix == ".py":
            names = re.findall(r"^\s*(?:from|import)\s+\.?([A-Za-z_]\w*)", text, re.MULTILINE)
            beside = [current.parent / f"{name}.py" for name in names]
        else:
            names = re.findall(r"(?:from|import)\s*\(?\s*['\"]\./([^'\"]+)['\"]", text)
            beside = [current.parent / name for name in names]
        waiting += [file for file in beside if file.is_file()]
    return [found[name] for name in sorted(found)]
