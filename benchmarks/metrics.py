"""Metrics of 1,000 passes x top-1000 x 100 queries with at most 3 distinct lists a query: seconds of CPU."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from benchmarks.measuring import Figure
from contextbenchmark.trust.families.stability import measure_stability
from contextbenchmark.trust.observation import (
    BuildRow,
    CellRow,
    ListRow,
    Observations,
    PassRow,
    Row,
    list_hash,
)

PASSES, K, QUERIES, DISTINCT, BUILDS = 1000, 1000, 100, 3, 4


def load() -> tuple[Observations, tuple[str, ...]]:
    """Return the observations of a system whose answers flip, and its queries."""
    draw = random.Random(0)
    files = [f"src/part{number % 40}/file{number}.py" for number in range(3 * K)]
    rows: list[Row] = []
    choices: list[list[str]] = []
    for _ in range(QUERIES):
        hashes = []
        base = draw.sample(files, K)
        for _ in range(DISTINCT):
            changed = base.copy()
            for _ in range(100):
                i, j = draw.randrange(K), draw.randrange(K)
                changed[i], changed[j] = changed[j], changed[i]
            hashes.append(list_hash(changed))
            rows.append(ListRow(hash=hashes[-1], files=tuple(changed)))
        choices.append(hashes)
    for build in range(BUILDS):
        cell = f"base-{build:03d}"
        rows.append(BuildRow(id=f"s/{cell}/build", system="s", cell=cell, seed=1))
        for number in range(PASSES // BUILDS):
            rows.append(
                PassRow(
                    id=f"s/{cell}/pass-{number:03d}",
                    system="s",
                    cell=cell,
                    seed=1,
                    copy_kind="reopened" if number % 2 else "pristine",
                    reopens=f"s/{cell}/pass-{number - 1:03d}" if number % 2 else None,
                    lists=tuple(draw.choice(hashes) for hashes in choices),
                    scores=(None,) * QUERIES,
                )
            )
        rows.append(CellRow(system="s", cell=cell))
    return Observations(rows), tuple(f"query {number}" for number in range(QUERIES))


def figures(pairs: int, full: bool) -> Iterator[Figure]:
    observations, queries = load()
    spent = []
    for _ in range(pairs):
        began = time.process_time()
        measure_stability(observations, "s", queries, K)
        spent.append(time.process_time() - began)
    yield Figure(
        name="metrics of 1,000 passes x 1,000 x 100, CPU",
        value=statistics.median(spent),
        bound=1.0,
        unit=" s",
        note=f"{DISTINCT} distinct lists a query, {BUILDS} builds",
    )
