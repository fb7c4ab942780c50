"""Where a system's answers first diverge: the two lists that a person should look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contextbenchmark.trust.observation import Observations, PassRow


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One rank of two lists. ``left``/``right`` are paths (None past a list's end); ``only_left`` tells that the
    path is nowhere in the other list's shown part, ``same`` that both lists have the same path here."""

    rank: int
    left: str | None
    right: str | None
    only_left: bool
    only_right: bool

    @property
    def same(self) -> bool:
        return self.left == self.right


@dataclass(frozen=True, kw_only=True)
class Divergence:
    """Two answers to one query; ``first`` and ``second`` say in words where they come from."""

    query: str
    first: str
    second: str
    entries: tuple[Entry, ...]
    first_rank: int


def first_divergence(
    observations: Observations, system: str, queries: Sequence[str], k: int
) -> Divergence | None:
    """Return the first query, in the first pass, whose list is not the first pass's; None where there is none.

    Passes are taken in the order of their ids, queries in the order in which they are asked; then what a pass
    answered when it was asked again.
    """
    passes = [
        row for row in observations.passes(system) if row.failure is None and row.copy_kind != "artifact-file"
    ]
    if not passes:
        return None
    first = passes[0]
    for row in passes:
        for number, (a, b) in enumerate(zip(first.lists, row.lists, strict=False)):
            if a != b:
                lists = (observations.lists[a], observations.lists[b])
                return _divergence(queries[number], _where(first), _where(row), lists, k)
        for number, (a, b) in enumerate(zip(row.lists, row.again, strict=False)):
            if a != b:
                lists = (observations.lists[a], observations.lists[b])
                again = f"{_where(row)}, asked again"
                return _divergence(queries[number], _where(row), again, lists, k)
    return None


def _where(row: PassRow) -> str:
    build, number = (int(part.rpartition("-")[2]) for part in (row.cell, row.id))
    copy = ", reopening a used copy" if row.copy_kind == "reopened" else ""
    return f"build {build + 1}, pass {number + 1}{copy}"


def _divergence(
    query: str, first: str, second: str, lists: tuple[Sequence[str], Sequence[str]], k: int
) -> Divergence:
    left, right = lists[0][:k], lists[1][:k]
    in_left, in_right = set(left), set(right)
    entries = []
    for index in range(max(len(left), len(right))):
        a = left[index] if index < len(left) else None
        b = right[index] if index < len(right) else None
        entries.append(
            Entry(
                rank=index + 1,
                left=a,
                right=b,
                only_left=a is not None and a not in in_right,
                only_right=b is not None and b not in in_left,
            )
        )
    rank = next((entry.rank for entry in entries if not entry.same), 0)
    return Divergence(query=query, first=first, second=second, entries=tuple(entries), first_rank=rank)
