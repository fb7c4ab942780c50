"""What was planned and is not there, and what it could have been at best and at worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from contextbenchmark.study.analysis_record import ArmClasses, Missing, MissingTask, Progress
from contextbenchmark.study.estimate import PairTable, estimate, rule
from contextbenchmark.study.measured import ARMS, Measured
from contextbenchmark.study.numbers_record import Case
from contextbenchmark.study.pairs import Pair, imputed
from contextbenchmark.study.record import Arm, Plan, Task
from contextbenchmark.study.s5 import sequences


def missing(measured: Measured, pairs: PairTable) -> Missing:
    """Return planned against present pairs of every task; NV with every missing pair at +1 and at -1.

    S5's sequences are listed, not imputed: they never enter NV.
    """
    plan = measured.plan
    tasks = {task: _task(measured, pairs, task) for task in plan.planned_repeats if plan.repeats(task)}
    counted: dict[Task, MissingTask] = {task: tasks[task] for task in plan.tasks}
    absent = sum(row.missing for row in counted.values())
    return Missing(
        planned=sum(row.planned for row in counted.values()),
        pairs=sum(row.pairs for row in counted.values()),
        missing=absent,
        tasks=tasks,
        best=_case(plan, pairs, counted, 1.0) if absent else None,
        worst=_case(plan, pairs, counted, -1.0) if absent else None,
        later_results=sum(outcome.later_results for outcome in measured.outcomes.values()),
    )


def progress(measured: Measured, attempts: int = 1) -> Progress:
    """Return how many of the planned sessions have their final class.

    :param attempts: how many a session may have before an infrastructure failure is final.
    """
    outcomes = [measured.outcomes.get(key) for key in measured.planned()]
    final = sum(outcome is not None and outcome.is_final(attempts) for outcome in outcomes)
    return Progress(planned=len(outcomes), final=final)


def _task(measured: Measured, pairs: PairTable, task: Task) -> MissingTask:
    planned = measured.repeats(task)
    if task == "S5":
        present = len(sequences(measured))
        absent: tuple[int, ...] = ()
    else:
        present = len(pairs.get(task, {}))
        absent = tuple(repeat for repeat in planned if repeat not in pairs.get(task, {}))
    return MissingTask(
        planned=len(planned),
        pairs=present,
        missing=len(planned) - present,
        repeats=absent,
        arms={arm: _classes(measured, task, arm) for arm in ARMS},
    )


def _classes(measured: Measured, task: Task, arm: Arm) -> ArmClasses:
    counts: Counter[str] = Counter()
    for key in measured.planned():
        if key.task != task or key.arm != arm:
            continue
        outcome = measured.outcomes.get(key)
        if outcome is None:
            counts["absent"] += 1
        else:
            counts[(outcome.counted or outcome.first).class_] += 1
    return ArmClasses.model_validate(counts)


def _case(plan: Plan, pairs: PairTable, tasks: Mapping[Task, MissingTask], quality: float) -> Case:
    """Bootstrap again, pair by pair whatever the estimator, with every missing pair at one extreme."""
    filled: dict[Task, Mapping[int, Pair]] = {
        task: {**pairs.get(task, {}), **{repeat: imputed(task, repeat, quality) for repeat in row.repeats}}
        for task, row in tasks.items()
    }
    found = estimate(plan.model_copy(update={"estimator": "pairwise"}), filled)
    return Case(value=found.nv.value, lo=found.nv.lo, hi=found.nv.hi, verdict=rule(found.nv))
