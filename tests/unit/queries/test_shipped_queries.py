"""The queries that ship for the pinned corpora are well formed (whether they are true: the slow tests)."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from contextbenchmark.trust.queries import check_queries, packaged_queries, read_json_queries
from contextbenchmark.trust.sources import pins

COUNTS = {"django": 50, "zod": 50, "zod-npm": 50, "hono": 20}
BRINGS_ITS_OWN = {"micro-app"}


def _file(name: str) -> Path:
    path = packaged_queries(name)
    assert path is not None
    return path


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(_file(name).read_text(encoding="utf-8"))
    return rows


def test_every_pin_without_queries_of_its_own_has_ours() -> None:
    needing = {pin.name for pin in pins() if not pin.bundled} - BRINGS_ITS_OWN
    assert needing == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_the_loader_reads_as_many_as_promised_and_finds_no_fault(name: str) -> None:
    queries = read_json_queries(_file(name))
    assert len(queries) == COUNTS[name]
    named = {path for query in queries for path in query.relevant}
    # Raises for blank and repeated texts; the loader has refused absolute, `..` and `\` paths already.
    check_queries(queries, named, name)


@pytest.mark.parametrize("name", COUNTS)
def test_no_two_texts_differ_in_case_or_spaces_alone(name: str) -> None:
    texts = [row["query"] for row in _rows(name)]
    assert len({" ".join(text.casefold().split()) for text in texts}) == len(texts)
    assert all(text == text.strip() and "\n" not in text for text in texts)


@pytest.mark.parametrize("name", COUNTS)
def test_each_query_has_one_to_four_files_and_a_fact_for_each(name: str) -> None:
    for row in _rows(name):
        assert set(row) == {"query", "relevant", "why"}
        assert 1 <= len(row["relevant"]) <= 4, row["query"]
        assert list(row["why"]) == row["relevant"], row["query"]  # a path listed twice would differ too
        assert all(fact.strip() for fact in row["why"].values()), row["query"]


@pytest.mark.parametrize("name", COUNTS)
def test_no_query_gives_away_the_file_that_answers_it(name: str) -> None:
    for row in _rows(name):
        text = row["query"].casefold()
        assert not any(PurePosixPath(path).name.casefold() in text for path in row["relevant"]), text


@pytest.mark.parametrize("name", COUNTS)
def test_the_queries_are_spread_over_the_corpus(name: str) -> None:
    rows = _rows(name)
    assert len({path for row in rows for path in row["relevant"]}) >= len(rows)


def test_both_zod_corpora_are_asked_the_same() -> None:
    assert [row["query"] for row in _rows("zod")] == [row["query"] for row in _rows("zod-npm")]
