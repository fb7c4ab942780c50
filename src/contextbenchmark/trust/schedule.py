"""Which cells a run has, and running them: base cells first, then, once a base cell tells which files the engine
returns, the cells with noise planted among such files."""

from __future__ import annotations

import contextlib
import importlib.util
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from contextbenchmark.core.process import ChildStopped
from contextbenchmark.errors import AdapterReferenceError
from contextbenchmark.jobs import local_pool
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.adapter_source import source_digest
from contextbenchmark.trust.cell import run_cell
from contextbenchmark.trust.cell_plan import CellPlan, Noise, ResourceRow, System
from contextbenchmark.trust.command_file import command_digest
from contextbenchmark.trust.evidence import cell_names, passes_of
from contextbenchmark.trust.families.noise import noise_documents
from contextbenchmark.trust.journal import Journal, read_rows
from contextbenchmark.trust.observation import BuildRow, CellRow, ListRow, NoiseRow, PassRow, Row
from contextbenchmark.trust.record import Parameters
from contextbenchmark.trust.surroundings import operation_seed
from contextbenchmark.trust.workplace import Workplace

if TYPE_CHECKING:
    from contextbenchmark.trust.pipeline import Progress, Request

FIRST_CELL = "base-000"


def plan_cells(name: str, artifact_file: str | None, parameters: Parameters) -> tuple[str, ...]:
    """Return the ids of all operations of one system."""
    base, noise = cell_names(parameters)
    found = []
    for cell in (*base, *noise):
        names = [f"pass-{number:03d}" for number in range(passes_of(parameters, cell))]
        if artifact_file and cell in base:
            names.append("pass-artifact-file")
        found += [f"{name}/{cell}/{part}" for part in ("build", *names)]
    return tuple(found)


def source_now(adapter: Adapter) -> str | None:
    """Return the digest of an adapter's files as they are now; None where they are gone or cannot be told."""
    with contextlib.suppress(AdapterReferenceError):
        if adapter.kind == "command" and adapter.path is not None:
            return command_digest(adapter.path, list(adapter.command))
        if adapter.path is not None:
            return source_digest(adapter.path)
        spec = importlib.util.find_spec(adapter.module) if adapter.module else None
        return source_digest(Path(spec.origin)) if spec is not None and spec.origin else None
    return None


