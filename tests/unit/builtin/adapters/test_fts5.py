from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

CORPUS = {
    "a.txt": "cat cat dog",
    "b/b.md": "dog bird fish",
    "c.txt": "bird bird whale parse_args",
    "d.txt": "cow pig hen",
    "e.txt": "args of parse",
}


@pytest.fixture(scope="module")
def fts5(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    module = load_adapter("fts5")
    if module.available() is not True:
        pytest.skip(module.available())
    return module


@pytest.fixture(scope="module")
def built(fts5: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fts5")
    for path, text in CORPUS.items():
        (root / "corpus" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "corpus" / path).write_text(text)
    fts5.build(str(root / "corpus"), str(root / "out"))
    return root / "out"


@pytest.fixture
def index(fts5: ModuleType, built: Path) -> Iterator[Any]:
    opened = fts5.open(str(built))
    yield opened
    opened.close()


def test_scores_are_the_bm25_that_sqlite_documents(index: Any) -> None:
    """SQLite's page on FTS5 gives k1 = 1.2, b = 0.75 and idf = ln((N - n + 0.5) / (n + 0.5)); the path is a column
    without terms, so lengths are those of the text: 3, 3, 5, 3, 3 tokens."""
    (found,) = index.query("cat", 10)
    idf = log((5 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * (1.2 + 1) / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / (17 / 5)))
    assert found["file"] == "a.txt"
    assert found["score"] == pytest.approx(expected, rel=1e-9)


def test_any_word_of_a_question_is_enough(index: Any) -> None:
    assert {found["file"] for found in index.query("where is the whale, or a hen?", 10)} == {"c.txt", "d.txt"}
    assert [found["file"] for found in index.query("whale bird", 1)] == ["c.txt"]


def test_a_word_that_the_tokenizer_splits_is_a_phrase(index: Any) -> None:
    assert [found["file"] for found in index.query("parse_args", 10)] == ["c.txt"]
    assert {found["file"] for found in index.query("parse args", 10)} == {"c.txt", "e.txt"}


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "*",
        "cat*",
        'a" OR "b',
        "NEAR(cat dog",
        "text: cat",
        "^cat",
        "-",
        "AND",
        "NOT cat",
        "{}",
        "(",
        "\0",
    ],
)
def test_the_query_language_of_fts5_is_only_text(index: Any, text: str) -> None:
    assert all(found["file"] in CORPUS for found in index.query(text, 10))


@pytest.mark.parametrize("text", ["", "  \n", "\0", "?", "zebra"])
def test_nothing_matches_nothing(index: Any, text: str) -> None:
    assert index.query(text, 10) == []


@given(text=st.text())
def test_no_text_is_an_error(fts5: ModuleType, built: Path, text: str) -> None:
    assert len(fts5.query(str(built), text.encode("utf-8", "replace").decode(), 3)) <= 3


def test_two_builds_are_the_same_bytes(fts5: ModuleType, built: Path, tmp_path: Path) -> None:
    fts5.build(str(built.parent / "corpus"), str(tmp_path))
    assert (tmp_path / "index.db").read_bytes() == (built / "index.db").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["index.db"]


def test_the_version_is_that_of_the_library(fts5: ModuleType) -> None:
    import sqlite3

    told = fts5.version()
    assert told["id"] == f"sqlite {sqlite3.sqlite_version}"
    assert told["source"] == "declared"
