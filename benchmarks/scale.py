"""Run time against corpus size: the slope of log time over log documents, and the memory of the harness."""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.material import Plan, adapter_peak_bytes, largest_process_bytes, run
from benchmarks.measuring import Figure, told

SIZES = (1_000, 3_000, 10_000)
FULL_SIZES = (1_000, 10_000, 100_000)
PLAN = Plan(rebuilds=2, trials=2, drift=False)


def slope(sizes: tuple[int, ...], seconds: list[float]) -> float:
    """Return the least-squares slope of log seconds over log sizes."""
    fitted = statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(spent) for spent in seconds]
    )
    return fitted.slope


def figures(pairs: int, full: bool) -> Iterator[Figure]:
    sizes = FULL_SIZES if full else SIZES
    with tempfile.TemporaryDirectory(prefix="contextbenchmark-bench-") as folder:
        out = Path(folder) / "out"
        run(out, f"xl:{sizes[0]}", PLAN)
        spent = []
        for size in sizes:
            # The first run of a size makes the corpus; one more for the largest would only cost.
            repeats = [
                run(out, f"xl:{size}", PLAN, "--jobs", "1") for _ in range(2 if size == sizes[-1] else 3)
            ]
            spent.append(min(repeats))
        adapter_peak = adapter_peak_bytes(out)
    told_sizes = ", ".join(f"{size:,}: {told(second)}" for size, second in zip(sizes, spent, strict=True))
    yield Figure(
        name=f"log-log slope of run time to {sizes[-1]:,}",
        value=slope(sizes, spent),
        bound=1.1,
        note=f"last step {slope(sizes[-2:], spent[-2:]):.2f}; {told_sizes}; bm25, 2 builds x 2 passes"
        + ("" if full else "; --full goes to 100,000"),
    )
    yield Figure(
        name="largest process of the run, over bm25's own peak",
        value=largest_process_bytes() / adapter_peak,
        bound=1.1,
        note=f"bm25 {adapter_peak / 2**20:.0f} MB at {sizes[-1]:,} documents; above 1 it is ours",
    )
