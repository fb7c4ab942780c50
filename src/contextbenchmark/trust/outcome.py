"""What comes of an operation: a description, what it used, or why there is no outcome."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from contextbenchmark.trust.observation import Failure, SystemIdentity


@dataclass(frozen=True, kw_only=True)
class Used:
    """What an operation used. Seconds; bytes. ``query_seconds[i]`` is query i's, in the order asked."""

    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    query_seconds: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Description:
    """What ``hello`` told. ``reason`` says why the adapter is not available, else it is empty."""

    name: str
    summary: str
    artifact_file: str | None
    available: bool
    reason: str
    version: SystemIdentity | None


class OperationFailed(Exception):
    """The adapter, not the harness, is at fault: becomes its ERROR row."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def how_it_ended(returncode: int | None) -> str:
    """Return how a child ended, in words that follow its name."""
    if returncode is None:
        return "closed its channel"
    if returncode < 0:
        try:
            return f"was ended by {signal.Signals(-returncode).name}"
        except ValueError:
            return f"was ended by signal {-returncode}"
    return f"ended with exit status {returncode}"


def read_availability(told: object) -> tuple[bool, str]:
    """Return whether an adapter is available by what ``available()`` told, and why it is not."""
    if told is True:
        return True, ""
    return False, told if isinstance(told, str) and told else "available() said no, without a reason"


def read_version(told: Any) -> SystemIdentity | None:
    """Return what ``version()`` told; ValueError where that is neither a text nor ``{id, source, note}``."""
    if told is None:
        return None
    try:
        return SystemIdentity(id=told) if isinstance(told, str) else SystemIdentity.model_validate(told)
    except ValidationError:
        raise ValueError(f"returned {str(told)[:200]!r}, not a text or {{id, source, note}}") from None
