from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

WORDS = ("cat", "dog", "bird")


def embed(texts: list[str]) -> NDArray[np.float32]:
    """A model with a direction for each of three words."""
    return np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def module(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("_vectors")


@pytest.fixture(scope="module")
def embedding(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("_embedding")


def write(root: Path, files: dict[str, str]) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return str(root)


def given(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setenv("CONTEXTBENCHMARK_VECTORS", os.pathsep.join(map(str, folders)))


def test_the_step_writes_a_row_for_each_distinct_text(embedding: ModuleType, tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", {"a.txt": "cat cat dog", "b.txt": "nothing"})
    embedding.embed_shared(corpus, str(tmp_path / "v"), ["bird", "bird", ""], embed, "counting 1")
    vectors = np.load(tmp_path / "v/vectors.npy")
    rows = json.loads((tmp_path / "v/rows.json").read_text())
    assert vectors.dtype == np.float32 and vectors.shape == (4, 3)
    by_text = {
        text: vectors[rows[hashlib.sha256(text.encode()).hexdigest()]].tolist()
        for text in ("a.txt\ncat cat dog", "b.txt\nnothing", "bird", "")
    }
    assert by_text["a.txt\ncat cat dog"] == pytest.approx([2 / 5**0.5, 1 / 5**0.5, 0])
    assert by_text["bird"] == [0, 0, 1]
    assert by_text["b.txt\nnothing"] == by_text[""] == [0, 0, 0]
    assert json.loads((tmp_path / "v/embedder.json").read_text()) == {"id": "counting 1"}


def test_passages_come_with_their_vectors_in_the_order_of_the_documents(
    module: ModuleType, embedding: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"b/long.txt": "dog\n" * 50, "a.txt": "cat", "c.txt": "nothing that the model knows"}
    corpus = write(tmp_path / "corpus", files)
    embedding.embed_shared(corpus, str(tmp_path / "v"), ["bird", "none"], embed, "counting 1")
    given(monkeypatch, tmp_path / "v")
    found = module.Passages(corpus)
    # c.txt has no direction: a row of zeros would be near to everything by Euclidean distance.
    assert found.files == ["a.txt", "b/long.txt", "b/long.txt"]
    assert found.vectors.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert (len(found), found.dimensions) == (3, 3)
    known = module.Vectors()
    assert known.of("bird").tolist() == [0, 0, 1]
    assert known.of("none") is None


def test_noise_is_looked_up_in_a_second_folder(
    module: ModuleType, embedding: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write(tmp_path / "corpus", {"a.txt": "cat"})
    noise = write(tmp_path / "noise", {"n.txt": "bird"})
    embedding.embed_shared(corpus, str(tmp_path / "v"), ["dog"], embed, "counting 1")
    embedding.embed_shared(noise, str(tmp_path / "w"), ["bird bird"], embed, "counting 1")
    given(monkeypatch, tmp_path / "v", tmp_path / "w")
    write(tmp_path / "corpus", {"n.txt": "bird"})
    assert module.Passages(corpus).files == ["a.txt", "n.txt"]
    assert module.Vectors().of("bird bird").tolist() == [0, 0, 1]


def test_a_text_that_was_not_embedded_is_named(
    module: ModuleType, embedding: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write(tmp_path / "corpus", {"a.txt": "cat"})
    embedding.embed_shared(corpus, str(tmp_path / "v"), [], embed, "counting 1")
    given(monkeypatch, tmp_path / "v")
    with pytest.raises(LookupError, match="no vector was computed for the text that begins 'another"):
        module.Vectors().of("another question")
    write(tmp_path / "corpus", {"late.txt": "dog"})
    with pytest.raises(LookupError, match=r"begins 'late\.txt"):
        module.Passages(corpus)
    monkeypatch.delenv("CONTEXTBENCHMARK_VECTORS")
    with pytest.raises(LookupError, match="vectors = True"):
        module.Vectors()


@pytest.mark.parametrize(("k", "asked"), [(1, [4]), (3, [12, 48]), (9, [36, 60])])
def test_more_passages_are_asked_for_until_there_are_k_files(
    module: ModuleType, k: int, asked: list[int]
) -> None:
    # 60 passages: twenty of each of a and b, then twenty files of one each.
    ranked = [("a", 1.0)] * 20 + [("b", 0.5)] * 20 + [(f"c{number:02}", 0.1) for number in range(20)]
    seen: list[int] = []

    def search(count: int) -> list[tuple[str, float]]:
        seen.append(count)
        return ranked[:count]

    files = [item["file"] for item in module.nearest_files(search, len(ranked), k)]
    assert files == ["a", "b", *(f"c{number:02}" for number in range(20))][:k]
    assert seen == asked


def test_an_engine_that_finds_no_more_is_not_asked_again(module: ModuleType) -> None:
    calls: list[int] = []

    def search(count: int) -> list[tuple[str, float]]:
        calls.append(count)
        return [("a", 1.0)] * 3

    assert module.nearest_files(search, 1000, 10) == [{"file": "a", "score": 1.0}]
    assert calls == [40]


def test_the_identity_says_whose_vectors_they_are(
    module: ModuleType, embedding: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write(tmp_path / "corpus", {"a.txt": "cat"})
    embedding.embed_shared(corpus, str(tmp_path / "v"), [], embed, "counting 1")
    assert module.versions("numpy")["id"] == f"numpy {np.__version__}"
    given(monkeypatch, tmp_path / "v")
    assert module.versions("numpy")["id"] == f"numpy {np.__version__}, vectors by counting 1"