class Cells:
    """The cells of a run in progress. What has been completed before is not done again."""

    def __init__(self, request: Request, workplace: Workplace, journal: Journal, watcher: Progress) -> None:
        self.request, self.workplace, self.journal, self.watcher = request, workplace, journal, watcher
        self._sources = {adapter.label: source_now(adapter) for adapter in request.adapters}
        self.failed: set[str] = set()
        self.first: dict[str, tuple[str, ...]] = {}
        self.complete: set[tuple[str, str]] = set()
        self._attempts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()
        self._remember(journal)

    def _remember(self, journal: Journal) -> None:
        lists: dict[str, tuple[str, ...]] = {}
        outcomes: list[PassRow | BuildRow] = []
        for row in read_rows(journal.folder):
            if isinstance(row, ListRow):
                lists[row.hash] = row.files
            elif isinstance(row, CellRow):
                self.complete.add((row.system, row.cell))
            elif isinstance(row, PassRow | BuildRow):
                outcomes.append(row)
            if isinstance(row, BuildRow | PassRow | NoiseRow | CellRow):
                key = (row.system, row.cell)
                self._attempts[key] = max(self._attempts[key], row.attempt)
        for outcome in outcomes:
            if (outcome.system, outcome.cell) not in self.complete:
                continue
            if outcome.failure is not None and not outcome.id.endswith("/pass-artifact-file"):
                self.failed.add(outcome.system)
            if isinstance(outcome, PassRow) and outcome.id.endswith(f"/{FIRST_CELL}/pass-000"):
                self.first[outcome.system] = tuple(
                    f for hashed in outcome.lists for f in lists.get(hashed, ())
                )

    def plan(self, system: System, cell: str, noise: Noise | None = None) -> CellPlan:
        request = self.request
        key = (system.name, cell)
        self._attempts[key] += 1
        return CellPlan(
            system=system,
            cell=cell,
            attempt=self._attempts[key],
            passes=passes_of(request.parameters, cell),
            corpus=request.corpus,
            k=request.parameters.k,
            run_seed=request.parameters.seed,
            noise=noise,
        )

    def run(self, plan: CellPlan) -> None:
        """Run one cell unless its system has failed already."""
        name = plan.system.name
        if name in self.failed or self.workplace.stopping:
            return
        seen: dict[str, tuple[str, ...]] = {}

        def emit(rows: Sequence[Row], resources: ResourceRow | None) -> None:
            if self.workplace.stopping:
                raise ChildStopped  # what a stopped child did is not an outcome
            if any(isinstance(row, CellRow) for row in rows):
                self._require_same_source(plan.system.adapter)
            self.journal.append(rows, resources)
            for row in rows:
                if isinstance(row, ListRow):
                    seen[row.hash] = row.files
                elif isinstance(row, PassRow) and row.cell == FIRST_CELL and row.id.endswith("/pass-000"):
                    self.first[name] = tuple(file for hashed in row.lists for file in seen[hashed])
                if isinstance(row, BuildRow | PassRow):
                    self.watcher.done(row.id)

        if not run_cell(plan, self.workplace, self.request.limits, emit):
            with self._lock:
                self.failed.add(name)

    def _require_same_source(self, adapter: Adapter) -> None:
        """What another file than the one written down has done must not count: before a cell is marked, look."""
        if source_now(adapter) != self._sources[adapter.label]:
            raise AdapterReferenceError(
                f"The source of {adapter.label} changed while the run went on.",
                "Leave it as it is until the run has ended, and run again.",
            )

    def noise_for(self, system: System, cell: str) -> Noise:
        """Return the documents to plant in a noise cell, of the kind and in the place of files that were returned."""
        request = self.request
        taken = [file.path for file in request.corpus.documents]
        documents, probes = noise_documents(
            operation_seed(request.parameters.seed, f"noise/{cell}"),
            request.parameters.noise_documents,
            [query.text for query in request.corpus.queries],
            self.first.get(system.name) or taken,
            taken,
        )
        return Noise(documents=documents, probes=probes)


def run_cells(
    systems: Sequence[System], request: Request, workplace: Workplace, journal: Journal, watcher: Progress
) -> None:
    """Run every cell that is not complete; a failing system does not stop the others.

    On KeyboardInterrupt, or when evidence cannot be written, the children are ended and the error goes on.
    """
    cells = Cells(request, workplace, journal, watcher)
    base, noise = cell_names(request.parameters)
    todo = {
        (system.name, cell) for system in systems for cell in (*base, *noise)
    } - cells.complete  # fmt: skip
    watcher.planned(
        sum(
            len([part for part in plan_cells(system.name, system.artifact_file, request.parameters)
                 if (system.name, part.rsplit("/", 2)[1]) in todo])
            for system in systems
        )
    )  # fmt: skip
    executor = local_pool(request.jobs)
    waiting: dict[Future[None], System] = {}
    try:
        for system in systems:
            for cell in base:
                if (system.name, cell) in todo:
                    waiting[executor.submit(cells.run, cells.plan(system, cell))] = system
        _run_to_end(executor, cells, systems, list(noise), todo, waiting)
    except BaseException:
        workplace.stop()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _run_to_end(
    executor: Executor,
    cells: Cells,
    systems: Sequence[System],
    noise: Sequence[str],
    todo: set[tuple[str, str]],
    waiting: dict[Future[None], System],
) -> None:
    """Wait for cells; as soon as a system's first base cell has answered, submit its noise cells."""
    planted: set[str] = set()
    while True:
        for system in systems:
            if system.name in cells.first and system.name not in planted and system.name not in cells.failed:
                planted.add(system.name)
                for cell in noise:
                    if (system.name, cell) in todo:
                        plan = cells.plan(system, cell, cells.noise_for(system, cell))
                        waiting[executor.submit(cells.run, plan)] = system
        if not waiting:
            return
        # A bounded wait: ctrl-C is served at once, and noise cells start without waiting for a whole cell.
        done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in done:
            del waiting[future]
            future.result()
