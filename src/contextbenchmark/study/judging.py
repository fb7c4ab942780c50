"""From verdicts to shares: which part of a pair's readable verdicts prefers cc (spec, Scoring)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from contextbenchmark.study.analysis_record import Judges
from contextbenchmark.study.record import Judgement

PairKey = tuple[Literal["T1", "T3"], int]
Readable = Literal["cc", "vanilla", "tie"]
_POINTS: Mapping[str, float] = {"cc": 1.0, "tie": 0.5, "vanilla": 0.0}


@dataclass(kw_only=True)
class Tally:
    """Verdicts as they come in: the first readable one of a judge, order and pair counts, a later one never."""

    unreadable: int = 0
    _given: dict[PairKey, dict[str, dict[str, Readable]]] = field(default_factory=dict)

    def add(self, row: Judgement) -> None:
        if row.verdict == "unreadable":
            self.unreadable += 1
            return
        orders = self._given.setdefault((row.task, row.repeat), {}).setdefault(row.judge, {})
        orders.setdefault(row.order, row.verdict)

    def shares(self) -> dict[PairKey, float]:
        """Return each pair's share of readable verdicts that prefer cc, in [0, 1]; a tie counts a half.

        A judge that prefers different arms in its two orders has contradicted itself: two ties.
        """
        return {pair: _mean(_points(judges.values())) for pair, judges in self._given.items()}

    def summary(self) -> Judges:
        """Return who judged, how often judges agreed and contradicted themselves."""
        judges = [orders for pair in self._given.values() for orders in pair.values()]
        agreed = [
            _leaning(first) == _leaning(second)
            for pair in self._given.values()
            for first, second in combinations(pair.values(), 2)
        ]
        return Judges(
            names=tuple(sorted({name for pair in self._given.values() for name in pair})),
            verdicts=sum(len(orders) for orders in judges),
            unreadable=self.unreadable,
            both_orders=sum(len(orders) == 2 for orders in judges),
            contradictions=sum(_contradicts(orders) for orders in judges),
            agreement=_mean([float(same) for same in agreed]) if agreed else None,
        )


def tally(rows: Iterable[Judgement]) -> Tally:
    """Return the tally of ``rows`` in their order."""
    counted = Tally()
    for row in rows:
        counted.add(row)
    return counted


def _contradicts(orders: Mapping[str, Readable]) -> bool:
    return set(orders.values()) == {"cc", "vanilla"}


def _points(judges: Iterable[Mapping[str, Readable]]) -> list[float]:
    points: list[float] = []
    for orders in judges:
        contradiction = _contradicts(orders)
        points.extend(0.5 if contradiction else _POINTS[verdict] for verdict in orders.values())
    return points


def _leaning(orders: Mapping[str, Readable]) -> int:
    share = _mean(_points([orders]))
    return (share > 0.5) - (share < 0.5)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
