"""Observations of a made-up system, from a function that says what it answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from contextbenchmark.trust.observation import (
    Artifact,
    ArtifactFile,
    BuildRow,
    CellRow,
    Failure,
    ListRow,
    NoiseRow,
    Observations,
    PassRow,
    Row,
    list_hash,
)

SYSTEM = "planted"
QUERIES = tuple(f"query {i}" for i in range(10))
FAILURE = Failure(phase="query", kind="raised", message="It broke.")

Answer = Callable[[int, int, int, bool], Sequence[str]]
"""(build, pass, query, asked again) -> ranked paths"""


def steady(build: int, turn: int, query: int, again: bool) -> list[str]:
    """Answer as a deterministic retriever does: ten files that depend on the query alone."""
    return [f"src/{query}-{i}.ts" for i in range(10)]


def swapped(files: Sequence[str]) -> list[str]:
    """Return the same files with the first two in the other order."""
    return [files[1], files[0], *files[2:]]


def artifact(files: Mapping[str, bytes], declared: str | None = None) -> Artifact:
    """Return the artifact of a folder with ``files``, hashed as the specification says."""
    tree, digest = hashlib.sha256(), hashlib.sha256()
    rows = []
    for path, content in sorted(files.items()):
        tree.update(path.encode() + b"\0" + content + b"\0")
        sha256 = hashlib.sha256(content)
        digest.update(len(path.encode()).to_bytes(8, "big") + path.encode() + sha256.digest())
        rows.append(ArtifactFile(path=path, size=len(content), sha256=sha256.hexdigest()))
    return Artifact(
        hash=tree.hexdigest(),
        tree_digest=digest.hexdigest(),
        bytes=sum(map(len, files.values())),
        files=tuple(rows),
        declared_file=declared,
    )


def build_row(
    number: int, made: Artifact | None, cells: str = "base", failure: Failure | None = None
) -> BuildRow:
    cell = f"{cells}-{number:03}"
    return BuildRow(
        id=f"{SYSTEM}/{cell}/build", system=SYSTEM, cell=cell, seed=number, artifact=made, failure=failure
    )


def builds_of(*folders: Mapping[str, bytes], declared: str | None = None) -> list[BuildRow]:
    return [build_row(i, artifact(files, declared)) for i, files in enumerate(folders)]


def pass_rows(
    answer: Answer, build: int, trials: int, queries: Sequence[str], cells: str = "base"
) -> list[Row]:
    """Return the passes of one build: even ones pristine, odd ones reopening what the one before left."""
    cell = f"{cells}-{build:03}"
    rows: list[Row] = []
    for turn in range(trials):
        answers = [tuple(answer(build, turn, i, False)) for i in range(len(queries))]
        repeated = [tuple(answer(build, turn, i, True)) for i in range(min(3, len(queries)))]
        rows += [ListRow(hash=list_hash(files), files=files) for files in (*answers, *repeated)]
        rows.append(
            PassRow(
                id=f"{SYSTEM}/{cell}/pass-{turn:03}",
                system=SYSTEM,
                cell=cell,
                seed=turn,
                copy_kind="reopened" if turn % 2 else "pristine",
                reopens=f"{SYSTEM}/{cell}/pass-{turn - 1:03}" if turn % 2 else None,
                lists=tuple(map(list_hash, answers)),
                scores=(None,) * len(queries),
                again=tuple(map(list_hash, repeated)),
            )
        )
    rows.append(CellRow(system=SYSTEM, cell=cell))
    return rows


def base_rows(
    answer: Answer = steady, *, builds: int = 3, trials: int = 5, queries: Sequence[str] = QUERIES
) -> list[Row]:
    rows: list[Row] = [build_row(i, artifact({"index.bin": b"index"})) for i in range(builds)]
    for build in range(builds):
        rows += pass_rows(answer, build, trials, queries)
    return rows


def base(
    answer: Answer = steady, *, builds: int = 3, trials: int = 5, queries: Sequence[str] = QUERIES
) -> Observations:
    return Observations(base_rows(answer, builds=builds, trials=trials, queries=queries))


def noise_rows(
    answer: Answer, probe: Sequence[str], *, cell: int = 0, documents: Mapping[str, str] | None = None
) -> list[Row]:
    """Return a noise cell with one pass, whose probes all get ``probe`` as their answer."""
    planted = dict(documents or {"src/noise.ts": "text"})
    *passes, end = pass_rows(answer, cell, 1, QUERIES, "noise")
    rows: list[Row] = [build_row(cell, artifact({"index.bin": b"noisy"}), "noise")]
    rows.append(ListRow(hash=list_hash(probe), files=tuple(probe)))
    for row in passes:
        if isinstance(row, PassRow):
            row = row.model_copy(update={"probes": (list_hash(probe),) * len(planted)})
        rows.append(row)
    rows.append(
        NoiseRow(cell=f"noise-{cell:03}", system=SYSTEM, documents=planted, probes=("words",) * len(planted))
    )
    return [*rows, end]
