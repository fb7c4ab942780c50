"""QS on planted answers."""

from __future__ import annotations

import pytest

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.families.stability import measure_stability
from contextbenchmark.trust.observation import Observations, PassRow, Row, list_hash, scores_hash
from contextbenchmark.trust.record import QueryFamily
from tests.unit.trust.families.planted_rows import FAILURE, QUERIES, SYSTEM, base, base_rows, steady, swapped


def measure(observations: Observations, queries: tuple[str, ...] = QUERIES) -> QueryFamily:
    return measure_stability(observations, SYSTEM, queries, 10)


def changed(rows: list[Row], turn: str, **update: object) -> list[Row]:
    return [
        row.model_copy(update=update) if isinstance(row, PassRow) and row.id.endswith(turn) else row
        for row in rows
    ]


def alone(cell: str, lists: tuple[str, ...]) -> PassRow:
    return PassRow(
        id=f"{SYSTEM}/{cell}/pass-file",
        system=SYSTEM,
        cell=cell,
        seed=0,
        copy_kind="artifact-file",
        lists=lists,
    )


def test_a_steady_system_agrees_everywhere_and_n_leaves_the_first_out() -> None:
    family = measure(base())
    assert (family.status, family.passes, family.queries, family.answered) == ("ok", 15, 10, 10)
    kinds = (family.within_build, family.across_builds, family.across_reopenings, family.history_agreement)
    for agreement in kinds:
        assert agreement is not None
        assert (agreement.emr, agreement.jaccard.value, agreement.kendall_top.value) == (1, 1, 1)
        assert (agreement.rbo.value, agreement.tau.value, agreement.rate.flips) == (1, 1, 0)
    # 3 builds of passes 0, 2, 4 (pristine) and 1, 3 (reopened), 10 queries, 3 of them asked again
    assert [kind.rate.n for kind in kinds if kind] == [3 * 2 * 10, 2 * 10, 3 * 2 * 10, 15 * 3]
    assert [kind.jaccard.n for kind in kinds if kind] == [3 * 3 * 10, 3 * 10, 3 * 2 * 10, 15 * 3]
    assert family.pass_rate is not None
    assert (family.pass_rate.flips, family.pass_rate.n) == (0, 12)
    assert family.history is not None
    assert (family.history.flips, family.history.n) == (0, 45)
    assert family.distinct_lists == 10
    assert {row.distinct_lists for row in family.per_query} == {1}


def test_emr_is_against_the_first_and_jaccard_over_all_pairs() -> None:
    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return files[5:] + [f"x{i}" for i in range(5)] if turn in (2, 4) and query == 0 else files

    family = measure(base(answer))
    assert family.within_build is not None
    # per build, query 0: lists A, B, B -> 2 flips of 2 comparisons; pairs AB, AB, BB
    assert family.within_build.rate.flips == 3 * 2
    assert family.within_build.emr == pytest.approx(1 - 6 / 60)
    assert family.within_build.jaccard.value == pytest.approx((9 + (5 / 15 + 5 / 15 + 1) / 3) / 10)
    assert family.per_query[0].distinct_lists == 2
    # 15 base passes, 6 of them B: 15 + 36 equal pairs, 54 unequal
    assert family.per_query[0].jaccard == pytest.approx((36 + 15 + 54 / 3) / 105)


