"""Numbers of a study as people read them."""

from __future__ import annotations

from contextbenchmark.study.verdict import shown

CRITERION_NAMES = {
    "accuracy": "Accuracy",
    "code_quality": "Code quality",
    "systems_knowledge": "Systems knowledge",
    "communication": "Communication",
    "control": "Control",
    "wall": "Wall time",
    "tokens": "Tokens",
}
NOT_KNOWN = "not known"


def signed(value: float | None) -> str:
    """Return a value with its sign, cut towards zero."""
    return shown(value)


def bounds(low: float | None, high: float | None) -> str:
    """Return ``[low, high]``, nothing where there is no interval."""
    return "" if low is None or high is None else f"[{shown(low)}, {shown(high)}]"


def share(value: float | None) -> str:
    """Return a share as a percentage with one decimal, cut, so that 79.99 % never reads as 80 %."""
    return NOT_KNOWN if value is None else f"{int(value * 1000 + 1e-9) / 10:.1f} %"


def probability(value: float | None) -> str:
    """Return a p value with three decimals, or the bound that it is below."""
    if value is None:
        return NOT_KNOWN
    return "<.001" if value < 0.001 else f"{value:.3f}"


def amount(value: float | None, unit: str = "") -> str:
    """Return an amount with thousands marked."""
    return NOT_KNOWN if value is None else f"{value:,.0f}{unit}"
