"""A cell: one build with the passes over it, each operation in its own child. The unit that jobs run in parallel.

The artifact never leaves the cell; observations do, row by row, through ``emit``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from contextbenchmark.core.process import ChildStopped
from contextbenchmark.core.record import WORK, storage_error
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.answer import Answer
from contextbenchmark.trust.answer_rows import ASKED_AGAIN, answer_hashes, answer_rows
from contextbenchmark.trust.artifact import read_artifact, stamps
from contextbenchmark.trust.cell_plan import CellPlan, Noise, ResourceRow
from contextbenchmark.trust.corpus import stage
from contextbenchmark.trust.observation import (
    BuildRow,
    CellRow,
    Failure,
    NoiseRow,
    PassCopy,
    PassRow,
    Row,
    SystemIdentity,
)
from contextbenchmark.trust.operation import (
    Limits,
    Operation,
)
from contextbenchmark.trust.outcome import OperationFailed, Used
from contextbenchmark.trust.surroundings import operation_seed
from contextbenchmark.trust.workplace import Workplace, remove_tree

Emit = Callable[[Sequence[Row], ResourceRow | None], None]


class CellRunner:
    """Does the operations of one cell in order, emitting a row for each as soon as it has ended."""

    def __init__(self, plan: CellPlan, workplace: Workplace, limits: Limits, emit: Emit) -> None:
        self.plan, self.workplace, self.limits, self.emit = plan, workplace, limits, emit
        self.place = workplace.new_folder("cell")
        self.artifact = self.place / "artifact"
        self.vectors: tuple[Path, ...] = ()
        noise = plan.noise.documents if plan.noise else {}
        self.documents: Collection[str] = {file.path for file in plan.corpus.documents} | noise.keys()

    def run(self) -> bool:
        """Run the cell; False when the system failed (its failure is then in the rows)."""
        try:
            if self.plan.noise is not None:
                self._emit_noise(self.plan.noise)
            good = self._build()
            left: Path | None = None
            for number in range(self.plan.passes):
                if good:
                    reopen = number % 2 == 1 and left is not None
                    copy = left if reopen and left is not None else self._copy()
                    good = self._pass(f"pass-{number:03d}", copy, "reopened" if reopen else "pristine")
                    if reopen:
                        remove_tree(copy)
                    left = None if reopen else copy
            if good and self.plan.system.artifact_file and self.plan.noise is None:
                good = self._only_artifact_file_pass(self.plan.system.artifact_file)
            self.emit([self._mark()], None)
            return good
        finally:
            self.workplace.discard(self.place)

    def _mark(self) -> CellRow:
        return CellRow(system=self.plan.system.name, cell=self.plan.cell, attempt=self.plan.attempt)

    def _emit_noise(self, noise: Noise) -> None:
        plan = self.plan
        row = NoiseRow(
            system=plan.system.name,
            cell=plan.cell,
            attempt=plan.attempt,
            documents=noise.documents,
            probes=noise.probes,
        )
        self.emit([row], None)

    def _operation(self, seed: int, *writable: Path) -> Operation:
        system = self.plan.system
        return Operation(
            self.workplace, system.adapter, system.interpreter, self.limits, seed=seed, writable=writable,
            vectors=self.vectors,
        )  # fmt: skip

    def _greet(self, operation: Operation) -> SystemIdentity | None:
        """Open the adapter again; it must say it is who it was when the run first opened it."""
        description = operation.hello()
        if not description.available:
            raise OperationFailed(
                Failure(
                    phase="start",
                    kind="not-started",
                    message=f"It has become unavailable: {description.reason}.",
                )
            )
        if description.version != self.plan.system.version:
            was, now = (_told(version) for version in (self.plan.system.version, description.version))
            raise OperationFailed(
                Failure(
                    phase="version",
                    kind="version-changed",
                    message=f"{self.plan.system.name}: version() said {was} at first and {now} in this operation.",
                    remedy="version() names the system; nothing that differs between two processes belongs in it.",
                )
            )
        return description.version

    def _build(self) -> bool:
        plan, place = self.plan, self.workplace.new_tree_folder(self.plan.corpus.bytes)
        out = self.workplace.new_folder("out") / "artifact"
        operation_id = plan.operation_ids()[0]
        seed = operation_seed(plan.run_seed, operation_id)
        tree = place / "checkout" / "tree"
        version, artifact, failure, used = None, None, None, None
        try:
            out.mkdir()
            noise = plan.noise.documents if plan.noise else {}
            stage(plan.corpus, tree, seed, noise)
            self.workplace.checkouts.surround(tree, seed, tuple(noise))
            try:
                if plan.system.vectors is not None:
                    self.vectors = plan.system.vectors.folders(plan.noise)
                with self._operation(seed, place, out.parent) as operation:
                    version = self._greet(operation)
                    operation.build(tree, out)
                    used = operation.close()
                os.replace(out, self.artifact)
                artifact = read_artifact(self.artifact, plan.system.artifact_file)
            except OperationFailed as failed:
                failure = failed.failure
            except (CorpusError, FileNotFoundError, NotADirectoryError) as error:
                failure = Failure(
                    phase="build", kind="invalid-answer", message=f"Its artifact cannot be read: {error}"
                )
        finally:
            self.workplace.discard(place)
            self.workplace.discard(out.parent)
        row = BuildRow(
            id=operation_id, system=plan.system.name, cell=plan.cell, attempt=plan.attempt, seed=seed, version=version,
            artifact=artifact, failure=failure,
        )  # fmt: skip
        self.emit([row], self._resources(operation_id, used))
        return failure is None

    def _copy(self) -> Path:
        """Make a pristine copy of the artifact at a path that nothing was told before."""
        copy = self.workplace.new_folder("copy") / "artifact"
        try:
            shutil.copytree(self.artifact, copy, symlinks=True)
        except shutil.Error as error:
            if self.workplace.is_nearly_full():
                raise self.workplace.full() from error
            raise storage_error(OSError(str(error)[:200]), copy, WORK) from error
        except OSError as error:
            raise storage_error(error, copy, WORK) from error
        return copy

    def _only_artifact_file_pass(self, artifact_file: str) -> bool:
        copy = self.workplace.new_folder("copy") / "artifact"
        target = copy / artifact_file
        target.parent.mkdir(parents=True)
        source = self.artifact / artifact_file
        if source.is_file():
            shutil.copy2(source, target)
        self._pass("pass-artifact-file", copy, "artifact-file")
        return True  # a failure here costs the artifact file its standing, not the system its row

    def _pass(self, name: str, copy: Path, copy_kind: PassCopy) -> bool:
        plan = self.plan
        operation_id = f"{plan.system.name}/{plan.cell}/{name}"
        seed = operation_seed(plan.run_seed, operation_id)
        before = stamps(copy)
        answers: list[Answer] = []
        version, failure, used = None, None, None
        asked = [query.text for query in plan.corpus.queries]
        texts = [*asked, *asked[:ASKED_AGAIN], *(plan.noise.probes if plan.noise else ())]
        try:
            with self._operation(seed, copy.parent) as operation:
                version = self._greet(operation)
                operation.open(copy)
                answers = [operation.query(text, plan.k, self.documents) for text in texts]
                used = operation.close()
        except OperationFailed as failed:
            failure = failed.failure
            answers = []
        hashes = answer_hashes(answers, len(asked))
        row = PassRow(
            id=operation_id, system=plan.system.name, cell=plan.cell, attempt=plan.attempt, seed=seed,
            copy_kind=copy_kind, reopens=_before(operation_id) if copy_kind == "reopened" else None, version=version,
            failure=failure, artifact_changed=failure is None and stamps(copy) != before,
            lists=hashes.lists, scores=hashes.scores, again=hashes.again, probes=hashes.probes,
        )  # fmt: skip
        self.emit([*answer_rows(answers), row], self._resources(operation_id, used))
        if copy_kind == "artifact-file":
            remove_tree(copy)
        return failure is None

    def _resources(self, operation_id: str, used: Used | None) -> ResourceRow | None:
        if used is None:
            return None
        return ResourceRow(
            id=operation_id, system=self.plan.system.name, cell=self.plan.cell, attempt=self.plan.attempt,
            wall_seconds=used.wall_seconds, cpu_seconds=used.cpu_seconds, peak_memory_bytes=used.peak_memory_bytes,
            query_seconds=used.query_seconds,
        )  # fmt: skip


def run_cell(plan: CellPlan, workplace: Workplace, limits: Limits, emit: Emit) -> bool:
    """Run one cell to its end; False when the system failed. Raises ChildStopped when the run is interrupted."""
    if workplace.stopping:
        raise ChildStopped
    try:
        return CellRunner(plan, workplace, limits, emit).run()
    except OSError as error:  # of our own doing: copying, making and removing folders
        raise storage_error(error, error.filename or workplace.folder, WORK) from error


def _before(operation_id: str) -> str:
    head, _, number = operation_id.rpartition("-")
    return f"{head}-{int(number) - 1:03d}"


def _told(version: SystemIdentity | None) -> str:
    return "nothing" if version is None else f"{version.id!r} ({version.source})"
