"""Noise documents: unlike any query, like the corpus's files, and found by their own words."""

from __future__ import annotations

import ast
import json
import re
import sqlite3
from collections import Counter
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.families.noise import BannedWords, noise_documents, query_words
from contextbenchmark.trust.families.vocabulary import GLUE, TOPICS

QUERIES = [
    "where is the cart total computed",
    "applyDiscountCode",
    "order_status transitions",
    "HTTPServer retries above the limit",
]
FILES = ["src/domain/a.ts", "src/domain/b.ts", "src/ui/c.ts", "README.md"]
WORDS = sorted(word for topic in TOPICS for word in (*topic.nouns, *topic.verbs, *topic.adjectives))


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.casefold())


def test_the_vocabulary_says_no_word_twice() -> None:
    assert [word for word, times in Counter([*WORDS, *GLUE]).items() if times > 1] == []
    assert all(re.fullmatch("[a-z]{3,}", word) for word in WORDS)


@given(st.integers(0, 10**6), st.lists(st.sampled_from([*QUERIES, *WORDS]), max_size=30))
def test_no_word_is_a_querys(seed: int, queries: list[str]) -> None:
    documents, probes = noise_documents(seed, 2, queries, FILES, [])
    asked = {word for query in queries for word in words(re.sub(r"([a-z])([A-Z])", r"\1 \2", query))}
    for path, text in documents.items():
        assert asked.isdisjoint(words(text))
        assert asked.isdisjoint(words(PurePosixPath(path).stem.replace("_", " ")))
    for document, probe in zip(documents.values(), probes, strict=True):
        assert len(set(probe.split())) == 8
        assert set(probe.split()) <= set(words(document))


@pytest.mark.parametrize(
    ("query", "word", "out"),
    [
        ("sailing boats", "sail", True),
        ("boat", "boats", True),
        ("gardenShed", "shed", True),
        ("garden_shed", "SHED", True),
        ("gardener", "gardening", True),
        ("crème brûlée", "creme", True),
        ("XMLParser", "parser", True),
        ("ovenware", "oven", True),
        ("car", "carpet", False),
        ("volume", "volcano", False),
        ("", "oven", False),
    ],
)
def test_shared_words_and_stems(query: str, word: str, out: bool) -> None:
    assert (word in BannedWords([query])) is out


def test_names_are_taken_apart() -> None:
    assert {"http", "server", "httpserver", "v2"} <= query_words("HTTPServer_v2")


def test_the_same_seed_gives_the_same_documents_and_another_does_not() -> None:
    assert noise_documents(3, 2, QUERIES, FILES, []) == noise_documents(3, 2, QUERIES, FILES, [])
    assert noise_documents(3, 2, QUERIES, FILES, []) != noise_documents(4, 2, QUERIES, FILES, [])


def test_length_place_and_name() -> None:
    documents, _ = noise_documents(1, 3, QUERIES, FILES, [])
    assert len(documents) == 3
    for path, text in documents.items():
        assert str(PurePosixPath(path).parent) == "src/domain"
        assert path.endswith(".ts")
        assert 100 <= len(words(text)) <= 150


def test_a_folder_that_no_query_names_is_preferred() -> None:
    documents, _ = noise_documents(1, 1, ["the domain model"], FILES, [])
    assert all(path.startswith("src/ui/") for path in documents)
    only, _ = noise_documents(1, 1, ["the domain model"], FILES[:2], [])
    assert all(path.startswith("src/domain/") for path in only)


def test_names_that_are_taken_are_left_whatever_their_case() -> None:
    taken: list[str] = []
    for _ in range(20):
        documents, _ = noise_documents(1, 1, QUERIES, FILES, taken)
        (path,) = documents
        assert path.casefold() not in {name.casefold() for name in taken}
        taken.append(path.upper())


def test_code_is_comments_and_a_definition() -> None:
    (python,) = noise_documents(1, 1, QUERIES, ["a.py"], [])[0].values()
    assert [type(node) for node in ast.parse(python).body] == [ast.Assign]
    (script,) = noise_documents(1, 1, QUERIES, ["a.ts"], [])[0].values()
    *comments, gap, definition, end = script.split("\n")
    assert all(line.startswith("// ") for line in comments)
    assert (gap, end) == ("", "")
    assert re.fullmatch(r'export const [a-z]+ = "[a-z ]+";', definition)


def test_a_definition_whose_keyword_is_asked_for_is_left_out() -> None:
    (script,) = noise_documents(1, 1, ["const declarations"], ["a.ts"], [])[0].values()
    assert all(line.startswith("// ") for line in script.rstrip().split("\n"))


def test_other_kinds_of_file() -> None:
    (data,) = noise_documents(1, 1, QUERIES, ["a.json"], [])[0].values()
    assert len(json.loads(data)) == 1
    (path,) = noise_documents(1, 1, QUERIES, [], [])[0]
    assert path.endswith(".txt")
    assert "/" not in path
    (page,) = noise_documents(1, 1, QUERIES, ["docs/a.md"], [])[0].values()
    assert page[0].isupper()


def test_queries_that_hold_every_word_are_refused_with_a_remedy() -> None:
    with pytest.raises(CorpusError, match="--families"):
        noise_documents(1, 1, WORDS, FILES, [])


def test_enough_is_left_of_a_third_of_the_words() -> None:
    documents, _ = noise_documents(1, 1, WORDS[::3] + WORDS[1::3], FILES, [])
    assert len(documents) == 1


def test_each_is_found_by_its_own_words_among_the_others() -> None:
    """Asked of SQLite's full-text search, another implementation of ranking than any of ours."""
    documents, probes = noise_documents(7, 30, QUERIES, FILES, [])
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table docs using fts5(path unindexed, body)")
    database.executemany("insert into docs values (?, ?)", documents.items())
    for path, probe in zip(documents, probes, strict=True):
        query = "select path from docs where docs match ? order by rank limit 10"
        found = [row[0] for row in database.execute(query, (" OR ".join(probe.split()),))]
        assert path in found
    database.close()
