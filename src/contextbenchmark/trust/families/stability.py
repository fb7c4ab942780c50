"""QS, query stability: does the same query get the same ranked list, from pass to pass and build to build?

A *pass* asks every query once in a fresh process; its kind of copy tells what it read. Three comparisons are
kept apart, since a system can fail each alone: pristine passes of one build, the first passes of different
builds, and passes that reopen the copy which an earlier pass left. A fourth is inside a process: the first
queries are asked again at the end of a pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.families.agreement import agree_between, agree_within, mean_jaccard
from contextbenchmark.trust.families.intervals import flip_rate
from contextbenchmark.trust.families.vacuity import answered_in_worst, distinct_in_worst, vacuous_reason
from contextbenchmark.trust.metrics import PairCache, pair_counts
from contextbenchmark.trust.observation import Observations, PassRow
from contextbenchmark.trust.record import FamilyStatus, FlipRate, QueryFamily, QueryStability

Cells = Sequence[Sequence[PassRow]]


def measure_stability(
    observations: Observations,
    system: str,
    queries: Sequence[str],
    k: int,
    *,
    seed: int = 0,
    requested: bool = True,
) -> QueryFamily:
    """Return the query stability of ``system`` over its base cells, lists compared over their first ``k``.

    ``queries`` are the texts in the order of a pass's lists; ``seed`` is the bootstrap's. RunFolderError when
    a pass names a list that is not stored, or holds another number of lists than there are queries.
    """
    if not requested:
        return QueryFamily(status="not-requested", reason="The query family was not asked for.")
    everything = observations.passes(system)
    suffices = _artifact_file_suffices(everything)
    passes = [row for row in everything if row.copy_kind != "artifact-file"]
    failed = [row for row in passes if row.failure is not None]
    failed_builds = sum(row.failure is not None for row in observations.builds(system))
    if failed or failed_builds or not passes:
        status: FamilyStatus = "error" if failed or failed_builds else "absent"
        reason = f"{len(failed)} of {len(passes)} passes failed." if failed else _no_passes(failed_builds)
        return QueryFamily(
            status=status,
            reason=reason,
            passes=len(passes),
            queries=len(queries),
            artifact_file_suffices=suffices,
        )
    _check(passes, queries, observations)
    cells = _cells(passes)
    cache = PairCache(observations.lists, k)
    status, reason = _status(cells, passes, len(queries))
    again = [(row.lists[: len(row.again)], row.again) for row in passes]
    return QueryFamily(
        status=status,
        reason=reason,
        passes=len(passes),
        queries=len(queries),
        answered=answered_in_worst(passes),
        distinct_lists=distinct_in_worst(passes),
        within_build=agree_within(
            [[row for row in cell if row.copy_kind == "pristine"] for cell in cells], cache, seed
        ),
        across_builds=agree_within([[cell[0] for cell in cells]], cache, seed),
        across_reopenings=agree_between(_reopenings(cells), cache, seed),
        history=_history(passes),
        history_agreement=agree_between(again, cache, seed),
        pass_rate=_pass_rate(passes),
        build_rate=_build_rate(passes),
        score_only_changes=_score_only_changes(passes),
        reading_changed_artifact=flip_rate(sum(row.artifact_changed for row in passes), len(passes)),
        artifact_file_suffices=suffices,
        per_query=_per_query(passes, queries, cache),
    )


def _no_passes(failed_builds: int) -> str:
    return f"{failed_builds} builds failed." if failed_builds else "No pass over the queries was made."


def _cells(passes: Sequence[PassRow]) -> Cells:
    """Return the passes of each build, both in the order of their ids."""
    cells: dict[str, list[PassRow]] = {}
    for row in passes:
        cells.setdefault(row.cell, []).append(row)
    return [cells[name] for name in sorted(cells)]


def _check(passes: Sequence[PassRow], queries: Sequence[str], observations: Observations) -> None:
    for row in passes:
        if len(row.lists) != len(queries) or len(row.again) > len(queries):
            raise RunFolderError(
                f"{row.id} holds {len(row.lists)} lists for {len(queries)} queries.",
                "The observations are not of these queries: give the queries of that run, or run again.",
            )
        unknown = next((h for h in (*row.lists, *row.again) if h not in observations.lists), None)
        if unknown is not None:
            raise RunFolderError(
                f"{row.id} names the result list {unknown[:12]}, which the observations do not hold.",
                "The observations file is damaged: run again into another folder.",
            )


def _status(cells: Cells, passes: Sequence[PassRow], queries: int) -> tuple[FamilyStatus, str]:
    vacuous = vacuous_reason(passes, queries)
    if vacuous:
        return "vacuous", vacuous
    if min(len(cell) for cell in cells) < 2:
        return "absent", "A build has one pass only: nothing to compare, at least 2 a build are needed."
    return "ok", ""


def _reopenings(cells: Cells) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return each reopening pass's lists behind those of the pass whose copy it reads."""
    pairs = []
    for cell in cells:
        by_id = {row.id: row for row in cell}
        for row in cell:
            if row.copy_kind == "reopened":
                before = by_id.get(row.reopens or "", cell[0])
                pairs.append((before.lists, row.lists))
    return pairs


