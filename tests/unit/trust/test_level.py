"""Levels from evidence: one planted way to an unearned level each, with what it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from contextbenchmark.trust.families.rebuild import measure_rebuild
from contextbenchmark.trust.families.stability import measure_stability
from contextbenchmark.trust.level import LevelDecision, decide_level
from contextbenchmark.trust.observation import BuildRow, Observations, PassRow, list_hash
from contextbenchmark.trust.record import FlipRate, RebuildFamily
from tests.unit.trust.families.planted_rows import (
    FAILURE,
    QUERIES,
    SYSTEM,
    Answer,
    base_rows,
    builds_of,
    steady,
    swapped,
)

SAME = builds_of(*[{"index.bin": b"same"}] * 3)
MOVING = builds_of(*({"index.bin": b"%d" % i} for i in range(3)))
EMPTY = builds_of({}, {}, {})


def decide(
    answer: Answer = steady,
    made: Sequence[BuildRow] = SAME,
    queries: Sequence[str] = QUERIES,
    trials: int = 5,
    asked: tuple[bool, bool] = (True, True),
) -> LevelDecision:
    rows = base_rows(answer, builds=len(made), trials=trials, queries=queries)
    query = measure_stability(Observations(rows), SYSTEM, queries, 10, requested=asked[1])
    suffices = query.artifact_file_suffices
    return decide_level(measure_rebuild(made, artifact_file_suffices=suffices, requested=asked[0]), query)


def disjoint(*key: int) -> list[str]:
    return [f"{'-'.join(map(str, key))}/{i}" for i in range(10)]


def test_all_the_same_is_ctl_3_with_the_bounds_of_what_was_compared() -> None:
    decision = decide()
    assert (decision.level, decision.status) == ("CTL-3", "ok")
    # 1 - 0.05^(1/2) = 77.6 %, 1 - 0.05^(1/12) = 22.1 %
    assert decision.line == (
        "CTL-3: other bytes in 0 of 2 rebuilds (95 % bound: 78 %), other answers in 0 of 2 rebuilds (95 % bound: "
        "78 %), other answers in 0 of 12 repeated passes over one build (95 % bound: 23 %)"
    )


def test_a_build_that_answers_differently_counts_once_and_not_in_each_of_its_passes() -> None:
    """All five passes over build 1 differ from build 0's: that is 1 of 2 builds, and no pass over one build."""
    rows = base_rows(
        lambda build, turn, query, again: disjoint(query, *by_build(build % 2, turn, query, again))
    )
    family = measure_stability(Observations(rows), SYSTEM, QUERIES, 10)
    assert family.build_rate is not None and family.pass_rate is not None
    assert (family.build_rate.flips, family.build_rate.n) == (1, 2)
    assert (family.pass_rate.flips, family.pass_rate.n) == (0, 12)


def test_bytes_that_move_are_ctl_2() -> None:
    decision = decide(made=MOVING)
    assert decision.level == "CTL-2"
    assert decision.line.startswith(
        "CTL-2: other bytes in 2 of 2 rebuilds (95 % bound: 100 %), other answers in 0 of 2"
    )
    assert "index.bin" in " ".join(decision.reasons)


def test_no_artifact_is_ctl_2_at_most() -> None:
    decision = decide(made=EMPTY)
    assert decision.level == "CTL-2"
    assert decision.line.startswith("CTL-2: no artifact; other answers in 0 of 2 rebuilds (95 % bound: 78 %)")
    assert "ceiling is CTL-2" in " ".join(decision.reasons)


def test_two_folders_that_share_a_tree_hash_are_not_ctl_3() -> None:
    made = builds_of({"a.md": b"x\0b.md\0y"}, {"a.md": b"x", "b.md": b"y"})
    assert made[0].artifact is not None
    assert made[1].artifact is not None
    assert made[0].artifact.hash == made[1].artifact.hash
    assert decide(made=made).level == "CTL-2"


@pytest.mark.parametrize(
    "answer",
    [
        lambda *_: [],
        lambda *_: disjoint(0),
        lambda build, turn, query, again: disjoint(0) if query == 0 else [],
        lambda build, turn, query, again: steady(build, turn, query, again) if query < 7 else [],
        lambda build, turn, query, again: disjoint(query % 2) if query < 8 else [],
        lambda build, turn, query, again: disjoint(build, turn),
        lambda build, turn, query, again: steady(build, turn, query, again) if turn != 4 else [],
    ],
    ids=[
        "nothing",
        "constant",
        "one in ten",
        "seven in ten",
        "two lists",
        "constant of the pass",
        "a silent pass",
    ],
)
def test_vacuous_answers_have_no_level(answer: Answer) -> None:
    decision = decide(answer)
    assert (decision.level, decision.status) == (None, "vacuous")
    assert decision.line.startswith("no level: Vacuous")


def test_one_query_has_no_level_and_two_can() -> None:
    one, two = decide(queries=QUERIES[:1]), decide(queries=QUERIES[:2])
    assert (one.level, one.status) == (None, "vacuous")
    assert (two.level, two.status) == ("CTL-3", "ok")
    same = decide(lambda *_: disjoint(0), queries=QUERIES[:2])
    assert (same.level, same.status) == (None, "vacuous")


