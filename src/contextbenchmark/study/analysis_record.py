"""What an analysis found: the record that ``study analyse --json`` prints and every report is made of.

Numbers that do not exist are None. Every interval is a 95 % one.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from contextbenchmark.study.record import Arm, Estimator, Plan, Row, Task, Verdict


class Interval(Row):
    """A value with the bounds of its bias-corrected bootstrap interval."""

    value: float | None = None
    lo: float | None = None
    hi: float | None = None


class Welch(Interval):
    """NV with its Welch t interval. ``se``: standard error; ``df``: degrees of freedom."""

    se: float | None = None
    df: float | None = None
    verdict: Verdict = "INCONCLUSIVE"


class SignedRankRow(Row):
    """A Wilcoxon signed-rank test (:class:`contextbenchmark.stats.SignedRank`)."""

    p: float
    z: float | None
    w: float
    n: int
    nonzero: int
    exact: bool


class Criterion(Row):
    """One criterion: ``delta`` is the mean relative difference, cc against vanilla; ``weight`` as registered.

    ``wilcoxon`` tests the raw differences, ``holm`` is its p adjusted for the number of criteria, ``r`` its effect
    size; None where a difference is not known, or (``r``) where all differences are zero.
    """

    task: Task
    cost: bool
    weight: float
    pairs: int
    delta: float | None
    lo: float | None
    hi: float | None
    wilcoxon: SignedRankRow | None
    holm: float | None
    r: float | None


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


class Sensitivity(Row):
    """The analysis done another way. ``flips``: its verdict is not the primary one's."""

    name: str
    label: str
    nv: Interval
    verdict: Verdict
    flips: bool
    note: str = ""


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


class Case(Interval):
    """NV with every missing pair at one extreme."""

    verdict: Verdict


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


class S5(Row):
    """Break-even of five tasks with one index. ``k``: the task from which on cc is at or below vanilla; 6: never.

    ``vanilla`` and ``cc`` are mean cumulative tokens a task, cc's with the index; ``raised``: k with the tokens of
    failed steps raised to the partner's.
    """

    sequences: int
    planned: int
    k: int | None
    lo: int | None
    hi: int | None
    raised: int | None
    vanilla: tuple[float, ...]
    cc: tuple[float, ...]
    index_tokens: float | None
    index_wall_s: float | None
    pass_rate: dict[Arm, float | None]
    note: str = ""


class CostRow(Row):
    """What the paired sessions of a task cost on average: seconds of wall time, weighted tokens; as measured."""

    pairs: int
    wall_s: dict[Arm, float | None]
    tokens: dict[Arm, float | None]


class Rate(Row):
    """A share of simulated studies with its Monte-Carlo standard error."""

    value: float
    error: float


class Rates(Row):
    """How often an interval held the truth (NV = 0), and how often the rule said KEEP all the same."""

    coverage: Rate
    false_keep: Rate


class Null(Row):
    """Both intervals under one way of making NV = 0."""

    bc: Rates
    welch: Rates


class Calibration(Row):
    """Error rates at this n and spread. ``alpha``: registered, one-sided; ``nominal``: the interval's own."""

    alpha: float
    nominal: float
    studies: int
    resamples: int
    recentred: Null
    swapped: Null


class Reach(Row):
    """From which number of pairs on p <= .05 can be reached at all, before and after Holm."""

    before_holm: int
    after_holm: int


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
