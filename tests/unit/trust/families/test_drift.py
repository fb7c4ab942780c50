"""DN on planted answers."""

from __future__ import annotations

import pytest

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.families.drift import measure_drift
from contextbenchmark.trust.observation import NoiseRow, Observations, PassRow, Row
from contextbenchmark.trust.record import DriftFamily
from tests.unit.trust.families.planted_rows import (
    FAILURE,
    QUERIES,
    SYSTEM,
    Answer,
    base_rows,
    noise_rows,
    steady,
)

FOUND = ("src/noise.ts", "src/0-0.ts")


def measure(
    noisy: Answer, *, probe: tuple[str, ...] = FOUND, files: int = 60, base: Answer = steady
) -> DriftFamily:
    rows = [*base_rows(base), *noise_rows(noisy, probe)]
    return measure_drift(Observations(rows), SYSTEM, QUERIES, 10, files, True)


def with_noise_first(*queries: int) -> Answer:
    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        files = steady(build, turn, query, again)
        return ["src/noise.ts", *files[:9]] if query in queries else files

    return answer


def replacing(count: int) -> Answer:
    """Answer every query with ``count`` of its ten files replaced."""

    def answer(build: int, turn: int, query: int, again: bool) -> list[str]:
        return steady(build, turn, query, again)[: 10 - count] + [f"y{query}{i}" for i in range(count)]

    return answer


def test_an_unmoved_system_passes() -> None:
    family = measure(steady)
    assert (family.status, family.verdict, family.noise_documents, family.noise_builds) == (
        "ok",
        "PASS",
        1,
        1,
    )
    assert family.drift is not None
    assert (family.drift.value, family.drift.n) == (0, 10)
    assert family.noise_surfaced is not None
    assert (family.noise_surfaced.flips, family.noise_surfaced.n) == (0, 10)


def test_the_rule_books_own_row_noise_in_two_of_ten_is_a_warning() -> None:
    family = measure(with_noise_first(3, 7))
    assert family.drift is not None
    assert family.drift.value == pytest.approx(2 * (1 - 9 / 11) / 10)  # 0.036, published as 0.04
    assert family.verdict == "WARN"
    assert [row.noise_in_top_k for row in family.per_query] == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(("count", "verdict"), [(0, "PASS"), (1, "WARN"), (2, "FAIL"), (10, "FAIL")])
def test_thresholds_are_on_the_mean_jaccard(count: int, verdict: str) -> None:
    assert measure(replacing(count)).verdict == verdict  # 9/11 = .82, 8/12 = .67


def test_a_random_index_is_shown_its_own_rebuild_noise() -> None:
    def random_index(build: int, turn: int, query: int, again: bool) -> list[str]:
        return [*steady(build, turn, query, again)[:5], *(f"{build}-{turn}-{query}-{i}" for i in range(5))]

    def noisy(build: int, turn: int, query: int, again: bool) -> list[str]:
        return random_index(99, turn, query, again)

    family = measure(noisy, base=random_index)
    assert family.drift is not None
    assert family.null_drift is not None
    assert family.net_drift is not None
    assert family.drift.value == family.null_drift.value == pytest.approx(2 / 3)
    assert (family.net_drift.value, family.net_drift.low, family.net_drift.high) == (0, 0, 0)
    assert family.verdict == "FAIL"  # the verdict stays on the raw values


def test_no_verdict_on_a_small_corpus() -> None:
    family = measure(steady, files=49)
    assert (family.status, family.verdict) == ("ok", None)
    assert "49 files" in family.reason
    assert "50 files" in family.reason
    assert measure(steady, files=50).verdict == "PASS"


def test_noise_that_is_not_found_by_its_own_words_exercises_nothing() -> None:
    family = measure(steady, probe=("src/0-0.ts",))
    assert (family.status, family.verdict) == ("not-exercised", None)
    assert family.probes_found is not None
    assert (family.probes_found.flips, family.probes_found.n) == (0, 1)


def test_every_noise_document_must_be_found() -> None:
    two = {"src/noise.ts": "a", "src/more.ts": "b"}
    rows = [*base_rows(), *noise_rows(steady, FOUND, documents=two)]
    family = measure_drift(Observations(rows), SYSTEM, QUERIES, 10, 60, True)
    assert (family.status, family.noise_documents) == ("not-exercised", 2)
    assert family.probes_found is not None
    assert (family.probes_found.flips, family.probes_found.n) == (1, 2)


@pytest.mark.parametrize(
    "answer", [lambda *_: [], lambda *_: ["src/a.ts", "src/noise.ts"]], ids=["none", "constant"]
)
def test_vacuous_answers_earn_no_pass(answer: Answer) -> None:
    family = measure(answer, base=answer)
    assert (family.status, family.verdict) == ("vacuous", None)


def test_several_noise_cells_are_averaged() -> None:
    rows = [
        *base_rows(),
        *noise_rows(steady, FOUND),
        *noise_rows(with_noise_first(0), FOUND, cell=1),
    ]
    family = measure_drift(Observations(rows), SYSTEM, QUERIES, 10, 60, True)
    assert family.noise_builds == 2
    assert family.per_query[0].jaccard == pytest.approx((1 + 9 / 11) / 2)
    assert family.per_query[0].noise_in_top_k == 1


def test_one_base_build_has_no_null() -> None:
    rows = [*base_rows(builds=1), *noise_rows(steady, FOUND)]
    family = measure_drift(Observations(rows), SYSTEM, QUERIES, 10, 60, True)
    assert family.status == "ok"
    assert family.null_drift is not None
    assert family.net_drift is not None
    assert (family.null_drift.value, family.net_drift.value) == (None, None)


def test_failures_absence_and_not_asking() -> None:
    def broken(rows: list[Row]) -> list[Row]:
        return [
            row.model_copy(update={"failure": FAILURE, "lists": ()}) if isinstance(row, PassRow) else row
            for row in rows
        ]

    failed = Observations([*base_rows(), *broken(noise_rows(steady, FOUND))])
    assert measure_drift(failed, SYSTEM, QUERIES, 10, 60, True).status == "error"
    assert measure_drift(Observations(base_rows()), SYSTEM, QUERIES, 10, 60, True).status == "absent"
    assert measure_drift(failed, SYSTEM, QUERIES, 10, 60, False).status == "not-requested"


def test_rows_without_their_noise_are_refused() -> None:
    rows = [row for row in [*base_rows(), *noise_rows(steady, FOUND)] if not isinstance(row, NoiseRow)]
    with pytest.raises(RunFolderError, match="noise rows"):
        measure_drift(Observations(rows), SYSTEM, QUERIES, 10, 60, True)
