"""What a run would take, from what earlier runs in the same results folder took."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.journal import Manifest, read_manifest, read_resources, read_rows
from contextbenchmark.trust.observation import BuildRow
from contextbenchmark.trust.schedule import plan_cells

if TYPE_CHECKING:
    from contextbenchmark.trust.pipeline import Request


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """``seconds`` of wall time and ``bytes`` of disk at once; ``unknown`` are systems never measured here."""

    seconds: float
    bytes: int
    unknown: tuple[str, ...]

    @property
    def sentence(self) -> str:
        disk = f"about {max(1, round(self.bytes / 1_000_000))} MB of temporary disk"
        if not self.unknown:
            return f"About {self.seconds:.0f} s and {disk}, going by earlier runs here."
        known = (
            f"About {self.seconds:.0f} s for the others and {disk}; "
            if self.seconds
            else f"{disk[0].upper()}{disk[1:]}; "
        )
        return f"{known}no earlier run here tells how long {', '.join(self.unknown)} takes."

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class _Rates:
    """Seconds a build and a pass of one system took on ``corpus_bytes``, and what its artifact weighed."""

    build: float
    query_pass: float
    corpus_bytes: int
    artifact_bytes: int


def estimate_run(request: Request) -> Estimate:
    """Return what ``request`` would take: medians of earlier runs in ``out``, in proportion to the corpus's size."""
    rates = _earlier_rates(request.out)
    seconds, artifacts, unknown = 0.0, 0, []
    for adapter in request.adapters:
        known = rates.get(adapter.label)
        if known is None:
            unknown.append(adapter.label)
            continue
        scale = request.corpus.bytes / max(1, known.corpus_bytes)
        operations = plan_cells(adapter.label, adapter.artifact_file, request.parameters)
        builds = sum(1 for operation in operations if operation.endswith("/build"))
        seconds += scale * (builds * known.build + (len(operations) - builds) * known.query_pass)
        artifacts = max(artifacts, round(scale * known.artifact_bytes))
    # At once: a staged tree, the artifact and up to two copies of it, for each cell at work.
    disk = request.jobs * (request.corpus.bytes + 3 * artifacts)
    return Estimate(seconds=seconds / request.jobs, bytes=disk, unknown=tuple(unknown))


def _earlier_rates(out: Path) -> dict[str, _Rates]:
    found: dict[str, _Rates] = {}
    for path in sorted((out / "runs").glob("*/run.json")):
        with contextlib.suppress(RunFolderError):
            found.update(_rates(path.parent, read_manifest(path.parent)))
    return found


def _rates(folder: Path, manifest: Manifest) -> dict[str, _Rates]:
    rows = read_resources(folder)
    sizes = {
        row.system: row.artifact.bytes
        for row in read_rows(folder)
        if isinstance(row, BuildRow) and row.artifact is not None
    }
    found = {}
    for plan in manifest.systems:
        builds = [row.wall_seconds for row in rows if row.system == plan.name and row.id.endswith("/build")]
        passes = [
            row.wall_seconds for row in rows if row.system == plan.name and not row.id.endswith("/build")
        ]
        if builds and passes:
            found[plan.name] = _Rates(
                build=median(builds),
                query_pass=median(passes),
                corpus_bytes=manifest.corpus.bytes,
                artifact_bytes=sizes.get(plan.name, 0),
            )
    return found
