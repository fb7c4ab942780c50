"""A corpus is read whole and staged as a fresh checkout each time."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from contextbenchmark.core.digest import digest_tree
from contextbenchmark.errors import ContextBenchmarkError, CorpusError, RunFolderError
from contextbenchmark.trust.corpus import EARLIEST, LATEST, Corpus, load_corpus, stage
from contextbenchmark.trust.named import bundled_folder
from contextbenchmark.trust.sources import pin_named

VECTORS = Path(__file__).parents[2] / "vectors" / "bm25"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    for number in range(40):
        place = root / f"part-{number % 4}" / f"{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"document {number}\n")
    (root / "part-0/queries.json").write_text("[]")
    (root / "queries.json").write_text(json.dumps([{"query": "one", "relevant": ["part-0/0.md"]}, "two"]))
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref")
    return root


def test_what_is_read(tree: Path) -> None:
    corpus = load_corpus(tree)
    assert corpus.name == "docs"
    assert len(corpus.documents) == 41
    assert "queries.json" not in {file.path for file in corpus.documents}
    assert "part-0/queries.json" in {file.path for file in corpus.documents}
    assert corpus.hash == digest_tree(tree).tree  # queries.json counts in the hash
    assert corpus.bytes == sum((tree / file.path).stat().st_size for file in corpus.documents)
    assert [(query.text, query.relevant) for query in corpus.queries] == [
        ("one", frozenset({"part-0/0.md"})),
        ("two", frozenset()),
    ]


def test_the_hash_of_a_vector(tmp_path: Path) -> None:
    expected = json.loads((VECTORS / "plain" / "expected.json").read_bytes())
    assert load_corpus(VECTORS / "plain" / "corpus").hash == expected["corpusHash"]


def test_a_staged_tree_is_the_documents_and_nothing_else(tree: Path, tmp_path: Path) -> None:
    corpus = load_corpus(tree)
    stage(corpus, tmp_path / "staged", 1)
    assert digest_tree(tmp_path / "staged").files == corpus.documents
    assert not (tmp_path / "staged/.git").exists()


def test_times_and_order_follow_the_seed(tree: Path, tmp_path: Path) -> None:
    corpus = load_corpus(tree)
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        stage(corpus, tmp_path / name, seed)

    def times(name: str) -> dict[str, int]:
        places = [tmp_path / name, *(tmp_path / name).rglob("*")]
        return {str(place.relative_to(tmp_path / name)): int(place.stat().st_mtime) for place in places}

    assert times("a") == times("b")
    assert times("a") != times("c")
    assert all(EARLIEST <= moment <= LATEST for moment in times("c").values())
    assert len(set(times("a").values())) > 40


@pytest.mark.skipif(sys.platform == "win32", reason="st_ctime is another thing there")
def test_files_are_created_in_another_order_each_time(tree: Path, tmp_path: Path) -> None:
    corpus = load_corpus(tree)
    orders = []
    for seed in range(3):
        stage(corpus, tmp_path / str(seed), seed)
        made = [file.path for file in corpus.documents]
        made.sort(key=lambda path: (tmp_path / str(seed) / path).stat().st_ctime_ns)
        orders.append(tuple(made))
    assert len(set(orders)) == 3


def test_extra_documents(tree: Path, tmp_path: Path) -> None:
    stage(load_corpus(tree), tmp_path / "staged", 3, {"new/noise.md": "é\n"})
    assert (tmp_path / "staged/new/noise.md").read_bytes() == b"\xc3\xa9\n"
    with pytest.raises(CorpusError, match=r"part-1/1\.md"):
        stage(load_corpus(tree), tmp_path / "other", 3, {"part-1/1.md": "no"})


@pytest.mark.parametrize("how", ["content", "gone"])
def test_a_source_that_changes_is_named(tree: Path, tmp_path: Path, how: str) -> None:
    corpus = load_corpus(tree)
    if how == "content":
        (tree / "part-2/2.md").write_text("Document 2\n")
    else:
        (tree / "part-2/2.md").unlink()
    with pytest.raises(CorpusError, match=r"part-2.2\.md changed while the run went on"):
        stage(corpus, tmp_path / "staged", 1)


def test_a_place_that_cannot_be_written(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="Cannot write"):
        stage(load_corpus(tree), tmp_path / "file" / "staged", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege")
def test_linked_documents_are_staged_as_files(tree: Path, tmp_path: Path) -> None:
    (tree / "again").symlink_to("part-3")
    corpus = load_corpus(tree)
    stage(corpus, tmp_path / "staged", 1)
    assert digest_tree(tmp_path / "staged").files == corpus.documents
    assert not (tmp_path / "staged/again").is_symlink()


def test_empty_corpora(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no documents"):
        load_corpus(tmp_path)
    (tmp_path / "queries.json").write_text('["only"]')
    with pytest.raises(CorpusError, match="no documents"):
        load_corpus(tmp_path)


def test_no_queries_says_how_to_get_some(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    with pytest.raises(CorpusError, match="queries init"):
        load_corpus(tmp_path)


def test_queries_from_elsewhere(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('["three"]')
    assert [query.text for query in load_corpus(tree, queries_file=other).queries] == ["three"]
    with pytest.raises(CorpusError, match="--qrels goes with --queries"):
        load_corpus(tree, qrels=other)


def test_content_need_not_be_utf8(tree: Path, tmp_path: Path) -> None:
    (tree / "latin.txt").write_bytes(b"caf\xe9\0\xff")
    corpus = load_corpus(tree)
    stage(corpus, tmp_path / "staged", 1)
    assert (tmp_path / "staged/latin.txt").read_bytes() == b"caf\xe9\0\xff"


def test_webshop_is_its_pin() -> None:
    pin = pin_named("webshop")
    corpus = load_corpus(bundled_folder())
    assert pin is not None
    assert (corpus.name, corpus.hash, corpus.warnings) == ("webshop", pin.tree, ())
    assert len(corpus.queries) == 30
    assert all(1 <= len(query.relevant) <= 3 for query in corpus.queries)
    assert len(corpus.documents) >= 50  # drift gets a verdict from five times k on


def test_a_crlf_checkout_is_recognised(tmp_path: Path) -> None:
    shutil.copytree(bundled_folder(), tmp_path / "shop")
    for place in (tmp_path / "shop").rglob("*.*"):
        if place.is_file():
            place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    corpus = load_corpus(tmp_path / "shop")
    assert corpus.name == "shop"
    assert "webshop with CRLF line endings" in " ".join(corpus.warnings)
    (tmp_path / "shop/README.md").write_text("edited")
    assert load_corpus(tmp_path / "shop").warnings == ()


def test_a_large_document_is_copied_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contextbenchmark.trust.corpus.COPY_BYTES", 1000)
    (tmp_path / "docs").mkdir()
    content = os.urandom(4321)
    (tmp_path / "docs/big.md").write_bytes(content)
    (tmp_path / "docs/queries.json").write_text('["q"]')
    corpus: Corpus = load_corpus(tmp_path / "docs")
    stage(corpus, tmp_path / "staged", 9)
    assert (tmp_path / "staged/big.md").read_bytes() == content
    assert corpus.documents[0].sha256 == hashlib.sha256(content).hexdigest()


def test_every_error_ends_in_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ContextBenchmarkError) as caught:
        load_corpus(tmp_path / "none")
    assert caught.value.remedy.endswith(".")
