"""What a design must say to be measurable, and what the rule book's preset asks of it beyond that. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from contextbenchmark.study.design import S5_STEPS, AnalysisPlan, Design, Task, Weights
from contextbenchmark.study.design_file import each_task

# error: the study cannot be registered. demand: the rule book asks for it: an error in its preset, else a warning.
Severity = Literal["error", "demand", "warning", "note"]
ROUNDING = 1e-9
# Wilcoxon's signed-rank test over n pairs cannot give less than 2 / 2^n, two-sided: .05 is reached from 6 on,
# and from 9 on after Holm over seven criteria.
WILCOXON_PAIRS = 6
HOLM_PAIRS = 9

_NEEDED: dict[str, tuple[str, ...]] = {
    "T1": ("hidden_tests", "test_command"),
    "T2": ("answer_key", "rubric"),
    "T3": ("rubric",),
    "T4": ("change", "hidden_tests", "test_command"),
    "S5": ("hidden_tests", "test_command"),
}
# Which weights belong to which task.
_WEIGHTS: dict[str, tuple[str, ...]] = {
    "T1": ("accuracy", "code_quality"),
    "T2": ("systems_knowledge",),
    "T3": ("communication",),
    "T4": ("control",),
}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was found: where in the study, and a sentence about it."""

    severity: Severity
    place: str
    problem: str


def demands(design: Design) -> Iterator[Finding]:
    """Yield what ``design`` lacks, from the design alone."""
    yield from _tasks(design)
    yield from _weights(design)
    yield from _arms(design)
    yield from _judges(design)
    if design.preset == "rule-book":
        yield from _rule_book(design)


def present(design: Design) -> tuple[str, ...]:
    """Return the names of the tasks that ``design`` has."""
    return tuple(name for name in ("T1", "T2", "T3", "T4", "S5") if getattr(design.tasks, name) is not None)


def sessions(design: Design) -> int:
    """Return how many sessions are planned: both arms, every step of S5."""
    steps = {"S5": S5_STEPS}
    return sum(2 * getattr(design.repeats, name) * steps.get(name, 1) for name in present(design))


def test_command(design: Design, task: Task) -> tuple[str, ...]:
    """Return the command that runs a task's hidden tests: its own, or T1's."""
    return task.test_command or (design.tasks.T1.test_command if design.tasks.T1 else ())


def _tasks(design: Design) -> Iterator[Finding]:
    names = present(design)
    if not set(names) - {"S5"}:
        yield Finding(severity="error", place="tasks", problem="none of T1 to T4 is there, so NV has no part")
    for where, task in each_task(design):
        for key in _NEEDED[where.split(".")[1]]:
            given = test_command(design, task) if key == "test_command" else getattr(task, key)
            if not given:
                yield Finding(severity="error", place=f"{where}.{key}", problem="is missing")
    for name in ("T1", "T2", "T3", "T4", "S5"):
        repeats, place = getattr(design.repeats, name), f"repeats.{name}"
        if name not in names and repeats:
            yield Finding(severity="error", place=place, problem=f"there is no task {name}")
        elif name in names and repeats < 2:
            yield Finding(severity="error", place=place, problem="fewer than 2 pairs can give no verdict")
        elif name in names and name != "S5" and repeats < HOLM_PAIRS:
            when = "before Holm, not after" if repeats >= WILCOXON_PAIRS else "neither before Holm nor after"
            told = f"with {repeats} pairs a signed-rank test can reach .05 {when}"
            yield Finding(severity="note", place=place, problem=told)
    if design.tasks.T3 is not None and (design.tasks.T1 is None or design.repeats.T3 > design.repeats.T1):
        problem = "T3 reports on T1, so it needs a T1 of at least as many repeats"
        yield Finding(severity="error", place="tasks.T3", problem=problem)


def _weights(design: Design) -> Iterator[Finding]:
    names = present(design)
    total = 0.0
    for name, keys in _WEIGHTS.items():
        for key in keys:
            weight = getattr(design.weights, key)
            total += weight
            if name not in names and weight:
                problem = f"is {weight:g}, but there is no {name}: register weights for the tasks there are"
                yield Finding(severity="error", place=f"weights.{key}", problem=problem)
    if abs(total - 1) > ROUNDING:
        yield Finding(
            severity="error", place="weights", problem=f"the quality weights add up to {total:g}, not to 1"
        )
    costs = design.weights.wall + design.weights.tokens
    if abs(costs - 1) > ROUNDING:
        yield Finding(
            severity="error", place="weights", problem=f"wall and tokens add up to {costs:g}, not to 1"
        )
    if "T1" not in names and design.analysis.lambda_:
        problem = "the costs are T1's, and there is no T1: NV will have no cost part but T4's"
        yield Finding(severity="warning", place="analysis.lambda", problem=problem)


def _arms(design: Design) -> Iterator[Finding]:
    cc = design.arms.cc
    if design.kind == "a-a" and (cc.server or cc.rule or cc.index):
        problem = "an A/A study has no server, no rule text and no index in either arm"
        yield Finding(severity="error", place="arms.cc", problem=problem)
    elif design.kind != "a-a" and not cc.server:
        yield Finding(
            severity="error", place="arms.cc.server", problem="is missing: there is nothing to compare"
        )
    elif design.kind != "a-a" and not cc.rule:
        problem = "without a rule text agents may never call the server, and the run is then INVALID"
        yield Finding(severity="warning", place="arms.cc.rule", problem=problem)


def _judges(design: Design) -> Iterator[Finding]:
    judged = {
        "T1": (design.weights.code_quality > 0, "code_quality"),
        "T3": (design.weights.communication > 0, "communication"),
    }
    wanted = [(name, key) for name, (weighs, key) in judged.items() if weighs and name in present(design)]
    for number, judge in enumerate(design.judging.judges, 1):
        if judge.family.lower() == design.agent.family.lower():
            problem = f"{judge.name} is of the agent's own family, {judge.family}, which may not judge"
            yield Finding(severity="error", place=f"judging.judges[{number}]", problem=problem)
    if len({judge.name for judge in design.judging.judges}) < len(design.judging.judges):
        yield Finding(severity="error", place="judging.judges", problem="two judges have one name")
    for name, key in wanted:
        if getattr(design.judging, key) is None:
            problem = f"is missing: {name} is judged"
            yield Finding(severity="error", place=f"judging.{key}", problem=problem)
    if wanted and not design.judging.judges:
        tasks = " and ".join(name for name, _ in wanted)
        problem = f"there is none, and {tasks} needs them: without a verdict NV cannot be computed"
        yield Finding(severity="error", place="judging.judges", problem=problem)
    elif wanted and len({judge.family.lower() for judge in design.judging.judges}) < 2:
        problem = "the rule book asks for judges of two model families"
        yield Finding(severity="demand", place="judging.judges", problem=problem)


def _rule_book(design: Design) -> Iterator[Finding]:
    """Yield where a design of the rule book's preset departs from the rule book's own figures."""
    for name in ("T1", "T2", "T3", "T4"):
        if name not in present(design):
            yield Finding(severity="demand", place="tasks", problem=f"the rule book has a {name}")
    for table, given, standard in (
        ("weights", design.weights, Weights()),
        ("analysis", design.analysis, AnalysisPlan()),
    ):
        for key, field in type(standard).model_fields.items():
            expected, told = getattr(standard, key), getattr(given, key)
            if key not in ("seed", "version") and told != expected:
                problem = f"is {told}, the rule book has {'none' if expected is None else expected}"
                yield Finding(severity="demand", place=f"{table}.{field.alias or key}", problem=problem)
