"""The rows that a study is analysed from: its plan, one row a session, one row a verdict of a judge.

Columns and keys stand on disk as they are named here (spec: ``study import``). A score or a cost that was not
measured is None; an empty cell and NaN mean the same.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from contextbenchmark.core.record import Record

Task = Literal["T1", "T2", "T3", "T4", "S5"]
Arm = Literal["vanilla", "cc"]
EndClass = Literal["completed", "agent_failed", "timed_out", "infrastructure_failed"]
Estimator = Literal["pairwise", "ratio_of_means"]
Verdict = Literal["KEEP", "DROP", "INCONCLUSIVE", "INVALID"]

# Tasks whose pairs enter NV; S5 never does.
NV_TASKS: tuple[Task, ...] = ("T1", "T2", "T3", "T4")
S5_STEPS = 5
# Weight of one cache read in tokens (rule book, The formula).
CACHE_READ_WEIGHT = 0.1


def _known(value: Any) -> Any:
    """Turn every way of saying "not measured" into None."""
    if isinstance(value, str) and value.strip().lower() in ("", "nan", "na", "null", "none"):
        return None
    return None if isinstance(value, float) and math.isnan(value) else value


Blank = BeforeValidator(_known)
Share = Annotated[Annotated[float, Field(ge=0, le=1)] | None, Blank]
Amount = Annotated[Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, Blank]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[Annotated[int, Field(ge=0)] | None, Blank]


class Row(Record):
    """Base of the rows: keys as the columns are named."""

    model_config = ConfigDict(alias_generator=None)


class Weights(Row):
    """Weights of the quality criteria and of the two costs (rule book, The formula)."""

    accuracy: Weight = 0.30
    code_quality: Weight = 0.20
    systems_knowledge: Weight = 0.15
    communication: Weight = 0.10
    control: Weight = 0.25
    wall: Weight = 0.5
    tokens: Weight = 0.5


class Plan(Row):
    """What was registered of the analysis.

    ``planned_repeats``: pairs per task, S5 in sequences. ``lambda_``: quality that one unit of cost must bring.
    ``alpha``: the one-sided error rate that a KEEP may have, in (0, 0.5). ``cap``: bound on every pairwise D, none
    where None. ``kind``: ``a-a`` has no server in either arm, ``placebo`` one whose answers are empty.
    """

    study: str = Field(min_length=1)
    planned_repeats: dict[Task, Annotated[int, Field(ge=0, le=1_000_000)]]
    lambda_: float = Field(0.5, alias="lambda", ge=0, allow_inf_nan=False)
    alpha: float = Field(0.05, gt=0, lt=0.5)
    estimator: Estimator = "pairwise"
    cap: Annotated[Annotated[float, Field(gt=0, allow_inf_nan=False)] | None, Blank] = None
    cache_read_weight: float = Field(CACHE_READ_WEIGHT, ge=0, le=1)
    validity_threshold: float = Field(0.8, ge=0, le=1)
    resamples: int = Field(10_000, ge=100, le=1_000_000)
    seed: int = Field(1, ge=0, lt=2**53)
    weights: Weights = Weights()
    kind: Literal["study", "a-a", "placebo"] = "study"

    def repeats(self, task: Task) -> int:
        """Return how many repeats of ``task`` were planned; 0 where it is no task of this study."""
        return self.planned_repeats.get(task, 0)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Return the tasks of this study that enter NV."""
        return tuple(task for task in NV_TASKS if self.repeats(task))

    @model_validator(mode="after")
    def _something_planned(self) -> Self:
        if not any(self.planned_repeats.values()):
            raise ValueError("planned_repeats plans no repeat of any task")
        return self


class Session(Row):
    """One attempt at one planned session.

    Shares are in [0, 1], ``wall_s`` in seconds, the four kinds of tokens as counts. ``adapt_*`` is what came after
    T4's change, its tokens weighted (``adapt_tokens``) or by kind; ``index_*`` what S5's index cost (cc, step 1).
    ``attempt`` orders the attempts at one session, the order of the rows does where it is None; ``failure`` says
    what kind an infrastructure failure was.
    """

    study: str | None = None
    task: Task
    step: Annotated[Annotated[int, Field(ge=1, le=S5_STEPS)] | None, Blank] = None
    repeat: int = Field(ge=0)
    arm: Arm
    class_: EndClass = Field(alias="class")
    attempt: Count = None
    failure: Annotated[str | None, Blank] = None
    hidden_pass_rate: Share = None
    static_score: Share = None
    t2_score: Share = None
    change_pass_rate: Share = None
    wall_s: Amount = None
    input: Amount = None
    output: Amount = None
    cache_write: Amount = None
    cache_read: Amount = None
    adapt_tokens: Amount = None
    adapt_input: Amount = None
    adapt_output: Amount = None
    adapt_cache_write: Amount = None
    adapt_cache_read: Amount = None
    adapt_wall_s: Amount = None
    index_tokens: Amount = None
    index_wall_s: Amount = None
    server_calls_called: Count = None
    server_calls_successful: Count = None

    @field_validator("class_", "arm", "task", mode="before")
    @classmethod
    def _trimmed(cls, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _step_belongs_to_s5(self) -> Self:
        if (self.task == "S5") != (self.step is not None):
            raise ValueError("step is 1 to 5 for S5 and empty for every other task")
        return self

    @property
    def counts(self) -> bool:
        """Return whether this attempt is a result: infrastructure failures are not."""
        return self.class_ != "infrastructure_failed"

    @property
    def failed(self) -> bool:
        """Return whether the session scores 0: the agent failed, or time ran out."""
        return self.class_ in ("agent_failed", "timed_out")

    def tokens(self, cache_read_weight: float) -> float | None:
        """Return input + output + cache writes + weight x cache reads; None where a part is not known."""
        return _weighted(self.input, self.output, self.cache_write, self.cache_read, cache_read_weight)

    def adaptation_tokens(self, cache_read_weight: float) -> float | None:
        """Return the tokens after T4's change, from their kinds where they are known, else as they were given."""
        parts = _weighted(
            self.adapt_input,
            self.adapt_output,
            self.adapt_cache_write,
            self.adapt_cache_read,
            cache_read_weight,
        )
        return self.adapt_tokens if parts is None else parts


def _weighted(
    fresh: float | None, output: float | None, write: float | None, read: float | None, weight: float
) -> float | None:
    if fresh is None or output is None or write is None or read is None:
        return None
    return fresh + output + write + weight * read


class Judgement(Row):
    """One verdict of one judge on one pair, in one of the two orders. ``repeat`` and ``task`` name the pair."""

    study: str | None = None
    task: Literal["T1", "T3"]
    repeat: int = Field(ge=0)
    judge: str = Field(min_length=1)
    order: Literal["cc_first", "vanilla_first"]
    verdict: Literal["cc", "vanilla", "tie", "unreadable"]
