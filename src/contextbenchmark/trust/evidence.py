"""Is the evidence of a run whole, and does it agree with itself? Which run of a results folder is the newest?

Nothing here is a signature: who edits every row that hangs on another can write what they like. But a list that is
not the one its hash names, a pass that is missing, a row that no run writes: that shows, and stops the report.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from contextbenchmark.core.reading import read_regular
from contextbenchmark.core.record import write_whole
from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.observation import (
    Artifact,
    BuildRow,
    CellRow,
    ListRow,
    NoiseRow,
    PassRow,
    Row,
    ScoresRow,
    list_hash,
    scores_hash,
)
from contextbenchmark.trust.record import Parameters

if TYPE_CHECKING:
    from contextbenchmark.trust.journal import Manifest

NEWEST = ".newest-run"
_DAMAGED = "The evidence was changed or damaged; run again."


def cell_names(parameters: Parameters) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the base cells and of the noise cells."""
    noise = parameters.noise_seeds if "drift" in parameters.families else 0
    return (
        tuple(f"base-{number:03d}" for number in range(parameters.rebuilds)),
        tuple(f"noise-{number:03d}" for number in range(noise)),
    )


def passes_of(parameters: Parameters, cell: str) -> int:
    """Return how many passes a cell has: one tells a noise cell's lists, and rebuilding alone needs one too."""
    return parameters.trials if cell.startswith("base-") and "query" in parameters.families else 1


def mark_newest(out: Path, run_id: str) -> None:
    """Write down which run of ``out`` began last: ids hold a time, and clocks can be set back."""
    write_whole(out / NEWEST, f"{run_id}\n")


def newest_run(out: Path) -> Path | None:
    """Return the folder of the run of ``out`` that began last; None where there is none."""
    runs = sorted(path.parent for path in (out / "runs").glob("*/run.json"))
    with contextlib.suppress(OSError, UnicodeDecodeError):
        marked = read_regular(out / NEWEST, 1000).decode("ascii").strip()
        return next((folder for folder in runs if folder.name == marked), runs[-1] if runs else None)
    return runs[-1] if runs else None


def differences(before: Manifest, now: Manifest) -> list[str]:
    """Return in words what keeps two manifests from being of the same run."""
    found = []
    for label, old, new in (
        ("the corpus", before.corpus.tree_digest, now.corpus.tree_digest),
        ("the queries", before.queries, now.queries),
        (
            "this release",
            (before.benchmark_version, before.method_version),
            (now.benchmark_version, now.method_version),
        ),
        ("the machine", before.machine, now.machine),
        ("versions", before.versions, now.versions),
        ("the shared embedding", before.embedding, now.embedding),
    ):
        if old != new:
            found.append(f"{label} differ{'' if label in ('the queries', 'versions') else 's'}")
    found += [
        f"{name} was {getattr(before.parameters, name)} and is {getattr(now.parameters, name)}"
        for name in Parameters.model_fields
        if getattr(before.parameters, name) != getattr(now.parameters, name)
    ]
    old_systems = {plan.name: plan for plan in before.systems}
    new_systems = {plan.name: plan for plan in now.systems}
    if list(old_systems) != list(new_systems):
        found.append(f"the adapters were {', '.join(old_systems)} and are {', '.join(new_systems)}")
    for name in old_systems.keys() & new_systems.keys():
        old_plan, new_plan = old_systems[name], new_systems[name]
        if old_plan.source != new_plan.source:
            found.append(f"the source of {name} has changed")
        elif (old_plan.python, old_plan.distributions) != (new_plan.python, new_plan.distributions):
            found.append(f"what is installed for {name} has changed")
    return found


def check_evidence(manifest: Manifest, rows: Sequence[Row], place: Path) -> None:
    """Raise :class:`RunFolderError` where the rows of complete cells are not what a run of ``manifest`` writes."""
    lists, scores = _check_hashes(rows, place)
    complete = {(row.system, row.cell): row.attempt for row in rows if isinstance(row, CellRow)}
    operations: dict[tuple[str, str], list[BuildRow | PassRow]] = {key: [] for key in complete}
    cells = {cell for kind in cell_names(manifest.parameters) for cell in kind}
    systems = {plan.name for plan in manifest.systems}
    for row in rows:
        if not isinstance(row, BuildRow | PassRow | NoiseRow | CellRow):
            continue
        if row.system not in systems or row.cell not in cells:
            raise _damaged(place, f"there is a row of {row.system}/{row.cell}, which is no part of this run")
        if isinstance(row, BuildRow | PassRow) and complete.get((row.system, row.cell)) == row.attempt:
            operations[row.system, row.cell].append(row)
    for (system, cell), found in operations.items():
        _check_cell(manifest, f"{system}/{cell}", found, place)
        for row in found:
            if isinstance(row, BuildRow):
                _check_build(row, place)
            else:
                _check_pass(row, len(manifest.queries), lists, scores, place)


