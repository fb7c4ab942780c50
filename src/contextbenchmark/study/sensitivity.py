"""The analysis done another way: does the verdict flip? Each is a change of the plan, the results, or the pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from contextbenchmark.study.estimate import Estimate, estimate
from contextbenchmark.study.judging import PairKey
from contextbenchmark.study.measured import ARMS, Key, Measured
from contextbenchmark.study.numbers_record import Sensitivity
from contextbenchmark.study.pairs import Pair, pairs_of
from contextbenchmark.study.record import Session, Task, Verdict
from contextbenchmark.study.treatment import start_failed, was_called
from contextbenchmark.study.verdict import by_rule

CACHE_WEIGHTS = (0.0, 0.1, 0.25, 1.0)
TEMPLATE_CAP = 1.0
RAISED = "failed_costs_raised"


@dataclass(frozen=True, kw_only=True)
class _Variant:
    name: str
    label: str
    measured: Measured
    note: str = ""


def pair_table(measured: Measured, shares: Mapping[PairKey, float]) -> dict[Task, dict[int, Pair]]:
    """Return the present pairs of every task that enters NV, by task and repeat."""
    return {
        task: {pair.repeat: pair for pair in pairs_of(measured, shares, task)} for task in measured.plan.tasks
    }


def sensitivities(
    measured: Measured, shares: Mapping[PairKey, float], primary: Verdict
) -> tuple[Sensitivity, ...]:
    """Return the study's analysis under every other assumption; ``primary`` is the verdict by the registered ones.

    Each is judged by the registered rule with the same minima of pairs and spread.
    """
    return tuple(
        _result(variant, estimate(variant.measured.plan, pair_table(variant.measured, shares)), primary)
        for variant in _variants(measured)
    )


def _result(variant: _Variant, found: Estimate, primary: Verdict) -> Sensitivity:
    verdict = by_rule(found).verdict
    return Sensitivity(
        name=variant.name,
        label=variant.label,
        nv=found.nv,
        verdict=verdict,
        flips=verdict != primary,
        note=variant.note,
    )


def _variants(measured: Measured) -> Iterator[_Variant]:
    plan = measured.plan
    yield _Variant(
        name=RAISED,
        label="failed sessions cost T1 no less than their partner's",
        measured=measured.with_results(raised_costs(measured)),
    )
    other = "ratio_of_means" if plan.estimator == "pairwise" else "pairwise"
    yield _Variant(
        name=f"estimator_{other}",
        label=f"estimator {other.replace('_', ' ')} instead of {plan.estimator.replace('_', ' ')}",
        measured=_planned(measured, estimator=other),
    )
    if plan.estimator == "pairwise":
        cap = None if plan.cap is not None else TEMPLATE_CAP
        yield _Variant(
            name="cap_none" if cap is None else f"cap_{cap:g}",
            label="no cap on pairwise differences"
            if cap is None
            else f"pairwise differences capped at ±{cap:g}",
            measured=_planned(measured, cap=cap),
        )
    note = _unweighable(measured)
    for weight in CACHE_WEIGHTS:
        if weight != plan.cache_read_weight:
            yield _Variant(
                name=f"cache_reads_{weight:g}",
                label=f"cache reads at weight {weight:g} instead of {plan.cache_read_weight:g}",
                measured=_planned(measured, cache_read_weight=weight),
                note=note,
            )
    if plan.kind != "a-a":
        yield _Variant(
            name="first_attempts",
            label="first attempts whose server did not start scored as failed",
            measured=measured.with_results(first_attempts(measured)),
        )
        yield _Variant(
            name="per_protocol",
            label="per protocol: only pairs whose cc session called the server",
            measured=measured.with_results(
                {
                    key: None
                    for key, outcome in measured.outcomes.items()
                    if key.arm == "cc" and outcome.counted is not None and not was_called(outcome.counted)
                }
            ),
        )


def _planned(measured: Measured, **changes: object) -> Measured:
    return measured.with_plan(measured.plan.model_copy(update=changes))


def raised_costs(measured: Measured) -> dict[Key, Session | None]:
    """Return failed T1 sessions with wall time and tokens at the larger of their own and their partner's.

    Both failed: the larger for both. Each kind of cost is raised by itself; tokens are raised as their weighted sum,
    so the weight of cache reads stays the plan's.
    """
    weight = measured.plan.cache_read_weight
    changed: dict[Key, Session | None] = {}
    for repeat in measured.repeats("T1"):
        pair = {arm: measured.counted("T1", repeat, arm) for arm in ("vanilla", "cc")}
        vanilla, cc = pair["vanilla"], pair["cc"]
        if vanilla is None or cc is None:
            continue
        wall = _larger(vanilla.wall_s, cc.wall_s)
        tokens = _larger(vanilla.tokens(weight), cc.tokens(weight))
        for session in (vanilla, cc):
            if session.failed:
                key = Key(task="T1", step=0, repeat=repeat, arm=session.arm)
                changed[key] = _costing(session, wall, tokens)
    return changed


def _costing(session: Session, wall: float | None, tokens: float | None) -> Session:
    """Return the session at these costs; tokens stand as plain input then."""
    parts = {"output": 0.0, "cache_write": 0.0, "cache_read": 0.0}
    return session.model_copy(update={"wall_s": wall, "input": tokens, **parts})


def _larger(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else max(first, second)


def first_attempts(measured: Measured) -> dict[Key, Session | None]:
    """Return cc sessions that only a retry brought to start, as failed, at the cost of the attempt that counts.

    A session that no retry brought to a result stays missing: best and worst case speak of it.
    """
    return {
        key: outcome.counted.model_copy(update={"class_": "agent_failed"})
        for key, outcome in measured.outcomes.items()
        if key.arm == "cc" and outcome.counted is not None and start_failed(outcome)
    }


def _unweighable(measured: Measured) -> str:
    """Say where adaptation tokens cannot be weighed again, because their kinds were not recorded."""
    fixed = [
        session
        for arm in ARMS
        for session in measured.results(arm)
        if session.task == "T4" and session.adapt_input is None and session.adapt_tokens is not None
    ]
    return "adaptation tokens stand as given: their kinds were not recorded" if fixed else ""
