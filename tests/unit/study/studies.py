"""Studies made up for tests: every number of every session and verdict from one seed, or as it is told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from contextbenchmark.study.analyse import analyse
from contextbenchmark.study.analysis_record import Analysis
from contextbenchmark.study.judging import tally
from contextbenchmark.study.measured import measure
from contextbenchmark.study.record import Judgement, Plan, Session

JUDGES = ("deepseek", "glm")


@dataclass(kw_only=True)
class Study:
    """Rows as dicts, so that a test can change any of them before they are read."""

    plan: dict[str, Any]
    sessions: list[dict[str, Any]] = field(default_factory=list)
    judgements: list[dict[str, Any]] = field(default_factory=list)

    def session(self, task: str, repeat: int, arm: str, step: int | None = None) -> dict[str, Any]:
        return next(
            row
            for row in self.sessions
            if (row["task"], row["repeat"], row["arm"], row.get("step")) == (task, repeat, arm, step)
        )

    def drop(self, task: str, repeat: int, arm: str) -> None:
        self.sessions.remove(self.session(task, repeat, arm))

    def analyse(self, studies: int = 200, resamples: int = 200, **changes: Any) -> Analysis:
        plan = Plan.model_validate(self.plan | changes)
        return analyse(
            measure(plan, [Session.model_validate(row) for row in self.sessions]),
            tally(Judgement.model_validate(row) for row in self.judgements),
            studies=studies,
            resamples=resamples,
        )


def session(task: str, repeat: int, arm: str, **values: Any) -> dict[str, Any]:
    """Return a completed session with every number of its task; cc called its server."""
    row: dict[str, Any] = {
        "study": "made-up",
        "task": task,
        "repeat": repeat,
        "arm": arm,
        "class": "completed",
        "wall_s": 100.0,
        "input": 1000.0,
        "output": 500.0,
        "cache_write": 200.0,
        "cache_read": 3000.0,
    }
    own = {
        "T1": {"hidden_pass_rate": 0.5, "static_score": 0.5},
        "T2": {"t2_score": 0.5},
        "T4": {
            "change_pass_rate": 0.5,
            "adapt_input": 100.0,
            "adapt_output": 50.0,
            "adapt_cache_write": 20.0,
            "adapt_cache_read": 300.0,
            "adapt_wall_s": 30.0,
        },
        "S5": {"hidden_pass_rate": 0.5},
    }
    row |= own.get(task, {})
    if arm == "cc":
        row |= {"server_calls_called": 3, "server_calls_successful": 2}
    return row | values


def verdicts(task: str, repeat: int, *given: str) -> Iterator[dict[str, Any]]:
    """Yield verdicts: of each judge in both orders, as many as are ``given``."""
    places = [(judge, order) for judge in JUDGES for order in ("cc_first", "vanilla_first")]
    for (judge, order), verdict in zip(places, given, strict=False):
        yield {
            "study": "made-up",
            "task": task,
            "repeat": repeat,
            "judge": judge,
            "order": order,
            "verdict": verdict,
        }


def level_study(repeats: int = 4, **plan: Any) -> Study:
    """Return a study of T1 to T4 in which both arms are equal in every number and every verdict is a tie."""
    made = Study(
        plan={
            "study": "made-up",
            "planned_repeats": dict.fromkeys(("T1", "T2", "T3", "T4"), repeats),
            "lambda": 0.5,
            "alpha": 0.05,
            "estimator": "pairwise",
            "cap": None,
            "cache_read_weight": 0.1,
            "validity_threshold": 0.8,
            "resamples": 2000,
        }
        | plan
    )
    for task in ("T1", "T2", "T3", "T4"):
        for repeat in range(1, repeats + 1):
            made.sessions.extend(session(task, repeat, arm) for arm in ("vanilla", "cc"))
            if task in ("T1", "T3"):
                made.judgements.extend(verdicts(task, repeat, "tie", "tie", "tie", "tie"))
    return made


def random_study(seed: int, *, failures: float = 0.1, absent: float = 0.05, **plan: Any) -> Study:
    """Return a study with ties, zeros, failures, missing sessions and unreadable verdicts."""
    draw = random.Random(seed)
    repeats = draw.randint(3, 9)
    made = Study(plan=level_study(0 + repeats).plan | plan)
    for task in ("T1", "T2", "T3", "T4"):
        for repeat in range(1, repeats + 1):
            for arm in ("vanilla", "cc"):
                if draw.random() < absent:
                    continue
                made.sessions.append(session(task, repeat, arm, **_values(draw, task, failures)))
            if task in ("T1", "T3"):
                given = [draw.choice(("cc", "vanilla", "tie", "unreadable")) for _ in range(4)]
                made.judgements.extend(verdicts(task, repeat, "tie", *given[1:]))
    return made


def _values(draw: random.Random, task: str, failures: float) -> dict[str, Any]:
    values: dict[str, Any] = {
        "class": draw.choice(("agent_failed", "timed_out")) if draw.random() < failures else "completed",
        "wall_s": round(draw.lognormvariate(4, 0.4), 1),
        "input": draw.randint(500, 3000),
        "output": draw.randint(100, 900),
        "cache_write": draw.randint(0, 900),
        "cache_read": draw.randint(0, 90_000),
    }
    scores = {"T1": ("hidden_pass_rate", "static_score"), "T2": ("t2_score",), "T4": ("change_pass_rate",)}
    for name in scores.get(task, ()):
        values[name] = draw.choice((0.0, 0.25, 0.5, 0.75, 1.0))
    if task == "T4":
        values |= {
            "adapt_input": draw.randint(0, 500),
            "adapt_output": draw.randint(0, 100),
            "adapt_cache_write": draw.randint(0, 100),
            "adapt_cache_read": draw.randint(0, 5000),
            "adapt_wall_s": round(draw.uniform(0, 60), 1),
        }
    return values
