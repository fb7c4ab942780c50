"""What a cell is to do, and what its operations used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from contextbenchmark.core.record import Record
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.corpus import Corpus
from contextbenchmark.trust.observation import SystemIdentity
from contextbenchmark.trust.surroundings import Interpreter

if TYPE_CHECKING:
    from contextbenchmark.trust.embedding import SharedVectors


class ResourceRow(Record):
    """What one operation used; kept apart from observations, since it differs on every run."""

    id: str
    system: str
    cell: str
    attempt: int
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    query_seconds: tuple[float, ...] = ()
    harness_seconds: float = 0.0


class SessionRow(Record):
    """One sitting of a run, from its start to its end: a run that was resumed has several."""

    kind: Literal["session"] = "session"
    seconds: float
    jobs: int
    harness_seconds: float


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Documents to plant, path -> text, and a text to ask for each by its own words."""

    documents: dict[str, str]
    probes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class System:
    """One row of the run, ready to start: the adapter, what runs it, and who it said it is when first opened.

    ``vectors`` are those of the shared embedding step, for an adapter that asks for them.
    """

    name: str
    adapter: Adapter
    interpreter: Interpreter
    artifact_file: str | None
    version: SystemIdentity | None
    vectors: SharedVectors | None = None


@dataclass(frozen=True, kw_only=True)
class CellPlan:
    """What to do: ``passes`` passes over one build of ``corpus``, with ``noise`` planted or not."""

    system: System
    cell: str
    attempt: int
    passes: int
    corpus: Corpus
    k: int
    run_seed: int
    noise: Noise | None = None

    def operation_ids(self) -> tuple[str, ...]:
        """Return the ids of the cell's operations in the order they are done."""
        copies = [f"pass-{number:03d}" for number in range(self.passes)]
        if self.system.artifact_file and self.noise is None:
            copies.append("pass-artifact-file")
        return tuple(f"{self.system.name}/{self.cell}/{name}" for name in ("build", *copies))
