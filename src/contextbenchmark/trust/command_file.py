"""An adapter declared in TOML: any executable that speaks the line protocol."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from contextbenchmark.errors import AdapterReferenceError
from contextbenchmark.trust.adapter_source import read_source


class CommandFile(BaseModel):
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


def command_of(path: Path, command: list[str]) -> tuple[str, ...]:
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


def command_digest(path: Path, command: list[str]) -> str:
    """Return the SHA-256 over the declaration and every part of its command that is a file beside it."""
    digest = hashlib.sha256(read_source(path))
    for part in command_of(path, command):
        if Path(part).is_file():
            digest.update(b"\0" + Path(part).read_bytes())
    return f"sha256:{digest.hexdigest()}"
