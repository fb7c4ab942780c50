"""The tables of ``study.toml``: everything that a study declares before anything is measured."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

TaskName = Literal["T1", "T2", "T3", "T4", "S5"]
# The steps of S5 (rule book, Tasks).
S5_STEPS = 5


def _inside(text: str) -> str:
    """Accept a path that stays inside the study's folder on every system."""
    parts = text.split("/")
    if (
        not text
        or "\\" in text
        or "\0" in text
        or ":" in parts[0]
        or any(p in ("", ".", "..") for p in parts)
    ):
        raise ValueError("must be a path inside the study's folder, with / between its parts")
    return text


def _no_secret(environment: dict[str, str]) -> dict[str, str]:
    """Refuse what would be published with the study: ``$NAME`` takes a value from the environment instead."""
    for name, value in environment.items():
        if _SECRET.search(name) and value and not value.startswith("$"):
            raise ValueError(
                f'{name} would be published with its value; write {name} = "${name}" to take it from '
                "the environment"
            )
    return environment


_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
Variables = Annotated[dict[str, str], AfterValidator(_no_secret)]
NamedPath = Annotated[str, AfterValidator(_inside)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Command = Annotated[tuple[str, ...], Field(min_length=1)]


class _Table(BaseModel):
    """A table of ``study.toml``: a key that is not known is a mistake, not a comment."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)


class Repository(_Table):
    """The code that is worked on: a package URL, one git commit, what counts as a source file of it."""

    purl: Annotated[str, Field(pattern=r"^pkg:[a-z0-9.+-]+/.+")]
    commit: Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
    extensions: tuple[str, ...] = ()
    setup: tuple[Command, ...] = ()


class Agent(_Table):
    """The agent of both arms. ``family``: the makers of its model, whose models may not judge it."""

    driver: Name
    family: Name
    model: Name
    version: str = ""
    options: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    environment: Variables = Field(default_factory=dict)


class Treatment(_Table):
    """What the cc arm has and vanilla has not. ``rule``: the text that its prompt carries, verbatim."""

    name: Name
    server: tuple[str, ...] = ()
    index: tuple[Command, ...] = ()
    tools: tuple[str, ...] = ()
    rule: NamedPath | None = None
    environment: Variables = Field(default_factory=dict)


class Arms(_Table):
    cc: Treatment


class Task(_Table):
    """A task. Which of the files it needs depends on the task: see :mod:`contextbenchmark.study.check`."""

    prompt: NamedPath
    change: NamedPath | None = None
    hidden_tests: NamedPath | None = None
    test_command: tuple[str, ...] = ()
    reference: NamedPath | None = None
    answer_key: NamedPath | None = None
    rubric: NamedPath | None = None


class Sequence5(_Table):
    """S5: five related tasks on one workspace with one index."""

    steps: Annotated[tuple[Task, ...], Field(min_length=S5_STEPS, max_length=S5_STEPS)]


class Tasks(_Table):
    """The tasks of the study; one that is left out has no weight."""

    T1: Task | None = None
    T2: Task | None = None
    T3: Task | None = None
    T4: Task | None = None
    S5: Sequence5 | None = None


class Repeats(_Table):
    """How often each task is done by both arms."""

    T1: Annotated[int, Field(ge=0)] = 0
    T2: Annotated[int, Field(ge=0)] = 0
    T3: Annotated[int, Field(ge=0)] = 0
    T4: Annotated[int, Field(ge=0)] = 0
    S5: Annotated[int, Field(ge=0)] = 0


class Weights(_Table):
    """Weights of the quality criteria and of the costs (rule book, The formula)."""

    accuracy: Share = 0.30
    code_quality: Share = 0.20
    systems_knowledge: Share = 0.15
    communication: Share = 0.10
    control: Share = 0.25
    wall: Share = 0.5
    tokens: Share = 0.5


class AnalysisPlan(_Table):
    """How the rows become a verdict. ``cap``: bound on every pairwise difference, none where left out."""

    version: Annotated[int, Field(ge=1)] = 1
    lambda_: Annotated[float, Field(ge=0, alias="lambda")] = 0.5
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    estimator: Literal["pairwise", "ratio_of_means"] = "pairwise"
    cap: Positive | None = None
    cache_read_weight: Share = 0.1
    validity_threshold: Share = 0.8
    resamples: Annotated[int, Field(ge=1000)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1


class Schedule(_Table):
    """Order and repetition: a seed for the order, how many pairs at once, retries of what failed by no fault."""

    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1
    parallel: Annotated[int, Field(ge=1)] = 1
    retries: Annotated[int, Field(ge=0)] = 2


class SessionLimits(_Table):
    """Where a session is ended: seconds, weighted tokens, US dollars; ``grace_s`` between asking and killing."""

    wall_s: Positive = 3600.0
    tokens: Positive | None = None
    cost_usd: Positive | None = None
    grace_s: Positive = 20.0


class RunLimits(_Table):
    cost_usd: Positive | None = None


class Limits(_Table):
    session: SessionLimits = SessionLimits()
    run: RunLimits = RunLimits()


class Judge(_Table):
    """A model that judges, behind an OpenAI-compatible endpoint. ``key``: the variable with its key."""

    name: Name
    family: Name
    model: Name
    endpoint: Annotated[str, Field(pattern=r"^https?://")]
    key: str = ""


class Judging(_Table):
    """The prompts that judges are given, and who they are."""

    code_quality: NamedPath | None = None
    communication: NamedPath | None = None
    answers: NamedPath | None = None
    judges: tuple[Judge, ...] = ()


class Design(_Table):
    """A whole study. ``kind``: ``a-a`` has no server in either arm, ``placebo`` one whose answers are empty."""

    schema_: Annotated[Literal["contextbenchmark.study/1"], Field(alias="schema")]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
    question: Annotated[str, Field(min_length=1)]
    preset: Literal["rule-book", "free"] = "free"
    kind: Literal["study", "a-a", "placebo"] = "study"
    hidden: tuple[NamedPath, ...] = ()
    repository: Repository
    agent: Agent
    arms: Arms
    tasks: Tasks
    repeats: Repeats
    weights: Weights = Weights()
    analysis: AnalysisPlan = AnalysisPlan()
    schedule: Schedule = Schedule()
    limits: Limits = Limits()
    judging: Judging = Judging()

    def as_json(self) -> dict[str, JsonValue]:
        """Return the design with every default written out, as it is registered."""
        return self.model_dump(mode="json", by_alias=True)
