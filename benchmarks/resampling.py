"""The bootstrap of a study of 4 tasks and 10 repeats against a Python loop over its resamples; peak memory."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.measuring import Figure, paired, seconds
from contextbenchmark.study.estimand import Estimand, estimand
from contextbenchmark.study.pairs import Cell, Pair, components_of
from contextbenchmark.study.record import Plan, Task

if TYPE_CHECKING:
    from contextbenchmark.stats import Array

REPEATS, RESAMPLES = 10, 10_000
TASKS: tuple[Task, ...] = ("T1", "T2", "T3", "T4")


def study() -> tuple[Estimand, dict[Task, dict[int, Pair]]]:
    """Return what is estimated of such a study, and pairs made up for it."""
    draw = random.Random(0)
    plan = Plan(study="bench", planned_repeats=dict.fromkeys(TASKS, REPEATS))
    pairs: dict[Task, dict[int, Pair]] = {}
    for task in TASKS:
        pairs[task] = {}
        for repeat in range(1, REPEATS + 1):
            cells = []
            for _ in components_of(task):
                vanilla, cc = draw.uniform(1, 2), draw.uniform(1, 2)
                cells.append(Cell(vanilla=vanilla, cc=cc, d=cc / vanilla - 1, raw=cc - vanilla))
            pairs[task][repeat] = Pair(repeat=repeat, cells=tuple(cells), swapped=tuple(cells))
    return estimand(plan), pairs


def vectorised(wanted: Estimand, strata: tuple[Array, ...]) -> Array:
    from contextbenchmark.stats import bootstrap

    return bootstrap(strata, wanted.statistic, RESAMPLES, 1)


def in_a_loop(wanted: Estimand, pairs: Mapping[Task, Mapping[int, Pair]]) -> list[list[float]]:
    """Do the same one resample at a time: draw whole units, average each component, add up every output."""
    draw = random.Random(1)
    units: list[Sequence[tuple[float, ...]]] = [
        [
            tuple(cell.d for task in unit for cell in pairs[task][repeat].cells)
            for repeat in range(1, REPEATS + 1)
        ]
        for unit in wanted.units
    ]
    names = [component.name for unit in wanted.units for task in unit for component in components_of(task)]
    found = []
    for _ in range(RESAMPLES):
        means: list[float] = []
        for rows in units:
            drawn = draw.choices(rows, k=len(rows))
            means.extend(sum(column) / len(drawn) for column in zip(*drawn, strict=True))
        of = dict(zip(names, means, strict=True))
        found.append(
            [sum(weight * of[name] for name, weight in parts.items()) for parts in wanted.outputs.values()]
        )
    return found


def figures(pairs: int, full: bool) -> Iterator[Figure]:
    wanted, table = study()
    strata = tuple(wanted.rows(table, unit) for unit in wanted.units)
    timed = paired(
        lambda: seconds(lambda: vectorised(wanted, strata)),
        lambda: seconds(lambda: in_a_loop(wanted, table)),
        pairs=pairs,
    )
    yield Figure(
        name=f"{RESAMPLES:,} resamples, over a Python loop",
        value=timed.ratio,
        bound=0.1,
        note=f"{timed.note('vectorised', 'loop')}; {len(TASKS)} tasks x {REPEATS} repeats, "
        f"{len(wanted.outputs)} outputs",
    )
    yield Figure(
        name="peak memory of that process, everything loaded",
        value=peak_megabytes(),
        bound=200,
        unit=" MB",
        note="resident, a process of its own",
    )


def peak_megabytes() -> float:
    """Return the peak resident memory of a process that does nothing but this bootstrap and its intervals."""
    answer = subprocess.run(
        [sys.executable, "-c", _ALONE], check=True, capture_output=True, text=True, timeout=120
    )
    return float(answer.stdout)


_ALONE = """
import resource, sys
from benchmarks import resampling
from contextbenchmark.stats import bias_corrected
wanted, table = resampling.study()
strata = tuple(wanted.rows(table, unit) for unit in wanted.units)
found = resampling.vectorised(wanted, strata)
bias_corrected(found, wanted.statistic(tuple(rows.sum(axis=0) for rows in strata)))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak / (1e6 if sys.platform == "darwin" else 1e3))
"""
