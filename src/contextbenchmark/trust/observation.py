"""What is stored of a run: one row an operation, each distinct result list once. Never rewritten.

``observations.jsonl`` holds the rows below in the order in which operations ended; readers order them by
operation id. What an operation used (time, memory) goes to ``resources.jsonl``, so that the observations of
a deterministic system are the same bytes' worth of facts on every run.

Operation ids are ``<system>/<cell>/build`` and ``<system>/<cell>/pass-<nnn>``; a *cell* is one build with the
passes over it: ``base-<nnn>`` (the corpus as it is) or ``noise-<nnn>`` (with noise documents).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from contextbenchmark.core.canonical import compact_json, ranked_list_json
from contextbenchmark.core.record import Record

OBSERVATION_SCHEMA = "contextbenchmark.observation/1"
EMPTY_LIST_HASH = hashlib.sha256(b"[]").hexdigest()

PassCopy = Literal["pristine", "reopened", "artifact-file"]
FailureKind = Literal[
    "raised",
    "exited",
    "timed-out",
    "out-of-memory",
    "malformed",
    "invalid-answer",
    "version-changed",
    "not-started",
]


class SystemIdentity(Record):
    """What an adapter says it is: the seed's ``version()``; ``None`` in its place means undeclared."""

    id: str
    source: Literal["content-hash", "git-sha", "declared"] = "declared"
    note: str | None = None


class ArtifactFile(Record):
    """One file of an artifact. ``size`` in bytes, ``sha256`` of its content in hex."""

    path: str
    size: int
    sha256: str


class Artifact(Record):
    """What a build left, hashed before any query touched it.

    ``hash`` is the tree hash of the whole folder (spec: Hashes), ``tree_digest`` the injective one.
    ``declared_file`` is the adapter's ``artifact_file``, ``None`` where it declares none.
    No files, or only empty ones, means that the artifact is absent (``bytes`` 0).
    """

    hash: str
    tree_digest: str
    bytes: int
    files: tuple[ArtifactFile, ...]
    declared_file: str | None = None


class Failure(Record):
    """Why an operation has no outcome. ``output`` is the end of what the child printed."""

    phase: Literal["start", "build", "open", "query", "version", "update"]
    kind: FailureKind
    message: str
    remedy: str = ""
    output: str = ""


class BuildRow(Record):
    """One build. ``failure`` is None when it succeeded, else ``artifact`` is None."""

    kind: Literal["build"] = "build"
    id: str
    system: str
    cell: str
    attempt: int = 1
    seed: int
    version: SystemIdentity | None = None
    artifact: Artifact | None = None
    failure: Failure | None = None


class PassRow(Record):
    """One pass over all queries in one fresh process.

    ``lists[i]`` is the result hash of query ``i`` (see :class:`ListRow`), ``scores[i]`` the hash of its scores
    or None where all were null; ``again[i]`` the result hash of query ``i`` asked once more at the end of the
    pass (the first three). ``artifact_changed`` tells whether the pass changed the copy that it read.
    ``reopens`` is the pass whose copy this one reopened.
    """

    kind: Literal["pass"] = "pass"
    id: str
    system: str
    cell: str
    attempt: int = 1
    seed: int
    copy_kind: PassCopy
    reopens: str | None = None
    version: SystemIdentity | None = None
    lists: tuple[str, ...] = ()
    scores: tuple[str | None, ...] = ()
    again: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    artifact_changed: bool = False
    failure: Failure | None = None


class ListRow(Record):
    """A distinct ranked list, most relevant first; ``hash`` is the SHA-256 of its JSON (spec: Hashes)."""

    kind: Literal["list"] = "list"
    hash: str
    files: tuple[str, ...]


class ScoresRow(Record):
    """The scores of a ranked list, one an entry, None where the adapter gave none."""

    kind: Literal["scores"] = "scores"
    hash: str
    scores: tuple[float | None, ...]


class NoiseRow(Record):
    """The documents put into a noise cell: path -> text, and the words to ask for them by, one text a document."""

    kind: Literal["noise"] = "noise"
    cell: str
    system: str
    attempt: int = 1
    documents: dict[str, str]
    probes: tuple[str, ...]


