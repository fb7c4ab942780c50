"""The evidence of a run on disk: what was asked (``run.json``), what happened (``observations.jsonl``), what it
used (``resources.jsonl``). Written once, appended to, never rewritten; everything else is derived from it."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from contextbenchmark.core.folders import lock_at_once
from contextbenchmark.core.machine import Machine
from contextbenchmark.core.reading import read_regular
from contextbenchmark.core.record import LineLog, Record, make_folder, read_lines, write_whole
from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.cell_plan import ResourceRow, SessionRow
from contextbenchmark.trust.corpus import Query
from contextbenchmark.trust.embedding import EmbeddingFacts
from contextbenchmark.trust.evidence import check_evidence, differences, mark_newest, newest_run
from contextbenchmark.trust.observation import ROW, ListRow, Observations, Row, ScoresRow
from contextbenchmark.trust.record import Parameters

# Queries make up most of it, and a file of queries may have 64 MiB.
LARGEST_MANIFEST = 256 << 20
RUN_SCHEMA: Literal["contextbenchmark.run/1"] = "contextbenchmark.run/1"


class CorpusFacts(Record):
    """Which corpus it was; sizes in files and bytes, of the documents that engines saw."""

    name: str
    hash: str
    tree_digest: str
    files: int
    bytes: int
    warnings: tuple[str, ...] = ()


class QueryFacts(Record):
    query: str
    relevant: tuple[str, ...] = ()


class SystemPlan(Record):
    """A system that was asked for: its adapter's source hash and what is installed beside its engine.

    ``problem`` says why it could not even be started (its engine cannot be installed, say), with ``remedy``.
    """

    name: str
    adapter: str
    reference: str
    summary: str = ""
    source: str
    python: str
    distributions: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    remote: bool = False
    problem: str = ""
    remedy: str = ""


class Manifest(Record):
    """What a run is a run of. Two runs whose manifests differ only in ``id`` and ``started`` are the same run."""

    schema_: Literal["contextbenchmark.run/1"] = Field(RUN_SCHEMA, alias="schema")
    id: str
    started: str
    benchmark_version: str
    method_version: str
    corpus: CorpusFacts
    queries: tuple[QueryFacts, ...]
    parameters: Parameters
    systems: tuple[SystemPlan, ...]
    machine: Machine
    versions: dict[str, str]
    not_varied: tuple[str, ...] = ()
    embedding: EmbeddingFacts | None = None


def new_run_id() -> tuple[str, str]:
    """Return (id, start time in ISO 8601, UTC) for a run that starts now."""
    now = datetime.now(UTC).replace(microsecond=0)
    return f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}", now.isoformat()


class Journal:
    """The run folder ``<out>/runs/<id>``, open to append."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._known: set[str] = set()
        self._lock = threading.Lock()
        self._release = lock_at_once(
            folder / ".lock", f"Another contextbenchmark is at work on the run in {folder}."
        )
        try:
            self._observations = LineLog(folder / "observations.jsonl")
            self._resources = LineLog(folder / "resources.jsonl")
        except RunFolderError:
            self._release()
            raise

    @classmethod
    def create(cls, out: Path, manifest: Manifest) -> Journal:
        """Start a new run folder beneath ``out``."""
        folder = make_folder(out / "runs" / manifest.id)
        write_whole(folder / "run.json", manifest.to_json(indent=1) + "\n")
        mark_newest(out, manifest.id)
        return cls(folder, manifest)

    @classmethod
    def resume(cls, out: Path, manifest: Manifest) -> Journal:
        """Open the newest run folder beneath ``out``, which must be a run of the same thing.

        :raises RunFolderError: there is none, or something differs; the message says what.
        """
        folder = newest_run(out)
        if folder is None:
            raise RunFolderError(f"There is no run to resume in {out}.", "Start one without --resume.")
        before = read_manifest(folder)
        differing = differences(before, manifest)
        if differing:
            raise RunFolderError(
                f"The run {folder.name} in {out} was a run of something else: {'; '.join(differing)}.",
                "Repeat the command that began it, or start a new run without --resume.",
            )
        journal = cls(folder, before)
        try:
            for row in read_rows(folder):
                if isinstance(row, ListRow | ScoresRow):
                    journal._known.add(f"{row.kind}{row.hash}")
        except RunFolderError:
            journal.close()
            raise
        return journal

    def append(self, rows: Sequence[Row], resources: ResourceRow | None = None) -> None:
        """Append rows, each distinct list and scores once, in one flush."""
        with self._lock:
            new = []
            for row in rows:
                if isinstance(row, ListRow | ScoresRow):
                    key = f"{row.kind}{row.hash}"
                    if key in self._known:
                        continue
                    self._known.add(key)
                new.append(row.to_json())
            self._observations.append(*new)
            if resources is not None:
                self._resources.append(resources.to_json())

    def end_session(self, session: SessionRow) -> None:
        """Write down how long this sitting took."""
        self._resources.append(session.to_json())

    def close(self) -> None:
        self._observations.close()
        self._resources.close()
        self._release()


def read_manifest(folder: Path) -> Manifest:
    """Read ``run.json``; a :class:`RunFolderError` says what is wrong with it."""
    path = folder / "run.json"
    try:
        return Manifest.model_validate_json(read_regular(path, LARGEST_MANIFEST))
    except OSError as error:
        raise RunFolderError(
            f"{folder} is not a run: {path.name} cannot be read ({error.strerror}).",
            "Name a folder beneath results/runs, or a results folder.",
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise RunFolderError(
            f"{path} is not a run's manifest: "
            f"{'.'.join(str(part) for part in first['loc']) or 'the file'}: {first['msg']}.",
            "Name a folder that this release wrote.",
        ) from error


def read_rows(folder: Path) -> Iterable[Row]:
    """Yield the whole rows of ``observations.jsonl`` in the order of writing."""
    path = folder / "observations.jsonl"
    if not path.exists():
        return
    for number, line in enumerate(read_lines(path), 1):
        try:
            yield ROW.validate_json(line)
        except ValidationError as error:
            raise RunFolderError(
                f"{path}, line {number} is not an observation: {error.errors()[0]['msg']}.",
                "The evidence was changed or damaged; run again.",
            ) from error


def read_observations(folder: Path, manifest: Manifest | None = None) -> Observations:
    """Read what happened; with a ``manifest``, only if it can be what a run of that leaves."""
    rows = tuple(read_rows(folder))
    if manifest is not None:
        check_evidence(manifest, rows, folder / "observations.jsonl")
    return Observations(rows)


def read_resources(folder: Path) -> tuple[ResourceRow, ...]:
    """Return what the operations of complete cells used, ordered by operation id."""
    path = folder / "resources.jsonl"
    if not path.exists():
        return ()
    found: dict[str, ResourceRow] = {}
    for line in read_lines(path):
        with contextlib.suppress(ValidationError):
            row = ResourceRow.model_validate_json(line)
            found[row.id] = row  # a later attempt stands for an earlier one that was killed
    return tuple(found[key] for key in sorted(found))


def read_sessions(folder: Path) -> tuple[SessionRow, ...]:
    """Return the sittings that came to their end, in order."""
    path = folder / "resources.jsonl"
    found = []
    for line in read_lines(path) if path.exists() else ():
        with contextlib.suppress(ValidationError):
            found.append(SessionRow.model_validate_json(line))
    return tuple(found)


def queries_of(manifest: Manifest) -> tuple[Query, ...]:
    return tuple(Query(text=item.query, relevant=frozenset(item.relevant)) for item in manifest.queries)
