"""Which attempt counts for each planned session, and what is missing: the first result, never a later one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from contextbenchmark.study.record import S5_STEPS, Arm, Plan, Session, Task

ARMS: tuple[Arm, ...] = ("vanilla", "cc")


@dataclass(frozen=True, kw_only=True)
class Key:
    """A planned session. ``step`` is 0 outside S5."""

    task: Task
    step: int
    repeat: int
    arm: Arm


def key_of(row: Session) -> Key:
    return Key(task=row.task, step=row.step or 0, repeat=row.repeat, arm=row.arm)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a planned session: its first attempt, and the one that counts (None: no result yet).

    ``attempts``: how many there were. ``later_results``: results that came after the one that counts.
    """

    first: Session
    counted: Session | None
    attempts: int = 1
    later_results: int = 0

    def with_attempt(self, row: Session) -> Outcome:
        """Return the outcome with one more attempt. Without a number, attempts stand in their order."""
        known = replace(
            self, first=row if _before(row, self.first) else self.first, attempts=self.attempts + 1
        )
        if not row.counts:
            return known
        if self.counted is None:
            return replace(known, counted=row)
        earlier = _before(row, self.counted)
        return replace(
            known,
            counted=row if earlier else self.counted,
            later_results=self.later_results + 1,
        )

    def is_final(self, attempts: int) -> bool:
        """Return whether the session's class is its last: it has a result, or as many ``attempts`` as it may."""
        return self.counted is not None or self.attempts >= attempts


def _before(row: Session, other: Session) -> bool:
    return row.attempt is not None and other.attempt is not None and row.attempt < other.attempt


@dataclass(kw_only=True)
class Collector:
    """Takes rows one by one and holds no more than two attempts a planned session."""

    outcomes: dict[Key, Outcome] = field(default_factory=dict)

    def add(self, row: Session) -> None:
        key = key_of(row)
        known = self.outcomes.get(key)
        self.outcomes[key] = (
            Outcome(first=row, counted=row if row.counts else None)
            if known is None
            else known.with_attempt(row)
        )


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Every planned session's outcome. ``base``: the number of the first repeat, 0 or 1."""

    plan: Plan
    base: int
    outcomes: Mapping[Key, Outcome]

    def repeats(self, task: Task) -> range:
        """Return the planned repeats of ``task``."""
        return range(self.base, self.base + self.plan.repeats(task))

    def counted(self, task: Task, repeat: int, arm: Arm, step: int = 0) -> Session | None:
        """Return the attempt that counts, None where the session has no result."""
        outcome = self.outcomes.get(Key(task=task, step=step, repeat=repeat, arm=arm))
        return outcome.counted if outcome else None

    def planned(self) -> Iterator[Key]:
        """Yield every planned session."""
        for task in self.plan.planned_repeats:
            for repeat in self.repeats(task):
                for step in range(1, S5_STEPS + 1) if task == "S5" else (0,):
                    for arm in ARMS:
                        yield Key(task=task, step=step, repeat=repeat, arm=arm)

    def results(self, arm: Arm) -> Iterator[Session]:
        """Yield the counted session of every planned one of ``arm`` that has a result."""
        for key, outcome in self.outcomes.items():
            if key.arm == arm and outcome.counted is not None:
                yield outcome.counted

    def with_results(self, changed: Mapping[Key, Session | None]) -> Measured:
        """Return the same with other counted sessions in some places; None takes a result away."""
        outcomes = dict(self.outcomes)
        for key, session in changed.items():
            outcomes[key] = replace(outcomes[key], counted=session)
        return replace(self, outcomes=outcomes)

    def with_plan(self, plan: Plan) -> Measured:
        return replace(self, plan=plan)


def first_repeat(outcomes: Iterable[Key]) -> int:
    """Return whether repeats are counted from 0 or from 1: from 0 where any row says 0."""
    return 0 if any(key.repeat == 0 for key in outcomes) else 1


def measure(plan: Plan, rows: Iterable[Session]) -> Measured:
    """Return the outcomes of ``rows``; sessions that were not planned are left out."""
    collector = Collector()
    for row in rows:
        collector.add(row)
    return settle(plan, collector)


def settle(plan: Plan, collector: Collector) -> Measured:
    """Return what ``collector`` holds of the planned sessions."""
    measured = Measured(plan=plan, base=first_repeat(collector.outcomes), outcomes={})
    kept = {key: collector.outcomes[key] for key in measured.planned() if key in collector.outcomes}
    return replace(measured, outcomes=kept)
