"""An environment for each engine and version, made from the adapter's requirements on first use.

As pre-commit does for hooks: engines never conflict with one another or with us, versions stand side by side, and
our own dependencies stay few. An environment is built beside its place and renamed into it when complete, with a
marker written last, so that one which was interrupted never looks like a finished one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
import platform
import secrets
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.folders import cache_folder, locked
from contextbenchmark.core.names import safe_name
from contextbenchmark.core.record import Record, write_whole
from contextbenchmark.errors import EngineError, RunFolderError
from contextbenchmark.trust.environment import (
    disk_use,
    distributions,
    make_environment,
    python_of,
    site_packages_of,
)
from contextbenchmark.trust.packages import install_packages, pinned_version, with_version
from contextbenchmark.trust.workplace import Workplace, remove_tree

__all__ = ["Engine", "disk_use", "distributions", "engine_for", "install", "installed_engines", "remove"]

MARKER = "contextbenchmark-engine.json"
_ELSEWHERE = "Name another folder in CONTEXTBENCHMARK_CACHE."


class Marker(Record):
    """What stands in a finished environment."""

    schema_: Literal["contextbenchmark.engine/1"] = Field("contextbenchmark.engine/1", alias="schema")
    name: str
    version: str | None
    requirements: tuple[str, ...]
    python: str
    digest: str


@dataclass(frozen=True, kw_only=True)
class Engine:
    """The environment of one engine: where it is, or would be.

    ``version`` is the one asked for with ``@``, None for the one that the adapter declares. ``requirements`` are what
    pip is given, that version applied. ``digest`` (SHA-256, hex) is over them and what else decides which packages
    are chosen. ``python`` and ``site_packages`` exist when ``installed``.
    """

    name: str
    version: str | None
    requirements: tuple[str, ...]
    digest: str
    folder: Path
    python: Path
    site_packages: Path
    python_version: str
    installed: bool

    @property
    def label(self) -> str:
        """Return the name as it is asked for: ``name`` or ``name@version``."""
        return f"{self.name}@{self.version}" if self.version else self.name

    @property
    def known_version(self) -> str:
        """Return the version asked for, else the one that the first requirement pins, else ``any``."""
        return self.version or pinned_version(self.requirements) or "any"


def engines_folder() -> Path:
    """Return the folder that holds all engines' environments; it need not exist yet."""
    return cache_folder() / "engines"


def engine_for(name: str, requirements: Sequence[str], version: str | None = None) -> Engine:
    """Return the environment for an adapter's ``requirements``, the first of them at ``version`` where one is given.

    :raises EngineError: there are none, or the version is not one that can be asked for.
    """
    wanted = with_version(name, requirements, version)
    digest = _digest(wanted)
    shown = version or pinned_version(wanted) or "any"
    folder = engines_folder() / f"{safe_name(name)}@{safe_name(shown)}-{digest[:12]}"
    return Engine(
        name=name,
        version=version,
        requirements=wanted,
        digest=digest,
        folder=folder,
        python=python_of(folder),
        site_packages=site_packages_of(folder),
        python_version=platform.python_version(),
        installed=_is_finished(folder, digest),
    )


def _digest(requirements: Sequence[str]) -> str:
    """Return a digest over what decides which packages are chosen, and which interpreter they are for."""
    constraints = []
    for path in os.environ.get("PIP_CONSTRAINT", "").split():
        with contextlib.suppress(OSError):
            constraints.append(hashlib.sha256(Path(path).read_bytes()).hexdigest())
    facts = {
        "requirements": list(requirements),
        "implementation": sys.implementation.name,
        "python": platform.python_version(),
        # The environment's interpreter is a link to this one.
        "prefix": sys.base_prefix,
        "abi": str(sysconfig.get_config_var("SOABI") or ""),
        "platform": sysconfig.get_platform(),
        "constraints": constraints,
    }
    return hashlib.sha256(canonical_json(facts)).hexdigest()


def _is_finished(folder: Path, digest: str) -> bool:
    # The link to the interpreter leads nowhere once that Python has been removed.
    marker = _read_marker(folder)
    return marker is not None and marker.digest == digest and python_of(folder).exists()


