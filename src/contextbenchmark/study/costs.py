"""What the sessions cost in their own units: for reading beside the relative differences, never instead of them."""

from __future__ import annotations

from contextbenchmark.study.analysis_record import CostRow
from contextbenchmark.study.measured import ARMS, Measured
from contextbenchmark.study.record import Session, Task


def costs(measured: Measured) -> dict[Task, CostRow]:
    """Return the mean cost of each task's paired sessions, per arm."""
    plan = measured.plan
    found: dict[Task, CostRow] = {}
    for task in plan.tasks:
        pairs = [
            (vanilla, cc)
            for repeat in measured.repeats(task)
            if (vanilla := measured.counted(task, repeat, "vanilla")) is not None
            and (cc := measured.counted(task, repeat, "cc")) is not None
        ]
        arms: dict[str, list[Session]] = {
            arm: [pair[place] for pair in pairs] for place, arm in enumerate(ARMS)
        }
        found[task] = CostRow(
            pairs=len(pairs),
            wall_s={arm: _mean([session.wall_s for session in arms[arm]]) for arm in ARMS},
            tokens={
                arm: _mean([session.tokens(plan.cache_read_weight) for session in arms[arm]]) for arm in ARMS
            },
        )
    return found


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
