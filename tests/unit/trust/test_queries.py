"""Queries are read from the forms that people have them in, and every fault in them is named."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.ir_formats import beir_path, beir_tree, read_qrels, read_topics
from contextbenchmark.trust.queries import MAX_BYTES, Query, check_queries, packaged_queries, read_queries

SGML = """
<top>
<num> Number: 301
<title> International Organized
Crime
<desc> Description:
Identify organizations &amp; more.
</top>

<top>
<num> Number: 302
<title> Poliomyelitis &amp; Post-Polio
</top>
"""
XML = """<topics><topic number="1"><title>how masks work</title><query>masks</query></topic>
<topic number="2"><query>x</query><title>second</title></topic></topics>"""


def read(tmp_path: Path, content: str | bytes, name: str = "queries.json") -> tuple[Query, ...]:
    place = tmp_path / name
    place.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_queries(place)


def test_strings_and_objects(tmp_path: Path) -> None:
    found = read(tmp_path, '\ufeff["plain", {"query": "with", "relevant": ["b.md", "a/c.md"], "note": 1}]')
    assert found == (Query(text="plain"), Query(text="with", relevant=frozenset({"a/c.md", "b.md"})))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"query": "x"}', "an object, not an array"),
        ("null", "null, not an array"),
        ("[1]", "Query 1 .* is a number, not a query"),
        ("[true]", "a truth value"),
        ('["a", ["b"]]', "Query 2 .* an array"),
        ('[{"text": "x"}]', 'without a text under "query"'),
        ('[{"query": 5}]', 'without a text under "query"'),
        ('[{"query": "x", "relevant": "a.md"}]', "not an array of paths"),
        ('[{"query": "x", "relevant": [1]}]', "not an array of paths"),
        ('[{"query": "x", "relevant": ["../a.md"]}]', "no plain path"),
        ('[{"query": "x", "relevant": ["/etc/passwd"]}]', "no plain path"),
        ('[{"query": "x", "relevant": ["a\\\\b"]}]', "no plain path"),
        ('[{"query": "x", "relevant": ["C:/b"]}]', "no plain path"),
        ('[{"query": "x", "relevant": ["a//b"]}]', "no plain path"),
        ('["a', "not JSON: .* line 1"),
        ("", "not JSON"),
        ('["\\ud800"]', "surrogate"),
        (b'["caf\xe9"]', "not UTF-8"),
        ("[" * 10_000, "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "not a file of queries"),
    ],
)
def test_faults_are_named(tmp_path: Path, content: str | bytes, said: str) -> None:
    with pytest.raises(CorpusError, match=f"(?s){said}"):
        read(tmp_path, content)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    place = tmp_path / "queries.json"
    with open(place, "wb") as stream:
        stream.truncate(1 << 30)  # holes take no space
    with pytest.raises(CorpusError, match=f"{MAX_BYTES:,}"):
        read_queries(place)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"Cannot read .*none\.json"):
        read_queries(tmp_path / "none.json")


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    place = tmp_path_factory.getbasetemp() / "any.json"
    place.write_bytes(content)
    try:
        read_queries(place)
    except CorpusError as error:
        assert error.remedy


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ([], "no queries"),
        ([Query(text="a"), Query(text=" \t")], "Query 2 .* is empty"),
        ([Query(text="a"), Query(text="b"), Query(text="a")], "Queries 1 and 3 .* same text"),
        ([Query(text="a", relevant=frozenset({"x", "gone"}))], "'gone'"),
    ],
)
def test_sets_that_cannot_be_used(queries: list[Query], said: str) -> None:
    with pytest.raises(CorpusError, match=said):
        check_queries(queries, ["x"], "somewhere")


def test_trec_topics_and_qrels(tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text(SGML)
    (tmp_path / "qrels.txt").write_text("301 0 a/x.md 1\n301 0 b.md 0\n302 0 c.md 2\n302 0 d.md -1\n")
    assert read_queries(tmp_path / "topics.txt", tmp_path / "qrels.txt") == (
        Query(text="International Organized Crime", relevant=frozenset({"a/x.md"})),
        Query(text="Poliomyelitis & Post-Polio", relevant=frozenset({"c.md"})),
    )
    assert read_topics(XML, "x") == {"1": "how masks work", "2": "second"}
    assert read_topics("7\tseven words\n\n8\teight\n", "x") == {"7": "seven words", "8": "eight"}


def test_qrels_agree_with_another_reader(tmp_path: Path) -> None:
    place = tmp_path / "qrels"
    place.write_text("".join(f"{q} 0 d{q}-{d} {(q * d) % 3}\n" for q in range(5) for d in range(6)))
    theirs: dict[str, set[str]] = {}
    for row in ir_measures.read_trec_qrels(str(place)):
        if row.relevance > 0:
            theirs.setdefault(row.query_id, set()).add(row.doc_id)
    assert read_qrels(place.read_text(), "x") == theirs


@pytest.mark.parametrize("line", ["301 0 doc", "301 0 doc high", "a", "1 2 3 4 5"])
def test_lines_that_are_no_judgements(line: str) -> None:
    with pytest.raises(CorpusError, match="Line 1 of q is no judgement"):
        read_qrels(line, "q")


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ("just words", "neither JSON queries nor TREC topics"),
        ("<top><num>1</top>", "no number or no title"),
        ("<top><title>x</top>", "no number or no title"),
        ("1\ta\n1\tb", "stands twice"),
    ],
)
def test_topics_that_are_none(topics: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said):
        read_topics(topics, "t")


def test_qrels_that_judge_other_queries(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("1\ta\n")
    (tmp_path / "q").write_text("2 0 a 1\n")
    with pytest.raises(CorpusError, match="judges none of the queries"):
        read_queries(tmp_path / "t", tmp_path / "q")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "MED-1", "title": "First", "text": "one"},
        {"_id": "../up", "title": "", "text": "two"},
        {"_id": "plain", "text": "three"},
    ]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(item) + "\n" for item in documents))
    (folder / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "ask one"}\n\n{"_id": "q2", "text": "unjudged"}\n{"_id": "q3", "text": "ask two"}\n'
    )
    (folder / "qrels/test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tMED-1\t2\nq3\t../up\t1\nq3\tplain\t0\n"
    )
    (folder / "qrels/train.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tplain\t1\n")
    return folder


def test_a_beir_folder(beir: Path, tmp_path: Path) -> None:
    tree = beir_tree(beir, cache=tmp_path / "cache")
    assert beir_tree(beir, cache=tmp_path / "cache") == tree
    texts = sorted(place.read_text() for place in tree.rglob("*.txt"))
    assert texts == ["First\n\none\n", "three\n", "two\n"]
    queries = read_queries(beir)
    assert [query.text for query in queries] == ["ask one", "ask two"]
    assert [(tree / path).read_text() for query in queries for path in query.relevant] == [
        "First\n\none\n",
        "two\n",
    ]


def test_beir_faults(beir: Path, tmp_path: Path) -> None:
    (beir / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}\n')
    with pytest.raises(CorpusError, match=r"Line 2 .* repeats"):
        beir_tree(beir, cache=tmp_path / "cache")
    assert not [place for place in (tmp_path / "cache/corpora").iterdir() if place.is_dir()]
    (beir / "corpus.jsonl").write_text('{"_id": 4, "text": "x"}\n')
    with pytest.raises(CorpusError, match=r"Line 1 .* '_id'"):
        beir_tree(beir, cache=tmp_path / "cache")
    (beir / "queries.jsonl").write_text("[1]\n")
    with pytest.raises(CorpusError, match="no JSON object"):
        read_queries(beir)


@given(st.text(max_size=80), st.text(max_size=80))
def test_beir_paths_are_plain_and_do_not_meet(one: str, two: str) -> None:
    for name in (one, two):
        folder, _, file = beir_path(name).partition("/")
        assert len(folder) == 2
        assert file.isascii()
        assert "/" not in file
        assert len(file) <= 100
    assert (beir_path(one).lower() == beir_path(two).lower()) == (one == two)


def test_our_own_queries() -> None:
    for name in ("django", "zod", "zod-npm", "hono"):
        place = packaged_queries(name)
        assert place is not None
        assert len(read_queries(place)) >= 20
    assert packaged_queries("webshop") is None
