"""How a figure is measured: medians of interleaved pairs, so that a slow minute hits both sides."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

PAIRS = 5


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure: ``value`` must be at most, or at least, ``bound``; ``note`` says what it was taken on."""

    name: str
    value: float
    bound: float
    side: Literal["at most", "at least"] = "at most"
    unit: str = ""
    note: str = ""

    @property
    def met(self) -> bool:
        return self.value <= self.bound if self.side == "at most" else self.value >= self.bound

    def line(self) -> str:
        verdict = "met    " if self.met else "NOT MET"
        bound = f"({self.side} {self.bound:g}{self.unit})"
        text = f"{verdict}  {self.name:<44} {self.value:7.3f}{self.unit} {bound:<18}"
        return f"{text}  {self.note}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Paired:
    """Seconds of each side of each pair, and the median of the pairs' ratios (first over second)."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return statistics.median(a / b for a, b in zip(self.first, self.second, strict=True))

    def note(self, first: str, second: str) -> str:
        """Say both medians in milliseconds or seconds."""
        return (
            f"{first} {told(statistics.median(self.first))}, {second} {told(statistics.median(self.second))}"
        )


def told(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def paired(
    first: Callable[[], float], second: Callable[[], float], *, pairs: int = PAIRS, warm_up: bool = True
) -> Paired:
    """Call both ``pairs`` times, by turns, each returning its seconds; which goes first alternates too."""
    if warm_up:
        first(), second()
    measured: list[tuple[float, float]] = []
    for number in range(pairs):
        if number % 2:
            late = second()
            measured.append((first(), late))
        else:
            early = first()
            measured.append((early, second()))
    return Paired(first=tuple(a for a, _ in measured), second=tuple(b for _, b in measured))
