"""What stands after ``--corpus`` leads to one corpus, or the error says what is near."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.named import corpus_by_name, generated_folder, generated_size
from contextbenchmark.trust.sources import cached_folder, pin_named


def test_the_bundled_one() -> None:
    assert corpus_by_name("webshop").name == "webshop"


def test_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "webshop").mkdir()
    (tmp_path / "webshop/a.md").write_text("mine")
    (tmp_path / "webshop/queries.json").write_text('["q"]')
    monkeypatch.chdir(tmp_path)
    assert len(corpus_by_name("webshop").documents) > 50
    assert len(corpus_by_name("./webshop").documents) == 1
    monkeypatch.chdir(tmp_path / "webshop")
    assert corpus_by_name(".").name == "webshop"


@pytest.mark.parametrize(
    ("written", "near"),
    [("djagno", "django"), ("web-shop", "webshop"), ("Zod", "zod"), ("./mydoc", "./mydocs")],
)
def test_near_names(written: str, near: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mydocs").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError, match=rf"Did you mean .*{near}"):
        corpus_by_name(written)


def test_nothing_near() -> None:
    with pytest.raises(CorpusError, match=r"Names: webshop, micro-app, .* or a folder"):
        corpus_by_name("quux/quuux")


def test_generated(tmp_path: Path) -> None:
    corpus = corpus_by_name("xl:1_20", cache=tmp_path)
    assert (corpus.name, len(corpus.documents)) == ("xl-120", 120)
    assert corpus_by_name("xl:120", cache=tmp_path) == corpus
    (corpus.root / corpus.documents[7].path).write_text("edited")
    with pytest.raises(CorpusError, match="was changed"):
        corpus_by_name("xl:120", cache=tmp_path)
    with pytest.raises(CorpusError, match="1 to 100,000"):
        corpus_by_name("xl:100001", cache=tmp_path)
    assert [place.name for place in (tmp_path / "corpora").iterdir() if place.is_dir()] == ["xl-120-0-v1"]


def test_sizes() -> None:
    assert generated_size("xl:10,000") == 10_000
    assert generated_size("xl:-1") is generated_size("xl:") is generated_size("django") is None


def test_another_seed_is_another_corpus(tmp_path: Path) -> None:
    assert generated_folder(2, 1, cache=tmp_path) != generated_folder(2, 2, cache=tmp_path)


def test_a_damaged_pin_is_not_used(tmp_path: Path) -> None:
    pin = pin_named("zod-npm")
    assert pin is not None
    place = cached_folder(pin, tmp_path)
    place.mkdir(parents=True)
    (place / "a.ts").write_text("not zod")
    with pytest.raises(CorpusError, match="corpora fetch zod-npm"):
        corpus_by_name("zod-npm", cache=tmp_path)
    (place / "queries.json").write_text('["q"]')
    with pytest.raises(CorpusError, match="corpora fetch zod-npm"):
        corpus_by_name("zod-npm", cache=tmp_path)


def test_a_beir_folder(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": i, "text": i}) + "\n" for i in ("a", "b"))
    )
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "find b"}\n')
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tb\t1\n")
    corpus = corpus_by_name(str(folder), cache=tmp_path / "cache")
    assert (corpus.name, len(corpus.documents)) == ("tiny", 2)
    (relevant,) = corpus.queries[0].relevant
    assert (corpus.root / relevant).read_text() == "b\n"
    shutil.rmtree(corpus.root)
    assert corpus_by_name(str(folder), cache=tmp_path / "cache").hash == corpus.hash