class CellRow(Record):
    """The mark that every operation of a cell's attempt has ended; rows of unmarked attempts are half builds."""

    kind: Literal["cell"] = "cell"
    system: str
    cell: str
    attempt: int = 1


class SystemRow(Record):
    """What was found when a system was first opened: unavailable with its reason, or who it says it is."""

    kind: Literal["system"] = "system"
    system: str
    available: bool
    reason: str = ""
    remedy: str = ""
    version: SystemIdentity | None = None
    failure: Failure | None = None


Row = Annotated[
    BuildRow | PassRow | ListRow | ScoresRow | NoiseRow | CellRow | SystemRow, Field(discriminator="kind")
]
ROW: TypeAdapter[Row] = TypeAdapter(Row)


def list_hash(files: Sequence[str]) -> str:
    """Return the result hash of a ranked list of paths: SHA-256, hex, over its JSON without white space."""
    return hashlib.sha256(ranked_list_json(files)).hexdigest()


def scores_hash(scores: Sequence[float | None]) -> str:
    """Return the SHA-256, hex, over the JSON array of ``scores``."""
    return hashlib.sha256(compact_json(list(scores)).encode()).hexdigest()


class Observations:
    """All rows of a run that count: complete cells only, each system's rows ordered by operation id.

    The base cells are what levels are about; noise cells belong to drift. ``lists`` maps a result hash to its
    ranked paths, ``scores`` a scores hash to its scores.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.lists: dict[str, tuple[str, ...]] = {EMPTY_LIST_HASH: ()}
        self.scores: dict[str, tuple[float | None, ...]] = {}
        self.systems: dict[str, SystemRow] = {}
        kept: list[Row] = list(rows)
        complete = {(r.system, r.cell): r.attempt for r in kept if isinstance(r, CellRow)}
        self._builds: dict[str, list[BuildRow]] = {}
        self._passes: dict[str, list[PassRow]] = {}
        self._noise: dict[tuple[str, str], NoiseRow] = {}
        for row in kept:
            if isinstance(row, ListRow):
                self.lists[row.hash] = row.files
            elif isinstance(row, ScoresRow):
                self.scores[row.hash] = row.scores
            elif isinstance(row, SystemRow):
                self.systems[row.system] = row
            elif not isinstance(row, CellRow) and complete.get((row.system, row.cell)) == row.attempt:
                if isinstance(row, BuildRow):
                    self._builds.setdefault(row.system, []).append(row)
                elif isinstance(row, PassRow):
                    self._passes.setdefault(row.system, []).append(row)
                else:
                    self._noise[row.system, row.cell] = row
        for builds in self._builds.values():
            builds.sort(key=lambda row: row.id)
        for passes in self._passes.values():
            passes.sort(key=lambda row: row.id)

    def builds(self, system: str, cells: str = "base-") -> tuple[BuildRow, ...]:
        """Return the builds of ``system`` in cells whose name starts with ``cells``, ordered by id."""
        return tuple(row for row in self._builds.get(system, ()) if row.cell.startswith(cells))

    def passes(self, system: str, cells: str = "base-") -> tuple[PassRow, ...]:
        """Return the passes of ``system`` in cells whose name starts with ``cells``, ordered by id."""
        return tuple(row for row in self._passes.get(system, ()) if row.cell.startswith(cells))

    def noise(self, system: str) -> Mapping[str, NoiseRow]:
        """Return what was planted in each noise cell of ``system``, by cell name."""
        return {cell: row for (name, cell), row in sorted(self._noise.items()) if name == system}

    def failures(self, system: str) -> tuple[Failure, ...]:
        """Return every failure of ``system``, ordered by operation id.

        A pass that was given nothing but the declared artifact file may fail: then that file is not what queries
        read, which is a finding, not an error.
        """
        passes = (row for row in self._passes.get(system, ()) if row.copy_kind != "artifact-file")
        rows = [*self._builds.get(system, ()), *passes]
        return tuple(row.failure for row in sorted(rows, key=lambda row: row.id) if row.failure is not None)