def _damaged(place: Path, what: str) -> RunFolderError:
    return RunFolderError(f"{place}: {what}.", _DAMAGED)


def _check_hashes(rows: Iterable[Row], place: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Check that each list and each series of scores is the one its hash names; return the hashes."""
    lists, scores = {list_hash(())}, set()
    for row in rows:
        if isinstance(row, ListRow):
            if list_hash(row.files) != row.hash:
                raise _damaged(place, f"the list {row.hash[:12]} is not the one that was hashed")
            lists.add(row.hash)
        elif isinstance(row, ScoresRow):
            with contextlib.suppress(ValueError):  # not a number, or infinite: no such scores are written
                if scores_hash(row.scores) == row.hash:
                    scores.add(row.hash)
                    continue
            raise _damaged(place, f"the scores {row.hash[:12]} are not those that were hashed")
    return frozenset(lists), frozenset(scores)


def _check_cell(manifest: Manifest, name: str, found: Sequence[BuildRow | PassRow], place: Path) -> None:
    """Check that a complete cell has each of its operations once; one that failed ends with its failure."""
    names = [row.id for row in found]
    expected = [f"{name}/build"]
    expected += [
        f"{name}/pass-{n:03d}" for n in range(passes_of(manifest.parameters, name.rpartition("/")[2]))
    ]
    alone = f"{name}/pass-artifact-file"
    builds = [row for row in found if isinstance(row, BuildRow)]
    declared = any(row.artifact is not None and row.artifact.declared_file is not None for row in builds)
    if declared and "/base-" in name:
        expected.append(alone)
    failed = any(row.failure is not None for row in found if row.id != alone)
    if failed:
        expected = expected[: len(names)]
    if sorted(names) != sorted(expected):
        missing = sorted(set(expected) - set(names))
        what = f"{missing[0]} is missing" if missing else f"{name} has rows that no run writes"
        raise _damaged(place, what)
    if any(isinstance(row, BuildRow) != row.id.endswith("/build") for row in found):
        raise _damaged(place, f"{name} has a row that is not of its kind")


def _check_build(row: BuildRow, place: Path) -> None:
    if (row.failure is None) != (row.artifact is not None):
        raise _damaged(place, f"{row.id} has not either an artifact or a failure")
    if row.artifact is not None and _tree_digest(row.artifact) != row.artifact.tree_digest:
        raise _damaged(place, f"the artifact of {row.id} is not the one that was hashed")


def _tree_digest(artifact: Artifact) -> str | None:
    """Return the digest over the files that a row lists (see :class:`~contextbenchmark.core.digest.TreeDigests`)."""
    digest = hashlib.sha256()
    for file in artifact.files:
        try:
            path, content = file.path.encode("utf-8"), bytes.fromhex(file.sha256)
        except ValueError:
            return None
        digest.update(len(path).to_bytes(8, "big") + path + content)
    return digest.hexdigest() if artifact.bytes == sum(file.size for file in artifact.files) else None


def _check_pass(
    row: PassRow, queries: int, lists: frozenset[str], scores: frozenset[str], place: Path
) -> None:
    if row.failure is not None:
        return
    if len(row.lists) != queries or len(row.scores) != queries or len(row.again) > queries:
        raise _damaged(place, f"{row.id} holds {len(row.lists)} lists for {queries} queries")
    for hashed in (*row.lists, *row.again, *row.probes):
        if hashed not in lists:
            raise _damaged(place, f"{row.id} names the list {hashed[:12]}, which is not there")
    for series in row.scores:
        if series is not None and series not in scores:
            raise _damaged(place, f"{row.id} names the scores {series[:12]}, which are not there")
    number = row.id.rpartition("-")[2]
    kind = "artifact-file" if number == "file" else "reopened" if int(number) % 2 else "pristine"
    before = f"{row.id.rpartition('-')[0]}-{int(number) - 1:03d}" if kind == "reopened" else None
    if (row.copy_kind, row.reopens) != (kind, before):
        raise _damaged(place, f"{row.id} is not of the kind that its number says")
