"""Defaults from ``[tool.contextbenchmark]`` of the nearest ``pyproject.toml``, and sizes as people write them."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from contextbenchmark.core.reading import read_regular
from contextbenchmark.errors import ConfigurationError

# What can stand in [tool.contextbenchmark]: the options of `run`, in the names of the command line.
RUN_OPTIONS: dict[str, type | tuple[type, ...]] = {
    "adapters": (str, list),
    "corpus": str,
    "queries": str,
    "qrels": str,
    "families": (str, list),
    "rebuilds": int,
    "trials": int,
    "k": int,
    "jobs": int,
    "seed": int,
    "require": str,
    "max-drift": (int, float),
    "baseline": str,
    "out": str,
    "timeout": (int, float),
    "memory": str,
    "noise-documents": int,
    "noise-seeds": int,
}
LARGEST_FILE = 16 << 20
_PARAMETERS: dict[str, str] = {
    "queries": "queries_file",
    "max-drift": "max_drift",
    "noise-documents": "noise_documents",
    "noise-seeds": "noise_seeds",
}


def require_utf8_names() -> None:
    """Refuse to go on where Python reads file names as another encoding: paths, and so hashes, would be others."""
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8":
        raise ConfigurationError(
            f"This Python reads file names as {encoding}; the paths of a corpus are UTF-8.",
            "Set PYTHONUTF8=1 in the environment, or choose a locale with UTF-8.",
        )


def read_defaults(start: Path | None = None) -> dict[str, dict[str, Any]]:
    """Return the defaults for each verb; empty where no file says any.

    :raises ConfigurationError: the file is not TOML, or a key is unknown or of the wrong type.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _read(path)
    return {}


def _read(path: Path) -> dict[str, dict[str, Any]]:
    table: Any
    try:
        data = read_regular(path, LARGEST_FILE)
        if b"contextbenchmark" not in data:
            return {}
        content = tomllib.loads(data.decode("utf-8"))
    except OSError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path} is not TOML: {error}.", "Mend the file.") from error
    tool = content.get("tool", {})
    table = tool.get("contextbenchmark", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise ConfigurationError(
            f"{path}: tool.contextbenchmark is not a table.", "Write [tool.contextbenchmark]."
        )
    found: dict[str, Any] = {}
    for key, value in table.items():
        kinds = RUN_OPTIONS.get(key)
        if kinds is None:
            raise ConfigurationError(
                f"{path}: [tool.contextbenchmark] has the unknown key {key!r}.",
                f"It may hold: {', '.join(RUN_OPTIONS)}.",
            )
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise ConfigurationError(
                f"{path}: {key} is a {type(value).__name__}.", "See contextbenchmark run --help."
            )
        found[_PARAMETERS.get(key) or key] = ",".join(map(str, value)) if isinstance(value, list) else value
    return {"run": found}


def parse_bytes(text: str | None) -> int | None:
    """Return the bytes that ``512M`` or ``4G`` stand for (powers of 1024); None for None."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if not found or float(found[1]) == 0:
        raise ConfigurationError(f"--memory {text!r} is not a size.", "Write it like 512M or 4G.")
    size = float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")
    if not 1 <= size < 2**63:  # what the system can be asked for
        raise ConfigurationError(
            f"--memory {text!r} is more memory than there can be.", "Write it like 512M or 4G."
        )
    return int(size)


def split_names(text: str) -> list[str]:
    """Return the comma-separated names in ``text``, blanks around them dropped."""
    return [part.strip() for part in text.split(",") if part.strip()]
