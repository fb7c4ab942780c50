"""Read queries, and what is relevant to them, from the forms in which people keep them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextbenchmark.core.digest import shown
from contextbenchmark.core.folders import PACKAGE_FOLDER
from contextbenchmark.core.reading import read_regular
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.ir_formats import (
    beir_path,
    beir_qrels,
    read_beir_queries,
    read_qrels,
    read_topics,
)

QUERIES_FILE = "queries.json"
# Far above any real set of queries, far below what would fill the memory.
MAX_BYTES = 64 << 20


@dataclass(frozen=True, kw_only=True)
class Query:
    """A query's text, and the paths of the documents known to answer it (empty: not known)."""

    text: str
    relevant: frozenset[str] = frozenset()


def read_queries(source: Path, qrels: Path | None = None) -> tuple[Query, ...]:
    """Read queries from a JSON file, TREC topics (title; ``qrels`` says what is relevant), or a BEIR folder.

    A JSON file is one whose name ends in ``.json`` or whose first character opens an array or object. Of a
    BEIR folder, the queries that its judgements (or ``qrels``) cover, or all where there are none. Documents
    are named by their paths in the corpus; those of a BEIR folder that is the corpus itself by
    :func:`~contextbenchmark.trust.ir_formats.beir_path`. Raises :class:`CorpusError`.
    """
    if source.is_dir():
        texts = read_beir_queries(source)
        judgements = (qrels,) if qrels is not None else beir_qrels(source)
        return _joined(texts, judgements, only_judged=bool(judgements), name=beir_path)
    text = _read_text(source)
    if source.suffix == ".json" or text.lstrip()[:1] in ("[", "{"):
        if qrels is not None:
            raise CorpusError(
                f"{shown(source)} says itself what is relevant, so --qrels has no use.", "Leave --qrels out."
            )
        return read_json_queries(source)
    return _joined(read_topics(text, shown(source)), (qrels,) if qrels else (), only_judged=False)


def _joined(
    texts: Mapping[str, str],
    qrels: Sequence[Path],
    *,
    only_judged: bool,
    name: Callable[[str], str] = lambda path: path,
) -> tuple[Query, ...]:
    judged: dict[str, frozenset[str]] = {}
    for path in qrels:
        for topic, found in read_qrels(_read_text(path), shown(path)).items():
            judged[topic] = judged.get(topic, frozenset()) | {name(document) for document in found}
    if qrels and not judged.keys() & texts.keys():
        raise CorpusError(
            f"{shown(qrels[0])} judges none of the queries.",
            "Give the judgements that belong to these queries.",
        )
    return tuple(
        Query(text=text, relevant=judged.get(topic, frozenset()))
        for topic, text in texts.items()
        if topic in judged or not only_judged
    )


def read_json_queries(path: Path) -> tuple[Query, ...]:
    """Read a JSON array of strings or of ``{"query": str, "relevant": [path, ...]}``."""
    value = _json(_read_text(path), path)
    if not isinstance(value, list):
        raise CorpusError(
            f"{shown(path)} holds {_kind(value)}, not an array of queries.",
            'Write ["a query", {"query": "another", "relevant": ["path"]}].',
        )
    return tuple(_query(item, number, path) for number, item in enumerate(value, 1))


def packaged_queries(name: str) -> Path | None:
    """Return our own queries for the pinned corpus ``name``, or None where we have none."""
    path = PACKAGE_FOLDER / "queries" / f"{name}.json"
    return path if path.is_file() else None


def check_queries(queries: Sequence[Query], documents: Iterable[str], where: str) -> tuple[Query, ...]:
    """Return ``queries``, or say which is blank, stands twice, or names a file that is not there."""
    if not queries:
        raise CorpusError(
            f"There are no queries in {where}.",
            "Give --queries FILE, or propose some with: contextbenchmark queries init DIR.",
        )
    present = frozenset(documents)
    seen: dict[str, int] = {}
    for number, query in enumerate(queries, 1):
        if not query.text.strip():
            raise CorpusError(f"Query {number} in {where} is empty.", "Write its text or remove it.")
        if query.text in seen:
            raise CorpusError(
                f"Queries {seen[query.text]} and {number} in {where} have the same text: {query.text!r}.",
                "Remove one of them.",
            )
        seen[query.text] = number
        for missing in sorted(query.relevant - present):
            raise CorpusError(
                f"Query {number} in {where} names {missing!r} as relevant, no document of the corpus.",
                "Correct the path (relative to the corpus, / between parts) or remove it.",
            )
    return tuple(queries)


def _query(item: Any, number: int, path: Path) -> Query:
    where = f"Query {number} in {shown(path)}"
    if isinstance(item, str):
        return Query(text=_text(item, where))
    if not isinstance(item, dict) or not isinstance(item.get("query"), str):
        raise CorpusError(
            f'{where} is {_kind(item)} without a text under "query".'
            if isinstance(item, dict)
            else f"{where} is {_kind(item)}, not a query.",
            'Write it as "text" or {"query": "text", "relevant": ["path"]}.',
        )
    relevant = item.get("relevant", [])
    if not isinstance(relevant, list) or not all(isinstance(entry, str) for entry in relevant):
        raise CorpusError(f'{where}: "relevant" is not an array of paths.', 'Write it as ["path", ...].')
    return Query(
        text=_text(item["query"], where), relevant=frozenset(_path(entry, where) for entry in relevant)
    )


def _text(text: str, where: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(f"{where} holds half of a surrogate pair.", "Write it as valid Unicode.") from error
    return text


def _path(path: str, where: str) -> str:
    parts = path.split("/")
    if (
        path.startswith("/")
        or "\\" in path
        or ":" in parts[0]
        or any(part in ("", ".", "..") for part in parts)
    ):
        raise CorpusError(
            f"{where} names {path!r} as relevant, which is no plain path inside the corpus.",
            "Write it relative to the corpus, with / between parts and without . or .. parts.",
        )
    return path


def _read_text(path: Path) -> str:
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise CorpusError(
            f"Cannot read {shown(path)}: {error.strerror or error}.",
            "Name a file of queries that can be read.",
        ) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{shown(path)} is not UTF-8 (byte {error.start + 1}).", "Save it as UTF-8."
        ) from error


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"{shown(path)} is not JSON: {error.msg}, line {error.lineno} column {error.colno}.",
            "Correct it, or write it again.",
        ) from error
    except RecursionError as error:
        raise CorpusError(f"{shown(path)} is nested too deeply.", "Name a file of queries.") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise CorpusError(
            f"{shown(path)} is not a file of queries: {error}.", "Name a file of queries."
        ) from error


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a truth value", dict: "an object", list: "an array", str: "a text"}
    return names.get(type(value), "a number")
