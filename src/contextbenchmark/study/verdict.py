"""Pure: from numbers to a verdict, its reasons, and everything that must be read with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from contextbenchmark.study.analysis_record import Missing, Treatment
from contextbenchmark.study.estimate import FEWEST_PAIRS, Estimate, Unknown, rule
from contextbenchmark.study.numbers_record import Calibration, Sensitivity
from contextbenchmark.study.record import NV_TASKS, Plan, Verdict

_NAMES = {
    "accuracy": "the hidden pass rate",
    "static": "the static score",
    "wall": "the wall time",
    "tokens": "the tokens",
    "systems_knowledge": "the score",
    "hidden_after_change": "the pass rate after the change",
    "tokens_to_adapt": "the tokens to adapt",
    "wall_to_adapt": "the wall time to adapt",
}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A verdict and why."""

    verdict: Verdict
    reasons: tuple[str, ...]


def by_rule(found: Estimate) -> Reading:
    """Return what the registered rule says, unless the numbers can prove nothing: then INCONCLUSIVE and why."""
    reasons = [f"{task} has fewer than {FEWEST_PAIRS} pairs" for task in found.few]
    reasons.extend(_not_known(item) for item in found.unknown)
    if not found.estimand.units:
        reasons.append("no task of this study enters NV")
    elif not found.few and not found.unknown and not found.spread:
        reasons.append("no unit's value varies: a point is no interval and proves nothing")
    if reasons:
        return Reading(verdict="INCONCLUSIVE", reasons=tuple(reasons))
    verdict = rule(found.nv)
    low, high = shown(found.nv.lo), shown(found.nv.hi)
    why = {
        "KEEP": f"the lower bound of NV's 95 % interval, {low}, is above 0",
        "DROP": f"the upper bound of NV's 95 % interval, {high}, is below 0",
    }.get(verdict, f"NV's 95 % interval [{low}, {high}] holds 0")
    return Reading(verdict=verdict, reasons=(why,))


def decide(
    plan: Plan, primary: Reading, missing: Missing, treatment: Treatment, *, open_sessions: int = 0
) -> Reading:
    """Return the study's verdict: the rule's, unless missing pairs could turn it or the treatment was not received.

    :param open_sessions: planned sessions that are still to come; there is no verdict before the last of them.
    """
    verdict, reasons = primary.verdict, list(primary.reasons)
    if missing.best is not None and missing.worst is not None and verdict in ("KEEP", "DROP"):
        cases = (("best", missing.best), ("worst", missing.worst))
        against = [f"at {name} {case.verdict}" for name, case in cases if case.verdict != verdict]
        if against:
            reasons.append(
                f"{missing.missing} of {missing.planned} planned pairs are missing, and they could turn {verdict}: "
                + ", ".join(against)
            )
            verdict = "INCONCLUSIVE"
    if not treatment.valid:
        called = f"{treatment.called_sessions} of {treatment.sessions} cc sessions called the server"
        unknown = f" (of {treatment.unknown} it was not recorded)" if treatment.unknown else ""
        reasons.insert(
            0, f"{called}{unknown}, below the {plan.validity_threshold:.0%} that makes a run valid"
        )
        verdict = "INVALID"
    if open_sessions:
        count = "1 planned session is" if open_sessions == 1 else f"{open_sessions} planned sessions are"
        reasons.insert(0, f"{count} still to come: this is a look, not a verdict")
        verdict = "INCONCLUSIVE"
    return Reading(verdict=verdict, reasons=tuple(reasons))


def qualifications(
    plan: Plan,
    found: Estimate,
    primary: Reading,
    treatment: Treatment,
    sensitivities: Iterable[Sensitivity],
    calibration: Calibration | None,
) -> tuple[str, ...]:
    """Return every check that stands against the verdict, the weightiest first."""
    told = [f"with {item.label} the verdict would be {item.verdict}" for item in sensitivities if item.flips]
    provable = found.spread and not found.few and not found.unknown
    if provable and found.welch.verdict != rule(found.nv):
        low, high = shown(found.welch.lo), shown(found.welch.hi)
        told.append(f"Welch's t interval [{low}, {high}] says {found.welch.verdict}")
    if calibration is not None:
        # Recentred units alone have NV = 0. Swapped arms keep the arms' difference as spread, and with it the upward
        # bias of pairwise differences: shown, but a large true effect must not stand against itself.
        rate = calibration.recentred.bc.false_keep.value
        if rate > plan.alpha:
            told.append(
                f"at this n and spread the rule says KEEP in {rate:.1%} of studies whose NV is 0, "
                f"above the registered {plan.alpha:.1%}"
            )
    if plan.kind != "a-a" and treatment.valid and _low_answers(plan, treatment):
        told.append(
            f"only {treatment.answered_sessions} of {treatment.sessions} cc sessions got an answer from the server"
        )
    left_out = [task for task in NV_TASKS if task not in plan.tasks]
    if left_out and found.estimand.units and "weights" not in plan.model_fields_set:
        told.append(
            f"{', '.join(left_out)} {'was' if len(left_out) == 1 else 'were'} not planned and no weights were "
            "registered for fewer tasks: NV lacks their share"
        )
    if plan.kind == "a-a" and primary.verdict in ("KEEP", "DROP"):
        told.append("both arms are the same, so this verdict is a false alarm")
    return tuple(told)


def _low_answers(plan: Plan, treatment: Treatment) -> bool:
    return treatment.answered is not None and treatment.answered < plan.validity_threshold - 1e-9


def sentence(
    plan: Plan,
    found: Estimate,
    reading: Reading,
    treatment: Treatment,
    checks: tuple[str, ...],
    raised: Sensitivity | None,
) -> str:
    """Return the verdict in words; a flip by failed sessions' costs heads it."""
    parts = []
    if raised is not None and raised.flips:
        parts.append(f"It turns to {raised.verdict} once {raised.label}.")
    nv = "NV is not known" if found.nv.value is None else f"NV {shown(found.nv.value)}"
    bounds = "" if found.nv.lo is None else f" [{shown(found.nv.lo)}, {shown(found.nv.hi)}]"
    parts.append(f"{reading.verdict}: {nv}{bounds}; {'; '.join(reading.reasons)}.")
    rest = [text for text in checks if raised is None or not raised.flips or raised.label not in text]
    if rest:
        parts.append(f"But {'; '.join(rest)}.")
    if plan.kind != "a-a" and treatment.start_failures:
        parts.append(
            f"{treatment.start_failures} of {treatment.attempted} cc sessions did not start at the first attempt "
            f"({treatment.start_failure_rate:.0%})."
        )
    return " ".join(parts)


def shown(value: float | None) -> str:
    """Return a value with its sign and four decimals, cut towards 0 so that none is overstated."""
    if value is None:
        return "not known"
    cut = int(abs(value) * 10_000 + 1e-9) / 10_000
    if cut == 0 and value:
        return f"{value:+.1e}"
    return f"{cut if value > 0 else -cut:+.4f}" if cut else "0"


def _not_known(item: Unknown) -> str:
    repeats = ", ".join(str(repeat) for repeat in item.repeats[:10])
    more = f" and {len(item.repeats) - 10} more" if len(item.repeats) > 10 else ""
    what = "there is no readable verdict" if item.judged else f"{_NAMES[item.component]} is not known"
    return f"{item.task}: {what} for repeat{'s' if len(item.repeats) > 1 else ''} {repeats}{more}"
