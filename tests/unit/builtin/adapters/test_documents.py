from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def module(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("_documents")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_order_is_by_path_however_the_files_were_created(
    module: ModuleType, seed: int, tmp_path: Path
) -> None:
    expected = [
        "A.md",
        "a/x.txt",
        "a/y/z",
        "a-b/x.txt",
        "a.txt",
        "b",
        "\u00e9.txt",
        "\uffee.txt",
        "\U0001f600.txt",
    ]
    created = list(expected)
    random.Random(seed).shuffle(created)
    for path in created:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    assert list(module.documents(str(tmp_path))) == [(path, path) for path in expected]


def test_what_is_not_text_is_left_out(module: ModuleType, tmp_path: Path) -> None:
    kept = {"empty": b"", "crlf.txt": b"a\r\nb", "bom.txt": b"\xef\xbb\xbfx", "full.txt": b"x" * 1_000_000}
    left_out = {
        "nul.txt": b"a\0b",
        "latin1.txt": b"caf\xe9",
        "large.txt": b"x" * 1_000_001,
        "cut.txt": b"\xe2\x82",
    }
    for name, content in {**kept, **left_out}.items():
        (tmp_path / name).write_bytes(content)
    for folder in ("node_modules", ".git", "deep/node_modules"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.txt").write_text("x")
    found = dict(module.documents(str(tmp_path)))
    assert {name: text.encode() for name, text in found.items()} == kept


def test_links_are_not_followed(module: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("a")
    (corpus / "loop").symlink_to(corpus, target_is_directory=True)
    (corpus / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    (corpus / "link.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    assert list(module.documents(str(corpus))) == [("a.txt", "a")]


def numbered(count: int) -> str:
    return "".join(f"{number}\n" for number in range(count))


@pytest.mark.parametrize(
    ("count", "runs"),
    [
        (0, []),
        (1, [(0, 1)]),
        (40, [(0, 40)]),
        (41, [(0, 40), (32, 41)]),
        (72, [(0, 40), (32, 72)]),
        (73, [(0, 40), (32, 72), (64, 73)]),
    ],
)
def test_runs_of_forty_lines_share_eight(module: ModuleType, count: int, runs: list[tuple[int, int]]) -> None:
    cut = [tuple(map(int, chunk.split("\n"))) for chunk in module.chunks(numbered(count), 40, 8)]
    assert cut == [tuple(range(start, end)) for start, end in runs]


@given(text=st.text(alphabet="ab\n\r\x0c\u2028"), overlap=st.integers(0, 3), more=st.integers(1, 4))
def test_chunks_put_together_again_are_the_text(
    load_adapter: Callable[[str], ModuleType], text: str, overlap: int, more: int
) -> None:
    parts = [chunk.split("\n") for chunk in load_adapter("_documents").chunks(text, overlap + more, overlap)]
    assert all(left[-overlap:] == right[:overlap] for left, right in pairwise(parts) if overlap)
    lines = parts[0] + [line for part in parts[1:] for line in part[overlap:]] if parts else []
    assert "\n".join(lines) == text.removesuffix("\n")


def test_the_best_of_each_file_is_kept_and_no_more_is_asked_for(module: ModuleType) -> None:
    asked = []

    def ranked() -> object:
        for pair in [("a", 0.9), ("a", 0.8), ("b", 0.7), ("a", 0.6), ("c", 0.5), ("d", 0.4)]:
            asked.append(pair)
            yield pair

    assert module.best_files(ranked(), 3) == [
        {"file": "a", "score": 0.9}, {"file": "b", "score": 0.7}, {"file": "c", "score": 0.5}
    ]  # fmt: skip
    assert asked[-1] == ("c", 0.5)
    assert module.best_files(ranked(), 0) == []
    assert len(module.best_files(ranked(), 10)) == 4
