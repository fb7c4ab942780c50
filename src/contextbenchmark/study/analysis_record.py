"""What an analysis found: the record that ``study analyse --json`` prints and every report is made of."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from contextbenchmark.study.numbers_record import (
    S5,
    Calibration,
    Case,
    Criterion,
    Interval,
    Reach,
    Sensitivity,
    Welch,
)
from contextbenchmark.study.record import Arm, Estimator, Plan, Row, Task, Verdict


class Treatment(Row):
    """Whether the treatment was received. ``called`` and ``answered`` are shares of ``sessions``.

    ``sessions`` are the cc sessions of all tasks and steps that ended in a result. ``unknown``: of how many the calls
    were not recorded; they count as not called. ``start_failure_rate``: the share of cc sessions whose first attempt
    ended in an infrastructure failure, of all that were attempted.
    """

    called: float | None
    answered: float | None
    sessions: int
    called_sessions: int
    answered_sessions: int
    unknown: int
    threshold: float
    valid: bool
    attempted: int
    start_failures: int
    start_failure_rate: float | None


class ArmClasses(Row):
    """How the planned sessions of one arm ended; ``absent`` has no row at all."""

    completed: int = 0
    agent_failed: int = 0
    timed_out: int = 0
    infrastructure_failed: int = 0
    absent: int = 0


class MissingTask(Row):
    """One task: planned and present pairs (S5: sequences), the repeats without one, how each arm's sessions ended."""

    planned: int
    pairs: int
    missing: int
    repeats: tuple[int, ...]
    arms: dict[Arm, ArmClasses]


class Missing(Row):
    """Missing pairs. ``best`` and ``worst`` are None where no pair is missing."""

    planned: int
    pairs: int
    missing: int
    tasks: dict[Task, MissingTask]
    best: Case | None = None
    worst: Case | None = None
    later_results: int = 0


class Refused(Row):
    """Rows that were not taken: why, how many, and where the first of them stand."""

    file: str
    reason: str
    rows: int
    lines: tuple[int, ...]


class Imported(Row):
    """What of the rows was taken."""

    sessions: int
    judgements: int
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


class Judges(Row):
    """The judges. ``agreement``: share of (pair, two judges) where both prefer the same; None with one judge.

    ``contradictions``: judges that preferred different arms in their two orders, of ``both_orders`` that gave both.
    """

    names: tuple[str, ...]
    verdicts: int
    unreadable: int
    both_orders: int
    contradictions: int
    agreement: float | None


class CostRow(Row):
    """What the paired sessions of a task cost on average: seconds of wall time, weighted tokens; as measured."""

    pairs: int
    wall_s: dict[Arm, float | None]
    tokens: dict[Arm, float | None]


class Progress(Row):
    """Planned sessions, and how many of them have their final class."""

    planned: int
    final: int


class Look(Row):
    """An analysis that somebody made: what it said, and of how many of the planned sessions."""

    verdict: Verdict
    nv: float | None
    lo: float | None
    hi: float | None
    sessions: int
    planned: int


class Analysis(Row):
    """One analysis of one study.

    ``sentence``: the verdict with everything that must be read with it. ``reasons``: why the verdict is what it is.
    ``qualifications``: checks that a KEEP or DROP did not pass. ``y``: each task's share of NV. ``looks``: analyses
    before this one. ``other_versions``: rows measured under other registered versions, which are not in here.
    """

    schema_: Literal["contextbenchmark.analysis/1"] = Field("contextbenchmark.analysis/1", alias="schema")
    study: str
    verdict: Verdict
    sentence: str
    reasons: tuple[str, ...]
    qualifications: tuple[str, ...]
    nv: Interval
    q: Interval
    c: Interval
    welch: Welch
    y: dict[Task, float | None]
    y_intervals: dict[Task, Interval]
    criteria: dict[str, Criterion]
    reach: Reach
    costs: dict[Task, CostRow]
    treatment: Treatment
    sensitivities: tuple[Sensitivity, ...]
    missing: Missing
    judges: Judges
    s5: S5 | None
    calibration: Calibration | None
    plan: Plan
    estimator: Estimator
    undefined_resamples: int = 0
    progress: Progress
    looks: tuple[Look, ...] = ()
    other_versions: dict[int, int] = Field(default_factory=dict)
    imported: Imported | None = None
