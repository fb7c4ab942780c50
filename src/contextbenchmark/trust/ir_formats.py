"""Read test collections in the forms of information retrieval: TREC topics and qrels, BEIR folders."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from contextbenchmark.core.digest import shown
from contextbenchmark.core.folders import cache_folder, locked, scratch_beside
from contextbenchmark.core.record import CACHE, make_folder, storage_error
from contextbenchmark.errors import CorpusError

BEIR_CORPUS, BEIR_QUERIES, BEIR_QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
# One JSON line of a collection; longer ones are no documents that anyone retrieves.
MAX_LINE = 64 << 20

_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(?:number|num|id)\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?\s*(.*?)\s*(?=<|\Z)", re.DOTALL | re.IGNORECASE)


def is_beir(folder: Path) -> bool:
    """Say whether ``folder`` is laid out as BEIR's data sets are: corpus, queries, judgements."""
    return (folder / BEIR_CORPUS).is_file() and (folder / BEIR_QUERIES).is_file()


def read_topics(text: str, where: str) -> dict[str, str]:
    """Return number -> title, from TREC's SGML-like or XML topics, or from lines ``number<TAB>text``."""
    topics: dict[str, str] = {}
    found = [*_TOPIC.finditer(text)]
    if not found:
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            topic, tab, title = line.partition("\t")
            if not tab:
                raise CorpusError(
                    f"{where} holds neither JSON queries nor TREC topics (line {number} has no tab).",
                    "Give a JSON array of queries, TREC topics, or lines of number, tab, text.",
                )
            _add(topics, topic.strip(), title.strip(), where)
        return topics
    for match in found:
        named = _NUMBER.search(match[2]) or _ATTRIBUTE.search(match[1])
        title_found = _TITLE.search(match[2])
        if named is None or title_found is None:
            raise CorpusError(
                f"Topic {len(topics) + 1} in {where} has no number or no title.",
                "Give each <num> and <title>.",
            )
        _add(topics, named[1].strip(), html.unescape(" ".join(title_found[1].split())), where)
    return topics


def _add(topics: dict[str, str], number: str, title: str, where: str) -> None:
    if number in topics:
        raise CorpusError(f"Topic {number} stands twice in {where}.", "Remove one of them.")
    topics[number] = title


def read_qrels(text: str, where: str) -> dict[str, frozenset[str]]:
    """Return topic number -> identifiers of the documents judged above 0.

    TREC's four columns (topic, iteration, document, judgement) or BEIR's three with a heading (query-id,
    corpus-id, score).
    """
    relevant: dict[str, set[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        columns = line.split("\t") if line.count("\t") >= 2 else line.split()
        if not columns or (number == 1 and columns[0].strip().lower() in ("query-id", "query_id", "qid")):
            continue
        if len(columns) not in (3, 4) or not re.fullmatch(r"\s*-?\d+(\.0+)?\s*", columns[-1]):
            raise CorpusError(
                f"Line {number} of {where} is no judgement.",
                "Write: topic, iteration, document, judgement; or with tabs: query-id, corpus-id, score.",
            )
        if float(columns[-1]) > 0:
            relevant.setdefault(columns[0].strip(), set()).add(columns[-2].strip())
    return {topic: frozenset(found) for topic, found in relevant.items()}


def beir_qrels(folder: Path) -> tuple[Path, ...]:
    """Return the judgement files of a BEIR folder that count: the test split where there is one, else all."""
    test = folder / BEIR_QRELS / "test.tsv"
    return (test,) if test.is_file() else tuple(sorted((folder / BEIR_QRELS).glob("*.tsv")))


def read_beir_queries(folder: Path) -> dict[str, str]:
    """Return query id -> text."""
    queries: dict[str, str] = {}
    path = folder / BEIR_QUERIES
    for number, item in json_lines(path):
        _add(queries, _text(item, "_id", number, path), _text(item, "text", number, path), shown(path))
    return queries


def beir_tree(folder: Path, *, cache: Path | None = None) -> Path:
    """Return a tree of documents made from a BEIR folder's corpus: one text file each, title first.

    It is made once for each content of ``corpus.jsonl`` and kept in the cache. See :func:`beir_path`.
    """
    source = folder / BEIR_CORPUS
    try:
        with open(source, "rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise CorpusError(f"Cannot read {shown(source)}: {error.strerror}.", "Make it readable.") from error
    place = (cache or cache_folder()) / "corpora" / f"beir-{content[:32]}"
    make_folder(place.parent, CACHE)
    with locked(place.parent / f".{place.name}.lock"):
        if not place.is_dir():
            with scratch_beside(place) as scratch:
                try:
                    _write_documents(source, scratch)
                    scratch.rename(place)
                except OSError as error:
                    raise storage_error(error, error.filename or place, CACHE) from error
    return place


def _write_documents(source: Path, tree: Path) -> None:
    for number, item in json_lines(source):
        title = item.get("title") or ""
        text = _text(item, "text", number, source)
        body = f"{title}\n\n{text}\n" if isinstance(title, str) and title else f"{text}\n"
        place = tree / beir_path(_text(item, "_id", number, source))
        place.parent.mkdir(exist_ok=True)
        try:
            with open(place, "xb") as stream:
                stream.write(body.encode("utf-8", "replace"))
        except FileExistsError as error:
            raise CorpusError(
                f"Line {number} of {shown(source)} repeats the _id of another.", "Remove one of them."
            ) from error


def beir_path(identifier: str) -> str:
    """Return the path of a BEIR document: a folder of 256 by hash, then its id, made a file name.

    Ids that are no plain lower-case file names get a part of their hash added, so that two never meet, not
    even on a file system that ignores case.
    """
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()
    plain = re.sub(r"[^a-z0-9_-]", "_", identifier)[:60]
    name = plain if plain == identifier and plain else f"{plain or 'document'}-{digest[:16]}"
    return f"{digest[:2]}/d{name}.txt"


def json_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line number and object of a file of JSON objects, one a line; blank lines are left out."""
    try:
        with open(path, "rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise CorpusError(f"Line {number} of {shown(path)} is too long.", "Split it.")
                if not line.strip():
                    continue
                try:
                    item = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise CorpusError(
                        f"Line {number} of {shown(path)} is not JSON: {error}.", "Correct it."
                    ) from error
                if not isinstance(item, dict):
                    raise CorpusError(f"Line {number} of {shown(path)} is no JSON object.", "Correct it.")
                yield number, item
    except OSError as error:
        raise CorpusError(
            f"Cannot read {shown(path)}: {error.strerror or os.strerror(error.errno or 0)}.",
            "Make it readable.",
        ) from error


def _text(item: Mapping[str, Any], key: str, number: int, path: Path) -> str:
    value = item.get(key)
    if not isinstance(value, str):
        raise CorpusError(f"Line {number} of {shown(path)} has no text under {key!r}.", "Correct it.")
    return value
