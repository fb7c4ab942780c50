"""Vacuous results: an adapter that says nothing, or the same to everything, is stable and worth nothing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from contextbenchmark.trust.observation import EMPTY_LIST_HASH, PassRow

ANSWERED_AT_LEAST = Fraction(4, 5)
DISTINCT_AT_LEAST = 3


def answered_in_worst(passes: Sequence[PassRow]) -> int:
    """Return how many queries have a non-empty list in the pass that answers fewest; 0 without passes."""
    return min((sum(h != EMPTY_LIST_HASH for h in row.lists) for row in passes), default=0)


def distinct_in_worst(passes: Sequence[PassRow]) -> int:
    """Return the number of distinct non-empty lists in the pass that has fewest; 0 without passes.

    Within a pass, since a list that ignores the query but changes from pass to pass must not count;
    non-empty, since leaving some queries out must not count as telling queries apart.
    """
    return min((len(set(row.lists) - {EMPTY_LIST_HASH}) for row in passes), default=0)


def vacuous_reason(passes: Sequence[PassRow], queries: int) -> str:
    """Return why the answers of ``passes`` to so many queries are vacuous, or an empty string.

    Vacuous: fewer than 80 % of the queries answered, or fewer than 3 distinct lists (2 where there are two
    queries). One query cannot tell a retriever from a constant, so with fewer than two it is always vacuous.
    """
    answered = answered_in_worst(passes)
    if answered < ANSWERED_AT_LEAST * queries or answered == 0:
        return f"Vacuous: {answered} of {queries} queries were answered in the worst pass; 80 % must be."
    if queries < 2:
        return "Vacuous: one query cannot tell a retriever from a constant list; ask at least two."
    needed = min(DISTINCT_AT_LEAST, queries)
    distinct = distinct_in_worst(passes)
    if distinct < needed:
        noun = "list" if distinct == 1 else "lists"
        return (
            f"Vacuous: {distinct} distinct {noun} over {queries} queries in the worst pass; at least {needed}"
            " are needed to show that the answer depends on the query."
        )
    return ""
