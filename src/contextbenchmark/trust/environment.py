"""A Python environment of its own: made by the standard library, and what it holds."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import sysconfig
import venv
from pathlib import Path
from types import SimpleNamespace

from contextbenchmark.errors import EngineError


def python_of(folder: Path) -> Path:
    """Return the interpreter of the environment in ``folder``."""
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


def site_packages_of(folder: Path) -> Path:
    """Return where the environment in ``folder`` keeps its packages, for a Python like ours."""
    base = str(folder)
    names = ("base", "platbase", "installed_base", "installed_platbase")
    return Path(sysconfig.get_path("purelib", "venv", vars=dict.fromkeys(names, base)))


def make_environment(folder: Path) -> None:
    """Make an empty environment in ``folder``, which must not be there yet; it links to our interpreter.

    :raises EngineError: the file system refuses.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _Builder(symlinks=sys.platform != "win32", with_pip=False).create(folder)
    except OSError as error:
        raise EngineError(
            f"No environment can be made in {folder.parent}: {error.strerror or error}.",
            "Free some space, or name another folder in CONTEXTBENCHMARK_CACHE.",
        ) from error


class _Builder(venv.EnvBuilder):
    def setup_scripts(self, context: SimpleNamespace) -> None:
        """Leave the activation scripts out: they would name the folder that the environment is built in."""


def disk_use(folder: Path) -> int:
    """Return the bytes on disk that ``folder`` takes, links not followed; 0 where there is none."""
    total = 0
    pending = [os.fspath(folder)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                found = entry.stat(follow_symlinks=False)
                # Windows tells no blocks.
                total += getattr(found, "st_blocks", -(-found.st_size // 512)) * 512
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return total


def distributions(site_packages: Path) -> tuple[str, ...]:
    """Return ``name==version`` of what is installed in ``site_packages``, sorted; nothing is imported.

    Names are normalised as the packaging standard says (PEP 503). Read from the names of ``*.dist-info`` folders,
    or from ``METADATA`` where such a name does not tell.
    """
    found = set()
    with contextlib.suppress(OSError):
        for entry in os.scandir(site_packages):
            if entry.name.endswith(".dist-info"):
                name, separator, version = entry.name.removesuffix(".dist-info").rpartition("-")
                if not separator or not version[:1].isdigit():
                    name, version = _from_metadata(Path(entry.path))
                if name and version:
                    found.add(f"{re.sub(r'[-_.]+', '-', name).lower()}=={version}")
    return tuple(sorted(found))


def _from_metadata(folder: Path) -> tuple[str, str]:
    fields = {"name": "", "version": ""}
    with contextlib.suppress(OSError, UnicodeDecodeError):
        for line in (folder / "METADATA").read_text("utf-8").splitlines():
            if not line:  # the headers end here
                break
            key, _, value = line.partition(":")
            if key.lower() in fields:
                fields[key.lower()] = value.strip()
    return fields["name"], fields["version"]
