"""S5: from which of five tasks on an index has paid for itself in tokens (spec, Analysis)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextbenchmark.stats import bootstrap, percentile
from contextbenchmark.study.measured import ARMS, Measured
from contextbenchmark.study.numbers_record import S5
from contextbenchmark.study.record import S5_STEPS, Arm, Session

if TYPE_CHECKING:
    from contextbenchmark.stats import Array

NEVER = S5_STEPS + 1
# Token sums that differ by rounding alone are equal.
_RELATIVE = 1e-12


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """Five steps of both arms on one index each."""

    vanilla: tuple[Session, ...]
    cc: tuple[Session, ...]


def sequences(measured: Measured) -> list[Sequence]:
    """Return the sequences of which every step has a result in both arms."""
    found = []
    for repeat in measured.repeats("S5"):
        steps: dict[Arm, list[Session]] = {arm: [] for arm in ARMS}
        for arm in ARMS:
            for step in range(1, S5_STEPS + 1):
                session = measured.counted("S5", repeat, arm, step)
                if session is not None:
                    steps[arm].append(session)
        if all(len(sessions) == S5_STEPS for sessions in steps.values()):
            found.append(Sequence(vanilla=tuple(steps["vanilla"]), cc=tuple(steps["cc"])))
    return found


def break_even(measured: Measured) -> S5 | None:
    """Return S5's k* with its interval; None where the study has no S5.

    k* is the smallest task k such that the mean cumulative tokens of cc, its index included at weight 1, are at or
    below vanilla's at k and at every later task; 6 is never. Whole sequences are resampled; the interval takes
    quantiles by the inverted distribution function, so its bounds are tasks.
    """
    import numpy as np

    planned = measured.plan.repeats("S5")
    if not planned:
        return None
    found = sequences(measured)
    tokens = [_tokens(sequence, measured.plan.cache_read_weight, raised=False) for sequence in found]
    raised = [_tokens(sequence, measured.plan.cache_read_weight, raised=True) for sequence in found]
    curves = np.cumsum(np.array(tokens), axis=2) if found else None
    unknown = curves is None or bool(np.isnan(curves).any())
    summary = S5(
        sequences=len(found),
        planned=planned,
        k=None,
        lo=None,
        hi=None,
        raised=None,
        vanilla=(),
        cc=(),
        index_tokens=_mean([sequence.cc[0].index_tokens for sequence in found]),
        index_wall_s=_mean([sequence.cc[0].index_wall_s for sequence in found]),
        pass_rate={
            "vanilla": _pass_rate([step for sequence in found for step in sequence.vanilla]),
            "cc": _pass_rate([step for sequence in found for step in sequence.cc]),
        },
    )
    if curves is None or unknown:
        missing = (
            "no sequence has all its steps in both arms" if not found else "tokens of a step or of an index"
        )
        note = missing if not found else f"not known: {missing}"
        return summary.model_copy(update={"note": note})
    flat = curves.reshape(len(found), 2 * S5_STEPS)
    replicates = bootstrap(
        (flat,),
        lambda sums: _first_at_or_below(sums[0])[:, None],
        measured.plan.resamples,
        measured.plan.seed,
    )
    low, high = percentile(replicates[:, 0], inverted=True)
    raised_curves = np.cumsum(np.array(raised), axis=2).reshape(len(found), 2 * S5_STEPS)
    means = curves.mean(axis=0)
    return summary.model_copy(
        update={
            "k": int(_first_at_or_below(flat.sum(axis=0)[None])[0]),
            "lo": int(low),
            "hi": int(high),
            "raised": int(_first_at_or_below(raised_curves.sum(axis=0)[None])[0]),
            "vanilla": tuple(float(value) for value in means[0]),
            "cc": tuple(float(value) for value in means[1]),
        }
    )


def _first_at_or_below(sums: Array) -> Array:
    """Return k* of summed curves (samples, 10): five cumulative values of vanilla, then five of cc."""
    import numpy as np

    vanilla, cc = sums[:, :S5_STEPS], sums[:, S5_STEPS:]
    above = cc - vanilla > _RELATIVE * np.maximum(1.0, np.abs(vanilla))
    last_above = np.where(above.any(axis=1), S5_STEPS - np.argmax(above[:, ::-1], axis=1), 0)
    return np.asarray(last_above + 1, dtype=np.float64)


def _tokens(sequence: Sequence, weight: float, *, raised: bool) -> list[list[float]]:
    """Return tokens a step of vanilla and cc, NaN where not known; ``raised``: a failed step costs no less than the
    partner's (both failed: the larger for both)."""
    vanilla, cc = [], []
    for first, second in zip(sequence.vanilla, sequence.cc, strict=True):
        own, other = _number(first.tokens(weight)), _number(second.tokens(weight))
        vanilla.append(max(own, other) if raised and first.failed else own)
        cc.append(max(own, other) if raised and second.failed else other)
    cc[0] += _number(sequence.cc[0].index_tokens)
    return [vanilla, cc]


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _pass_rate(steps: list[Session]) -> float | None:
    return _mean([0.0 if step.failed else step.hidden_pass_rate for step in steps])
