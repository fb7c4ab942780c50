"""The story of a run, readable aloud.

    corpus > systems > evidence > cells > report > files

A run asks each system to build the corpus several times and to answer all queries several times, each time in a
fresh process; writes down what came back; and derives everything else from that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from contextbenchmark.jobs import default_jobs
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.cell_plan import SessionRow
from contextbenchmark.trust.corpus import Corpus
from contextbenchmark.trust.derive import derive_report, derive_times
from contextbenchmark.trust.embedding import DEFAULT_EMBEDDER, SharedVectors
from contextbenchmark.trust.journal import (
    Journal,
    Manifest,
    queries_of,
    read_manifest,
    read_observations,
    read_resources,
    read_sessions,
)
from contextbenchmark.trust.manifest import Prepared, describe_run, prepare_interpreters
from contextbenchmark.trust.opening import open_systems, prepare_vectors
from contextbenchmark.trust.operation import Limits
from contextbenchmark.trust.record import Parameters, Report, Times
from contextbenchmark.trust.report import write_outputs
from contextbenchmark.trust.schedule import plan_cells, run_cells
from contextbenchmark.trust.workplace import Workplace


class Progress(Protocol):
    """Whoever watches a run. Called from several threads."""

    def say(self, text: str) -> None:
        """A step that takes its time has begun."""

    def planned(self, operations: int) -> None:
        """So many operations are to be done."""

    def done(self, operation: str) -> None:
        """One operation has ended."""


class Silent:
    """Nobody watches."""

    def say(self, text: str) -> None: ...

    def planned(self, operations: int) -> None: ...

    def done(self, operation: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to run. ``out`` is the results folder; ``install`` lets missing engines be installed.

    ``embedder`` names who embeds for the adapters that ask for vectors; without such an adapter it is not used.
    """

    adapters: Sequence[Adapter]
    corpus: Corpus
    parameters: Parameters
    out: Path
    jobs: int = field(default_factory=default_jobs)
    limits: Limits = field(default_factory=Limits)
    resume: bool = False
    install: bool = True
    embedder: str = DEFAULT_EMBEDDER


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run left. ``files`` are the derived files, ``folder`` the evidence."""

    report: Report
    times: Times
    folder: Path
    files: tuple[Path, ...]


def run(request: Request, progress: Progress | None = None) -> Outcome:
    """Measure the systems on the corpus and write evidence and report.

    :raises ContextBenchmarkError: what a person can mend: the corpus changed meanwhile, the disk is full, the run
        to resume is another one. What was measured until then is kept.
    :raises KeyboardInterrupt: after the children have been ended; ``resume`` goes on from there.
    """
    watcher = progress or Silent()
    began, cpu_began = time.monotonic(), time.process_time()
    interpreters = prepare_interpreters(request.adapters, watcher.say, install=request.install)
    with Workplace() as workplace:
        shared = _share_vectors(request, interpreters, workplace, watcher)
        facts = shared.facts if shared else None
        manifest = describe_run(request.adapters, interpreters, request.corpus, request.parameters, facts)
        journal = open_journal(request, manifest)
        try:
            systems = open_systems(
                request.adapters, interpreters, workplace, request.limits, journal, watcher.say, shared
            )
            run_cells(systems, request, workplace, journal, watcher)
            journal.end_session(
                SessionRow(
                    seconds=time.monotonic() - began,
                    jobs=request.jobs,
                    harness_seconds=time.process_time() - cpu_began,
                )
            )
        finally:
            journal.close()
    return derive_run(journal.folder, request.out)


def _share_vectors(
    request: Request, prepared: dict[str, Prepared], workplace: Workplace, watcher: Progress
) -> SharedVectors | None:
    return prepare_vectors(
        request.adapters,
        prepared,
        request.corpus,
        request.embedder,
        workplace,
        request.limits,
        watcher.say,
        install=request.install,
    )


def open_journal(request: Request, manifest: Manifest) -> Journal:
    opening: Callable[[Path, Manifest], Journal] = Journal.resume if request.resume else Journal.create
    return opening(request.out, manifest)


def derive_run(folder: Path, out: Path) -> Outcome:
    """Derive report, times and all output files from the evidence in ``folder``, and write them to ``out``."""
    manifest = read_manifest(folder)
    observations = read_observations(folder, manifest)
    report = derive_report(manifest, observations)
    times = derive_times(manifest, read_resources(folder), read_sessions(folder))
    files = write_outputs(report, times, observations, queries_of(manifest), out)
    return Outcome(report=report, times=times, folder=folder, files=files)


def planned_operations(request: Request) -> tuple[str, ...]:
    """Return the ids of the operations that a run would do, for ``--dry-run``; nothing is started."""
    return tuple(
        operation
        for adapter in request.adapters
        for operation in plan_cells(adapter.label, adapter.artifact_file, request.parameters)
    )
