"""The numbers of an analysis: intervals, tests, error rates, break-even. None is a number that does not exist.

Every interval is a 95 % one.
"""

from __future__ import annotations

from contextbenchmark.study.record import Arm, Row, Task, Verdict


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


class Reach(Row):
    """From which number of pairs on p <= .05 can be reached at all, before and after Holm."""

    before_holm: int
    after_holm: int


class Sensitivity(Row):
    """The analysis done another way. ``flips``: its verdict is not the primary one's."""

    name: str
    label: str
    nv: Interval
    verdict: Verdict
    flips: bool
    note: str = ""


class Case(Interval):
    """NV with every missing pair at one extreme."""

    verdict: Verdict


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
