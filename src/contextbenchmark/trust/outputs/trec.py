"""The first pass of each system as a TREC run, the known relevant files as qrels, and what the identifiers mean.

A run line is ``query Q0 document rank score tag``. Tools order a run by its score and break ties by name, so the
score is the number of files from this rank to the end: the order that they see is the order that was returned.
Identifiers hold no white space: queries are ``q0001``, ... in the order of the corpus; documents are their paths,
with white space, control characters and ``%`` written as the ``%XX`` of their UTF-8 bytes. ``queries.tsv`` and
``documents.tsv`` (only the paths that were changed) lead back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from contextbenchmark.core.names import printable, safe_name
from contextbenchmark.trust.corpus import Query
from contextbenchmark.trust.observation import Observations
from contextbenchmark.trust.record import Report


def query_id(number: int) -> str:
    """Return the identifier of the query at ``number``, from 0."""
    return f"q{number + 1:04d}"


def document_id(path: str) -> str:
    """Return ``path`` without white space; different paths have different identifiers."""
    return "".join(_percent(character) if _to_hide(character) else character for character in path)


def _to_hide(character: str) -> bool:
    return character == "%" or character.isspace() or unicodedata.category(character) in ("Cc", "Cs")


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def first_lists(observations: Observations, system: str) -> tuple[tuple[str, ...], ...]:
    """Return the ranked paths of the first base pass of ``system``, a list a query; nothing where there is none."""
    for row in observations.passes(system):
        if row.failure is None and row.copy_kind != "artifact-file":
            return tuple(observations.lists[hashed] for hashed in row.lists)
    return ()


def run_file(lists: Sequence[Sequence[str]], system: str) -> str:
    """Return a TREC run; queries without an answer have no line."""
    tag = safe_name(system)
    return "".join(
        f"{query_id(number)} Q0 {document_id(path)} {rank} {len(files) - rank + 1} {tag}\n"
        for number, files in enumerate(lists)
        for rank, path in enumerate(files, 1)
    )


def qrels_file(queries: Sequence[Query]) -> str:
    """Return the relevant files of each query, each with judgement 1, by path."""
    return "".join(
        f"{query_id(number)} 0 {document_id(path)} 1\n"
        for number, query in enumerate(queries)
        for path in sorted(query.relevant)
    )


def trec_files(report: Report, observations: Observations, queries: Sequence[Query]) -> dict[str, str]:
    """Return file name -> content: a run for each system that was measured, and what goes with them."""
    files: dict[str, str] = {}
    named: set[str] = {path for query in queries for path in query.relevant}
    for system in report.systems:
        lists = first_lists(observations, system.name)
        if lists and system.status in ("ok", "vacuous"):
            files[f"{safe_name(system.name)}.run"] = run_file(lists, system.name)
            named.update(path for ranked in lists for path in ranked)
    if any(query.relevant for query in queries):
        files[f"{safe_name(report.corpus.name)}.qrels"] = qrels_file(queries)
    files["queries.tsv"] = "".join(
        f"{query_id(number)}\t{printable(query.text)}\n" for number, query in enumerate(queries)
    )
    changed = sorted(path for path in named if document_id(path) != path)
    files["documents.tsv"] = "".join(f"{document_id(path)}\t{printable(path)}\n" for path in changed)
    return files