def by_build(build: int, turn: int, query: int, again: bool) -> tuple[int, ...]:
    return (build,) if build else ()


def by_process(build: int, turn: int, query: int, again: bool) -> tuple[int, ...]:
    return (turn,) if turn in (2, 4) else ()


def by_reopening(build: int, turn: int, query: int, again: bool) -> tuple[int, ...]:
    return (turn,) if turn % 2 else ()


def by_history(build: int, turn: int, query: int, again: bool) -> tuple[int, ...]:
    return (1,) if again else ()


Moved = Callable[[int, int, int, bool], tuple[int, ...]]

KINDS: list[Moved] = [by_build, by_process, by_reopening, by_history]
NAMES = ["between builds", "between passes", "reopening", "asked again"]


@pytest.mark.parametrize(("moved", "name"), [*zip(KINDS, NAMES, strict=True)], ids=NAMES)
def test_a_change_of_one_kind_alone_decides(moved: Moved, name: str) -> None:
    """Each would be hidden in a mean over everything; the weakest kind of comparison decides."""

    def shuffled(build: int, turn: int, query: int, again: bool) -> list[str]:
        return disjoint(query, *moved(build, turn, query, again))

    def head_swapped(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = disjoint(query)
        return swapped(files) if moved(build, turn, query, again) else files

    other_files, other_order = decide(shuffled), decide(head_swapped)
    assert other_files.level == "CTL-0"
    assert other_order.level == "CTL-1"  # the same ten files, tau 43/45 where the order differs
    for decision in (other_files, other_order):
        assert any(name in reason for reason in decision.reasons)


def test_only_some_queries_of_one_kind_of_comparison_moving_is_ctl_1() -> None:
    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return [*files[:9], "other"] if query == 0 and build == 2 else files

    decision = decide(answer)
    assert decision.level == "CTL-1"
    assert decision.line.startswith(
        "CTL-1: other bytes in 0 of 2 rebuilds (95 % bound: 78 %), other answers in 1 of 2"
    )


def test_an_order_that_is_undefined_is_not_ctl_1() -> None:
    """Lists of one file: nine in ten the same, so Jaccard is above 0.9, and no pair of items has an order."""

    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        return ["other" if query == 0 and build == 2 else f"file-{query}"]

    decision = decide(answer)
    assert decision.level == "CTL-0"
    assert any("tau undefined everywhere" in reason for reason in decision.reasons)


def test_jaccard_just_below_is_not_ctl_1() -> None:
    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        return [*disjoint(query)[:9], f"{build}"]  # 9 of 11 shared: 0.82

    assert decide(answer).level == "CTL-0"


def test_too_little_evidence_is_no_level() -> None:
    for decision in (
        decide(made=SAME[:1]),
        decide(trials=1),
        decide(asked=(True, False)),
        decide(asked=(False, True)),
    ):
        assert (decision.level, decision.status) == (None, "ok")
        assert decision.line.startswith("no level: ")
    assert decide(made=SAME[:2], trials=2).level == "CTL-3"


def test_an_error_is_no_level_and_its_status() -> None:
    rows = [
        row.model_copy(update={"failure": FAILURE, "lists": ()})
        if isinstance(row, PassRow) and row.id.endswith("pass-004")
        else row
        for row in base_rows()
    ]
    rebuild = measure_rebuild(SAME, artifact_file_suffices=None, requested=True)
    decision = decide_level(rebuild, measure_stability(Observations(rows), SYSTEM, QUERIES, 10))
    assert (decision.level, decision.status) == (None, "error")


def test_a_declared_file_that_queries_do_not_read_does_not_hide_the_folder() -> None:
    folders = [{"index.bin": b"same", "real.db": b"%d" % i} for i in range(3)]
    made = builds_of(*folders, declared="index.bin")
    rows = base_rows()
    lone = PassRow(
        id=f"{SYSTEM}/base-000/pass-file",
        system=SYSTEM,
        cell="base-000",
        seed=0,
        copy_kind="artifact-file",
        lists=(list_hash([]),) * 10,
    )
    query = measure_stability(Observations([*rows, lone]), SYSTEM, QUERIES, 10)
    rebuild = measure_rebuild(made, artifact_file_suffices=query.artifact_file_suffices, requested=True)
    decision = decide_level(rebuild, query)
    assert decision.level == "CTL-2"
    assert any("index.bin is not enough" in reason for reason in decision.reasons)


def test_no_level_is_given_that_needs_another_machine() -> None:
    assert decide().level != "CTL-4"


def test_an_upper_bound_is_never_printed_below_itself() -> None:
    rebuild = measure_rebuild(SAME, artifact_file_suffices=None, requested=True)
    tight = RebuildFamily.model_validate(
        {**rebuild.model_dump(), "rate": FlipRate(flips=0, n=400, upper95=0.00746).model_dump()}
    )
    query = measure_stability(Observations(base_rows()), SYSTEM, QUERIES, 10)
    assert "other bytes in 0 of 400 rebuilds (95 % bound: 1 %)" in decide_level(tight, query).line
