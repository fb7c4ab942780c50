"""What is estimated: NV, its parts and the criteria as weighted sums of components, for arrays of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextbenchmark.study.pairs import COMPONENTS, Cell, Component, Pair, components_of
from contextbenchmark.study.record import Estimator, Plan, Task

if TYPE_CHECKING:
    from contextbenchmark.stats import Array

# T3 reports on T1: their pairs of one repeat are drawn together.
UNITS: tuple[tuple[Task, ...], ...] = (("T1", "T3"), ("T2",), ("T4",))
CRITERIA = ("accuracy", "code_quality", "systems_knowledge", "communication", "control", "wall", "tokens")
Coefficients = Mapping[str, float]


def criterion_parts(name: str) -> dict[str, float]:
    """Return the components of a criterion with their shares (rule book, The formula)."""
    return {
        "code_quality": {"static": 0.5, "code_judged": 0.5},
        "control": {"hidden_after_change": 0.5, "tokens_to_adapt": -0.25, "wall_to_adapt": -0.25},
    }.get(name, {name: 1.0})


def criterion_task(name: str) -> Task:
    """Return the task that a criterion belongs to."""
    parts = criterion_parts(name)
    return next(component.task for component in COMPONENTS if component.name in parts)


def is_cost(name: str) -> bool:
    return name in ("wall", "tokens")


@dataclass(frozen=True, kw_only=True)
class Estimand:
    """``outputs``: coefficients of the components of every output, in order; ``units``: the strata of this study."""

    estimator: Estimator
    cap: float | None
    units: tuple[tuple[Task, ...], ...]
    outputs: Mapping[str, Coefficients]

    def place(self, output: str) -> int:
        return list(self.outputs).index(output)

    def rows(
        self, pairs: Mapping[Task, Mapping[int, Pair]], unit: tuple[Task, ...], *, swapped: bool = False
    ) -> Array:
        """Return a stratum as an array (units, columns): for each of its tasks a 1 where the repeat has a pair,
        then its components, 0 where it has none. Without any pair it is one row of zeros."""
        import numpy as np

        repeats = sorted({repeat for task in unit for repeat in pairs.get(task, {})})
        rows = [
            [value for task in unit for value in self._values(task, pairs.get(task, {}).get(repeat), swapped)]
            for repeat in repeats
        ]
        return np.array(rows or [[0.0] * self._width(unit)], dtype=np.float64)

    def _width(self, unit: tuple[Task, ...]) -> int:
        each = 1 if self.estimator == "pairwise" else 2
        return sum(1 + each * len(components_of(task)) for task in unit)

    def _values(self, task: Task, pair: Pair | None, swapped: bool) -> list[float]:
        if pair is None:
            return [0.0] * self._width((task,))
        values = [1.0]
        for cell in pair.swapped if swapped else pair.cells:
            values.extend(self._entry(cell))
        return values

    def _entry(self, cell: Cell) -> tuple[float, ...]:
        if self.estimator == "ratio_of_means":
            return cell.vanilla, cell.cc
        return (capped(cell.d, self.cap),)

    def differences(self, sums: tuple[Array, ...]) -> dict[str, Array]:
        """Return D of every component from the column sums (..., columns) of each stratum; NaN without pairs."""
        import numpy as np

        found: dict[str, Array] = {}
        with np.errstate(invalid="ignore", divide="ignore"):
            for component, count, values in self._columns(sums):
                if len(values) == 1:
                    found[component.name] = values[0] / count
                else:
                    vanilla, cc = values[0] / count, values[1] / count
                    zero = np.where(cc == 0, 0.0, np.where(np.isnan(cc), np.nan, 1.0))
                    found[component.name] = np.where(vanilla == 0, zero, (cc - vanilla) / vanilla)
        return found

    def _columns(self, arrays: tuple[Array, ...]) -> list[tuple[Component, Array, tuple[Array, ...]]]:
        """Return each component with its stratum's column of counts and its own one or two columns."""
        each = 1 if self.estimator == "pairwise" else 2
        found = []
        for unit, array in zip(self.units, arrays, strict=True):
            column = 0
            for task in unit:
                count = array[..., column]
                column += 1
                for component in components_of(task):
                    values = tuple(array[..., column + number] for number in range(each))
                    found.append((component, count, values))
                    column += each
        return found

    def statistic(self, sums: tuple[Array, ...]) -> Array:
        """Return all outputs (..., outputs) from the column sums of each stratum."""
        import numpy as np

        differences = self.differences(sums)
        found = np.zeros((*sums[0].shape[:-1], len(self.outputs)))
        for number, parts in enumerate(self.outputs.values()):
            for name, weight in parts.items():
                found[..., number] += weight * differences[name]
        return found

    def influences(self, strata: tuple[Array, ...], output: str) -> list[Array]:
        """Return what each unit (..., units) moves ``output``: centred on 0, its mean square over n - 1 and n is the
        squared standard error. Exact for ``pairwise``, linearised for ``ratio_of_means``."""
        import numpy as np

        parts = self.outputs[output]
        moved = [np.zeros(array.shape[:-1]) for array in strata]
        stratum_of = {task: number for number, unit in enumerate(self.units) for task in unit}
        with np.errstate(invalid="ignore", divide="ignore"):
            for component, present, values in self._columns(strata):
                weight = parts.get(component.name, 0.0)
                if not weight:
                    continue
                count = present.sum(axis=-1, keepdims=True)
                scale = weight * present.shape[-1] / count
                means = [value.sum(axis=-1, keepdims=True) / count for value in values]
                if len(values) == 1:
                    part = (values[0] - means[0]) * present
                else:
                    ratio = means[1] / means[0]
                    part = np.where(means[0] == 0, 0.0, (values[1] - ratio * values[0]) / means[0]) * present
                moved[stratum_of[component.task]] += scale * part
        return moved


def capped(d: float, cap: float | None) -> float:
    """Return ``d`` within [-cap, cap]; NaN stays NaN."""
    return d if cap is None or d != d else max(-cap, min(cap, d))


def estimand(plan: Plan) -> Estimand:
    """Return what ``plan`` asks for: nv, q, c, y of every task, every criterion; tasks not planned are left out."""
    tasks = plan.tasks
    present = {component.name for component in COMPONENTS if component.task in tasks}
    weights = plan.weights.model_dump()
    quality: dict[str, float] = {}
    cost: dict[str, float] = {}
    criteria: dict[str, dict[str, float]] = {}
    for name in CRITERIA:
        parts = {part: share for part, share in criterion_parts(name).items() if part in present}
        if not parts:
            continue
        criteria[name] = parts
        total = cost if is_cost(name) else quality
        for part, share in parts.items():
            if weights[name] * share:
                total[part] = weights[name] * share
    net = quality | {part: -plan.lambda_ * share for part, share in cost.items() if plan.lambda_}
    outputs: dict[str, Coefficients] = {"nv": net, "q": quality, "c": cost}
    for task in tasks:
        own = {component.name for component in components_of(task)}
        outputs[task] = {part: share for part, share in net.items() if part in own}
    units = tuple(
        tuple(task for task in unit if task in tasks) for unit in UNITS if any(task in tasks for task in unit)
    )
    return Estimand(
        estimator=plan.estimator,
        cap=plan.cap if plan.estimator == "pairwise" else None,
        units=units,
        outputs=outputs | criteria,
    )