def _read_marker(folder: Path) -> Marker | None:
    with contextlib.suppress(OSError, ValidationError):
        return Marker.model_validate_json((folder / MARKER).read_bytes())
    return None


def install(engine: Engine, report: Callable[[str], None]) -> Engine:
    """Make the environment unless it is there; ``report`` is told what goes on, a line at a time.

    Two processes that want the same one take turns. A kill leaves nothing that counts as installed, and what it
    leaves is cleared away by the next installation of the same engine.

    :raises EngineError: why it cannot be made (no such version, no network, a full disk, ...) and what to do.
    """
    if _is_finished(engine.folder, engine.digest):
        return dataclasses.replace(engine, installed=True)
    report(f"{engine.label}: installing {', '.join(engine.requirements)} (once)")
    with _locked(engine):
        if not _is_finished(engine.folder, engine.digest):
            _clear_partial(engine.folder.name)
            _build(engine, report)
    return dataclasses.replace(engine, installed=True)


def _build(engine: Engine, report: Callable[[str], None]) -> None:
    # A name that was never used: a pip that outlives a killed run for a moment cannot write into this one.
    partial = _partial_folder() / f"{engine.folder.name}.{secrets.token_hex(4)}"
    try:
        with Workplace() as workplace:
            make_environment(partial)
            install_packages(workplace, partial, engine.requirements, engine.label, report)
        marker = Marker(
            name=engine.name,
            version=engine.version,
            requirements=engine.requirements,
            python=engine.python_version,
            digest=engine.digest,
        )
        write_whole(partial / MARKER, marker.to_json(indent=1) + "\n")
        _remove_folder(engine.folder)
        partial.rename(engine.folder)
    finally:
        _remove_folder(partial)


@contextlib.contextmanager
def _locked(engine: Engine) -> Iterator[None]:
    """Keep other processes out; say what the file system refused in words that fit an engine (no --out here)."""
    try:
        with locked(engines_folder() / "locks" / f"{engine.folder.name}.lock"):
            yield
    except RunFolderError as error:
        raise EngineError(f"{engine.label}: {error.problem}", _ELSEWHERE) from error
    except OSError as error:
        where = error.filename or engines_folder()
        raise EngineError(f"{engine.label}: {error.strerror or error}: {where}.", _ELSEWHERE) from error


def _partial_folder() -> Path:
    return engines_folder() / "partial"


def _clear_partial(prefix: str) -> None:
    if _partial_folder().is_dir():
        for entry in _partial_folder().iterdir():
            if entry.name.startswith(f"{prefix}."):
                _remove_folder(entry)


def _remove_folder(folder: Path) -> None:
    """Remove an environment; its marker first, so that half of one never looks like a whole one."""
    if folder.is_dir():
        (folder / MARKER).unlink(missing_ok=True)
        remove_tree(folder)


def installed_engines() -> list[Engine]:
    """Return all finished environments, also of another Python, sorted by name and version.

    ``installed`` is False for one whose Python has been removed since: it can only be removed.
    """
    folders = sorted(engines_folder().iterdir()) if engines_folder().is_dir() else []
    marked = [(folder, _read_marker(folder)) for folder in folders]
    found = [_engine_of(folder, marker) for folder, marker in marked if marker is not None]
    return sorted(found, key=lambda engine: (engine.name, engine.known_version, engine.folder.name))


def _engine_of(folder: Path, marker: Marker) -> Engine:
    return Engine(
        name=marker.name,
        version=marker.version,
        requirements=marker.requirements,
        digest=marker.digest,
        folder=folder,
        python=python_of(folder),
        site_packages=next(iter(sorted(folder.glob("lib/python*/site-packages"))), site_packages_of(folder)),
        python_version=marker.python,
        installed=python_of(folder).exists(),
    )


def remove(engine: Engine) -> int:
    """Remove the environment and what interrupted installations of it left; return the bytes that this freed.

    :raises EngineError: the file system refuses.
    """
    with _locked(engine):
        freed = disk_use(engine.folder)
        _remove_folder(engine.folder)
        _clear_partial(engine.folder.name)
    return freed