def test_each_kind_of_comparison_sees_its_own_change_only() -> None:
    def by_build(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return swapped(files) if build == 1 else files

    def by_reopening(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return swapped(files) if turn % 2 else files

    def by_history(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return swapped(files) if again else files

    flips = []
    for answer in (by_build, by_reopening, by_history):
        family = measure(base(answer))
        kinds = (
            family.within_build,
            family.across_builds,
            family.across_reopenings,
            family.history_agreement,
        )
        flips.append([kind.rate.flips for kind in kinds if kind])
    assert flips == [[0, 10, 0, 0], [0, 0, 60, 0], [0, 0, 0, 45]]


def test_reopening_follows_the_chain_that_the_rows_name() -> None:
    def creeping(build: int, turn: int, query: int, again: bool) -> list[str]:
        return [f"{turn}", *steady(build, turn, query, again)[1:]]

    rows = [
        row.model_copy(update={"copy_kind": "reopened", "reopens": f"{SYSTEM}/{row.cell}/pass-000"})
        if isinstance(row, PassRow) and not row.id.endswith("000")
        else row
        for row in base_rows(creeping, builds=2, trials=3)
    ]
    family = measure(Observations(rows))
    assert family.within_build is None
    assert family.across_reopenings is not None
    assert (family.across_reopenings.rate.flips, family.across_reopenings.rate.n) == (40, 40)


def test_other_scores_for_the_same_list_are_told_apart_from_another_order() -> None:
    one, other = scores_hash([1.0, 0.5]), scores_hash([1.0, 0.4])
    rows = [
        row.model_copy(update={"scores": (one,) * 10}) if isinstance(row, PassRow) else row
        for row in base_rows(builds=2, trials=2)
    ]
    family = measure(Observations(changed(rows, "pass-001", scores=(one,) * 8 + (other,) * 2)))
    assert family.score_only_changes is not None
    assert (family.score_only_changes.flips, family.score_only_changes.n) == (2 * 2, 3 * 10)
    assert family.within_build is None
    assert family.across_reopenings is not None
    assert family.across_reopenings.emr == 1
    no_scores = measure(base()).score_only_changes
    assert no_scores is not None
    assert no_scores.n == 0


def test_passes_that_change_what_they_read_are_counted() -> None:
    family = measure(Observations(changed(base_rows(), "pass-001", artifact_changed=True)))
    assert family.reading_changed_artifact is not None
    assert (family.reading_changed_artifact.flips, family.reading_changed_artifact.n) == (3, 15)


class TestArtifactFile:
    lists = tuple(list_hash(steady(0, 0, i, False)) for i in range(10))

    def test_never_tried(self) -> None:
        assert measure(base()).artifact_file_suffices is None

    def test_suffices(self) -> None:
        rows = [*base_rows(), *(alone(f"base-00{i}", self.lists) for i in range(3))]
        family = measure(Observations(rows))
        assert (family.artifact_file_suffices, family.passes) == (True, 15)

    @pytest.mark.parametrize("update", [{"failure": FAILURE}, {"lists": (list_hash([]),) * 10}])
    def test_does_not_suffice_and_that_is_no_error(self, update: dict[str, object]) -> None:
        rows = [
            *base_rows(),
            alone("base-000", self.lists),
            alone("base-001", self.lists).model_copy(update=update),
        ]
        family = measure(Observations(rows))
        assert (family.artifact_file_suffices, family.status) == (False, "ok")


def test_a_failed_pass_is_an_error() -> None:
    family = measure(Observations(changed(base_rows(), "pass-003", failure=FAILURE, lists=())))
    assert (family.status, family.within_build) == ("error", None)
    assert "3 of 15" in family.reason


def test_nothing_to_measure() -> None:
    assert measure(Observations([])).status == "absent"
    assert measure(base(trials=1)).status == "absent"
    assert measure_stability(base(), SYSTEM, QUERIES, 10, requested=False).status == "not-requested"


def test_rows_of_other_queries_are_refused_with_a_remedy() -> None:
    with pytest.raises(RunFolderError, match="10 lists for 2 queries"):
        measure(base(), ("a", "b"))
    with pytest.raises(RunFolderError, match="run again"):
        measure(Observations(changed(base_rows(), "pass-001", lists=("0" * 64,) * 10)))


def test_empty_lists_agree_exactly_and_are_undefined_otherwise() -> None:
    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        return [] if query == 9 else steady(build, turn, query, again)

    family = measure(base(answer))
    assert (family.status, family.answered) == ("ok", 9)
    assert family.within_build is not None
    assert (family.within_build.rate.n, family.within_build.jaccard.n) == (60, 81)
    assert family.per_query[9].jaccard is None
