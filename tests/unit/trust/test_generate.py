"""The generated corpus: the same bytes everywhere, Zipf's law, queries that have one answer."""

from __future__ import annotations

import collections
import json
import math
import re
from pathlib import Path

import pytest

from contextbenchmark.core.digest import digest_tree
from contextbenchmark.errors import CorpusError, RunFolderError
from contextbenchmark.trust.generate import VOCABULARY, generate, vocabulary

# A cached or published corpus is known by these bytes, so every platform and Python has to make them.
TREE_OF_120 = "4f872b03e89b873e9aa3b0ebf3ecd04c6d0baf9ce80e431f786fce5738fea38d"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("xl")
    generate(place, 600, 5)
    return place


def texts(place: Path) -> dict[str, str]:
    return {
        file.path: (place / file.path).read_text("ascii")
        for file in digest_tree(place).files
        if file.path != "queries.json"
    }


def test_the_same_bytes_everywhere(tmp_path: Path) -> None:
    generate(tmp_path / "a", 120, 0)
    assert digest_tree(tmp_path / "a").tree == TREE_OF_120


def test_seeds_differ(tmp_path: Path) -> None:
    generate(tmp_path / "a", 5, 1)
    generate(tmp_path / "b", 5, 2)
    assert not set(texts(tmp_path / "a").values()) & set(texts(tmp_path / "b").values())


def test_a_smaller_corpus_is_the_beginning_of_a_larger(corpus: Path, tmp_path: Path) -> None:
    generate(tmp_path / "small", 150, 5)
    small, large = texts(tmp_path / "small"), texts(corpus)
    assert len(small) == 150
    assert small.items() <= large.items()


def test_words_are_distinct() -> None:
    words = vocabulary(3)
    assert len(set(words)) == len(words) == VOCABULARY
    assert all(re.fullmatch("[a-z]{4,6}", word) for word in words)


def test_frequencies_follow_zipf(corpus: Path) -> None:
    body = " ".join(text.partition("\n")[2] for text in texts(corpus).values())
    counts = [count for _, count in collections.Counter(re.findall("[a-z]+", body.lower())).most_common()]
    # Zipf with exponent 1 over V words: the commonest has the share 1 / H(V), H(V) = ln V + 0.5772; rank times
    # frequency stays the same. The words of the subjects and rounding move it by less than a fifth.
    expected = sum(counts) / (math.log(VOCABULARY) + 0.5772)
    for rank in (1, 3, 10, 30, 100):
        assert counts[rank - 1] * rank == pytest.approx(expected, rel=0.2)


def test_sizes(corpus: Path) -> None:
    sizes = [len(text) for text in texts(corpus).values()]
    assert sum(sizes) / len(sizes) == pytest.approx(1200, rel=0.15)
    assert min(sizes) < 600 < 1700 < max(sizes)


def test_each_query_has_one_answer(corpus: Path) -> None:
    queries = json.loads((corpus / "queries.json").read_text())
    found = {path: set(re.findall("[a-z]+", text.lower())) for path, text in texts(corpus).items()}
    assert len(queries) == 50
    for query in queries:
        wanted = set(query["query"].split())
        assert [path for path, words in found.items() if wanted <= words] == query["relevant"]


def test_a_few_documents_have_a_few_queries(tmp_path: Path) -> None:
    generate(tmp_path, 3, 0)
    assert len(json.loads((tmp_path / "queries.json").read_text())) == 3


@pytest.mark.parametrize("documents", [0, -1, 100_001])
def test_sizes_that_are_refused(tmp_path: Path, documents: int) -> None:
    with pytest.raises(CorpusError, match="1 to 100,000"):
        generate(tmp_path, documents)


def test_a_folder_that_is_in_use(corpus: Path, tmp_path: Path) -> None:
    generate(tmp_path, 1, 5)
    with pytest.raises(RunFolderError):
        generate(tmp_path, 1, 5)
