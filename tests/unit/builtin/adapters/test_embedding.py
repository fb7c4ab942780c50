from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

WORDS = ("cat", "dog", "bird")


def embed(texts: list[str]) -> NDArray[np.float32]:
    """A model with a direction for each of three words: anyone can work out its cosines."""
    return np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def module(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("_embedding")


def write(root: Path, files: dict[str, str]) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return str(root)


def test_a_passage_is_a_path_line_and_forty_lines(module: ModuleType, tmp_path: Path) -> None:
    seen: list[str] = []

    def spy(texts: list[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return np.ones((len(texts), 2), dtype=np.float32)

    text = "".join(f"line {number}\n" for number in range(50))
    corpus = write(tmp_path / "corpus", {"src/a.ts": text, "empty.txt": "", "z.txt": "one"})
    module.build_vectors(corpus, str(tmp_path / "out"), spy)
    assert [passage.split("\n")[0] for passage in seen] == ["src/a.ts", "src/a.ts", "z.txt"]
    assert seen[0].split("\n")[1:] == [f"line {number}" for number in range(40)]
    assert seen[1].split("\n")[1:] == [f"line {number}" for number in range(32, 50)]
    assert json.loads((tmp_path / "out/files.json").read_text()) == ["src/a.ts", "src/a.ts", "z.txt"]


def test_the_best_passage_of_each_file_by_cosine(module: ModuleType, tmp_path: Path) -> None:
    blank = "\n" * 40
    corpus = write(
        tmp_path / "corpus",
        {
            "mixed.txt": "cat dog",  # cosine 1/sqrt(2)
            "late.txt": f"dog{blank}cat cat",  # its second passage: 1
            "scaled.txt": "cat cat cat cat bird",  # 4/sqrt(17)
            "other.txt": "bird",  # 0
        },
    )
    module.build_vectors(corpus, str(tmp_path / "out"), embed)
    found = module.VectorIndex(str(tmp_path / "out"), embed).query("cat", 3)
    assert [item["file"] for item in found] == ["late.txt", "scaled.txt", "mixed.txt"]
    assert [item["score"] for item in found] == pytest.approx([1, 4 / 17**0.5, 1 / 2**0.5], abs=1e-6)
    assert all(type(item["score"]) is float for item in found)


def test_equal_cosines_come_in_the_order_of_the_documents(module: ModuleType, tmp_path: Path) -> None:
    names = [f"{number:02}.txt" for number in range(30)]
    corpus = write(tmp_path / "corpus", dict.fromkeys(names, "dog"))
    module.build_vectors(corpus, str(tmp_path / "out"), embed)
    index = module.VectorIndex(str(tmp_path / "out"), embed)
    assert [item["file"] for item in index.query("dog", 10)] == names[:10]


def test_text_without_direction_gets_no_answer(module: ModuleType, tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", {"a.txt": "cat", "b.txt": "nothing known"})
    module.build_vectors(corpus, str(tmp_path / "out"), embed)
    index = module.VectorIndex(str(tmp_path / "out"), embed)
    assert index.query("", 10) == []
    assert [item["file"] for item in index.query("cat", 10)] == ["a.txt", "b.txt"]
    assert np.load(tmp_path / "out/vectors.npy")[1].tolist() == [0, 0, 0]


def test_a_passage_of_a_megabyte_is_cut(module: ModuleType, tmp_path: Path) -> None:
    longest: list[int] = []

    def spy(texts: list[str]) -> NDArray[np.float32]:
        longest.extend(map(len, texts))
        return np.ones((len(texts), 2), dtype=np.float32)

    module.build_vectors(write(tmp_path / "corpus", {"min.js": "x" * 900_000}), str(tmp_path / "out"), spy)
    assert longest == [module.LONGEST_PASSAGE]


def test_a_corpus_without_text_is_said_to_be_one(module: ModuleType, tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", {"empty.txt": ""})
    with pytest.raises(ValueError, match="no file of the corpus holds text"):
        module.build_vectors(corpus, str(tmp_path / "out"), embed)