def _changed_its_mind(row: PassRow) -> int:
    """Count the queries that a pass answered differently when it was asked again."""
    return sum(a != b for a, b in zip(row.lists, row.again, strict=False))


def _history(passes: Sequence[PassRow]) -> FlipRate:
    return flip_rate(sum(_changed_its_mind(row) for row in passes), sum(len(row.again) for row in passes))


def _pass_rate(passes: Sequence[PassRow]) -> FlipRate:
    """Count passes with any answer unlike the first pass's over the same build, and n of those that can differ.

    Whole passes, since answers of one process are not independent; within a build, since all passes over a build
    that answers differently differ together.
    """
    first: dict[str, PassRow] = {}
    differing = n = 0
    for row in passes:
        before = first.setdefault(row.cell, row)
        n += before is not row
        differing += before is not row and (row.lists != before.lists or _changed_its_mind(row) > 0)
    return flip_rate(differing, n)


def _build_rate(passes: Sequence[PassRow]) -> FlipRate:
    """Count builds whose first pass has any answer unlike the first build's: n is builds - 1."""
    first: dict[str, PassRow] = {}
    for row in passes:
        first.setdefault(row.cell, row)
    base, *others = first.values()
    return flip_rate(sum(row.lists != base.lists for row in others), len(others))


def _score_only_changes(passes: Sequence[PassRow]) -> FlipRate:
    """Count equal lists whose scores differ from the first pass's; lists without scores are left out."""
    first, *others = passes
    flips = n = 0
    for row in others:
        for a, b, score_a, score_b in zip(first.lists, row.lists, first.scores, row.scores, strict=False):
            if a == b and (score_a is not None or score_b is not None):
                n += 1
                flips += score_a != score_b
    return flip_rate(flips, n)


def _artifact_file_suffices(passes: Sequence[PassRow]) -> bool | None:
    """Tell whether the declared file alone answers like the build's first pass; None if never tried."""
    alone = [row for row in passes if row.copy_kind == "artifact-file"]
    if not alone:
        return None
    first: dict[str, PassRow] = {}
    for row in passes:
        if row.copy_kind != "artifact-file":
            first.setdefault(row.cell, row)
    return all(
        row.failure is None and row.cell in first and row.lists == first[row.cell].lists for row in alone
    )


def _per_query(
    passes: Sequence[PassRow], queries: Sequence[str], cache: PairCache
) -> tuple[QueryStability, ...]:
    columns = zip(*(row.lists for row in passes), strict=True)
    return tuple(
        QueryStability(
            query=query,
            distinct_lists=len(distinct := tuple(dict.fromkeys(column))),
            lists=distinct,
            jaccard=mean_jaccard(pair_counts(column), cache),
        )
        for query, column in zip(queries, columns, strict=True)
    )
