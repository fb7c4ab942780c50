"""A run as it could have been, with one system of each kind: what the golden files are derived from.

Nothing here is random: rankings come from SHA-256 of query and path. The report is derived from these rows by
the same functions as any other, so it holds nothing that a run could not hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from contextbenchmark.trust.cell_plan import ResourceRow, SessionRow
from contextbenchmark.trust.corpus import Query
from contextbenchmark.trust.derive import derive_report, derive_times
from contextbenchmark.trust.journal import CorpusFacts, Manifest, QueryFacts, SystemPlan
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
    ScoresRow,
    SystemIdentity,
    SystemRow,
    list_hash,
    scores_hash,
)
from contextbenchmark.trust.record import Machine, Parameters, Report, Times

K, BUILDS, PASSES = 10, 3, 5
NOISE = "src/domain/noise 0001.ts"
NAMES = (
    "address",
    "basket",
    "catalogue",
    "coupon",
    "customer",
    "delivery",
    "invoice",
    "order",
    "payment",
    "refund",
)
FILES = tuple(
    f"src/{layer}/{name}.ts"
    for layer in ("api", "application", "domain", "infrastructure", "ui")
    for name in (*NAMES, "stock", "tax")
)
SUBJECTS = tuple(path.removesuffix(".ts").removeprefix("src/") for path in FILES[::2])
QUERIES = tuple(
    Query(text=f"Where is the {subject.split('/')[1]} of the {subject.split('/')[0]} layer handled?",
          relevant=frozenset({f"src/{subject}.ts"}))
    for subject in SUBJECTS
)  # fmt: skip
SYSTEMS = ("steady", "stamped@1.2.0", "graph-ann@0.9.1", "hosted", "constant", "hangs", "needs-a-key")


def digest(*parts: object) -> str:
    """Return the SHA-256, hex, of ``parts`` as text."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def ranking(query: int, *, variant: str = "", moved: int = 0, noise_at: int | None = None) -> tuple[str, ...]:
    """Return the ranked files of query number ``query``: the relevant one near the head, the rest by hash.

    ``variant`` reorders the last ``moved`` of them, drawn from the files below; ``noise_at`` puts the noise
    document at that rank (from 0).
    """
    order = sorted(FILES, key=lambda path: digest(query, path))
    wanted = next(iter(QUERIES[query].relevant))
    order.remove(wanted)
    order.insert(int(digest("rank", query)[:2], 16) % 6, wanted)
    head = order[: K - moved]
    tail = sorted(order[K - moved : K + moved], key=lambda path: digest(variant, query, path))
    files = [*head, *tail][:K]
    if noise_at is not None:
        files = [*files[:noise_at], NOISE, *files[noise_at:]][:K]
    return tuple(files)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How a system behaves: ``answer(cell, pass number, query)`` and ``artifact(cell)``."""

    answer: Callable[[str, int, int], tuple[str, ...]]
    artifact: Callable[[str], Sequence[tuple[str, int, str]]]
    finds_noise: bool = True
    changes_copy: bool = False


def _steady_artifact(cell: str) -> list[tuple[str, int, str]]:
    return [("index.json", 412_118, cell if cell.startswith("noise-") else "")]


def _stamped_artifact(cell: str) -> list[tuple[str, int, str]]:
    return [("meta.json", 311, cell), ("segments/0001.idx", 1_188_402, ""), ("segments/lock", 0, "")]


def _graph_artifact(cell: str) -> list[tuple[str, int, str]]:
    return [("graph.bin", 6_402_118, cell), ("<b>notes</b>.txt", 88, cell), ("vectors.npy", 2_304_000, "")]


def _graph_answer(cell: str, number: int, query: int) -> tuple[str, ...]:
    noise = 4 if cell.startswith("noise-") and query % 7 == 0 else None
    if query % 3 == 0:
        return ranking(query, noise_at=noise)
    return ranking(query, variant=f"{cell}{number % 2}", moved=query % 5 + 5, noise_at=noise)


KINDS = {
    "steady": Kind(answer=lambda cell, number, query: ranking(query), artifact=_steady_artifact),
    "stamped@1.2.0": Kind(
        answer=lambda cell, number, query: ranking(
            query, noise_at=9 if cell.startswith("noise-") and query == 4 else None
        ),
        artifact=_stamped_artifact,
        changes_copy=True,
    ),
    "graph-ann@0.9.1": Kind(answer=_graph_answer, artifact=_graph_artifact),
    "hosted": Kind(
        answer=lambda cell, number, query: ranking(query), artifact=lambda cell: [], finds_noise=False
    ),
    "constant": Kind(answer=lambda cell, number, query: FILES[:K], artifact=_steady_artifact),
}


def _version(system: str) -> SystemIdentity:
    name, _, version = system.partition("@")
    if version:
        return SystemIdentity(id=f"{name} {version}", source="declared", note="the version of its package")
    return SystemIdentity(id=digest(system)[:16], source="content-hash")


def rows() -> list[Row]:
    """Return every row of the run, in the order in which they could have been written."""
    written: list[Row] = [ListRow(hash=list_hash([NOISE]), files=(NOISE,))]
    for system, kind in KINDS.items():
        written.append(SystemRow(system=system, available=True, version=_version(system)))
        for cell in (*(f"base-{number:03d}" for number in range(BUILDS)), "noise-000"):
            written.extend(_cell(system, kind, cell))
    written.append(SystemRow(system="hangs", available=True, version=_version("hangs")))
    written.extend(_hanging())
    written.append(
        SystemRow(
            system="needs-a-key",
            available=False,
            reason="It needs an account: SAMPLE_API_KEY is not set.",
            remedy="Set SAMPLE_API_KEY.",
        )
    )
    return written


def _cell(system: str, kind: Kind, cell: str) -> Iterator[Row]:
    yield BuildRow(
        id=f"{system}/{cell}/build",
        system=system,
        cell=cell,
        seed=1,
        version=_version(system),
        artifact=_artifact(system, kind.artifact(cell)),
    )
    noisy = cell.startswith("noise-")
    if noisy:
        yield NoiseRow(
            cell=cell, system=system, documents={NOISE: "zyxo wvut qpon"}, probes=("zyxo wvut qpon",)
        )
    for number in range(1 if noisy else PASSES):
        answers = [kind.answer(cell, number, query) for query in range(len(QUERIES))]
        scores = tuple(float(K - rank) for rank in range(K))
        yield ScoresRow(hash=scores_hash(scores), scores=scores)
        yield from (ListRow(hash=list_hash(files), files=files) for files in answers)
        hashes = tuple(list_hash(files) for files in answers)
        reopened = number % 2 == 1
        yield PassRow(
            id=f"{system}/{cell}/pass-{number:03d}",
            system=system,
            cell=cell,
            seed=number,
            copy_kind="reopened" if reopened else "pristine",
            reopens=f"{system}/{cell}/pass-{number - 1:03d}" if reopened else None,
            version=_version(system),
            lists=hashes,
            scores=(scores_hash(scores),) * len(hashes),
            again=hashes[:3],
            probes=(list_hash([NOISE] if kind.finds_noise else []),) if noisy else (),
            artifact_changed=kind.changes_copy,
        )
    yield CellRow(system=system, cell=cell)


def _artifact(system: str, files: Sequence[tuple[str, int, str]]) -> Artifact:
    parts = [(path, size, digest(system, path, content)) for path, size, content in files]
    return Artifact(
        hash=digest("tree", *parts),
        tree_digest=digest("digest", *parts),
        bytes=sum(size for _, size, _ in parts),
        files=tuple(ArtifactFile(path=path, size=size, sha256=sha256) for path, size, sha256 in parts),
    )


def _hanging() -> Iterator[Row]:
    yield BuildRow(
        id="hangs/base-000/build",
        system="hangs",
        cell="base-000",
        seed=1,
        failure=Failure(
            phase="build",
            kind="timed-out",
            message="hangs: build did not end within 60 s; it was stopped.",
            remedy="Raise --timeout if it needs longer.",
            output="reading files\n\x1b[31mwaiting for <lock>\x1b[0m\n",
        ),
    )
    yield CellRow(system="hangs", cell="base-000")


def manifest() -> Manifest:
    """Return what the run was asked for."""
    return Manifest(
        id="20260101T000000Z-5a3e1e00",
        started="2026-01-01T00:00:00+00:00",
        benchmark_version="0.2.0",
        method_version="1",
        corpus=CorpusFacts(
            name="sample-shop", hash=digest("corpus"), tree_digest=digest("corpus digest"), files=60, bytes=184_320,
            warnings=("Two files have the same content.",),
        ),
        queries=tuple(QueryFacts(query=q.text, relevant=tuple(sorted(q.relevant))) for q in QUERIES),
        parameters=Parameters(k=K, rebuilds=BUILDS, trials=PASSES, timeout_seconds=60.0),
        systems=tuple(_plan(system) for system in SYSTEMS),
        machine=Machine(
            os="linux 6.1.0", arch="x64", cpu="Sample CPU", cores=2, memory_bytes=8 << 30, python="3.12.4",
            libc="glibc 2.36", locale="C.UTF-8",
        ),
        versions={"contextbenchmark": "0.2.0", "numpy": "2.1.0"},
        not_varied=("the CPU affinity of operations",),
    )  # fmt: skip


def _plan(system: str) -> SystemPlan:
    return SystemPlan(
        name=system,
        adapter=system.partition("@")[0],
        reference=system,
        summary=f"A sample: {system.partition('@')[0]}.",
        source=digest("adapter", system),
        python="3.12.4",
        distributions=("sample-engine 0.9.1",) if system.startswith("graph") else (),
        deviations=("its default embedder must be fetched; it ran with ours",)
        if system.startswith("graph")
        else (),
        remote=system == "hosted",
    )


def resources() -> list[ResourceRow]:
    """Return what the operations used; made up, but in proportion."""
    speed = {
        "steady": 0.0004,
        "stamped@1.2.0": 0.0011,
        "graph-ann@0.9.1": 0.021,
        "hosted": 0.18,
        "constant": 0.00001,
    }
    found = []
    for row in rows():
        if isinstance(row, BuildRow | PassRow) and row.system in speed:
            second = speed[row.system]
            build = isinstance(row, BuildRow)
            found.append(
                ResourceRow(
                    id=row.id,
                    system=row.system,
                    cell=row.cell,
                    attempt=1,
                    wall_seconds=second * (90 if build else 32),
                    cpu_seconds=second * (80 if build else 30),
                    peak_memory_bytes=48 << 20,
                    query_seconds=()
                    if build
                    else tuple(second * (1 + (query * 7 % 11) / 9) for query in range(len(QUERIES))),
                )
            )
    return found


@cache
def sample() -> tuple[Report, Times, Observations]:
    """Return the run's report, its times and its observations; nobody changes them."""
    observations = Observations(rows())
    report = derive_report(manifest(), observations)
    times = derive_times(manifest(), resources(), [SessionRow(seconds=93.4, jobs=2, harness_seconds=1.8)])
    return report, times, observations
