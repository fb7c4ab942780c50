"""Propose queries for a tree from its own words: headings, first lines of documentation, exported names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from contextbenchmark.core.canonical import compact_json
from contextbenchmark.core.digest import list_files, shown
from contextbenchmark.core.record import storage_error
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.queries import QUERIES_FILE, Query

# Larger files are data or generated; what a person would ask for is not in their first lines.
READ_BYTES = 200_000
SHORTEST, LONGEST = 2, 14
CODE = (".py", ".ts", ".tsx", ".js", ".mjs")

_HEADING = re.compile(r"^#{1,4}[ \t]+(?P<text>.+?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
# The first paragraph of a docstring or of a documentation comment.
_PYTHON_DOC = re.compile(
    r'^[ \t]*[rR]?(?P<quotes>"{3}|\'{3})\s*(?P<text>\S.{0,400}?)\s*(?:(?P=quotes)|\n[ \t]*\n)',
    re.MULTILINE | re.DOTALL,
)
_BLOCK_DOC = re.compile(r"/\*\*[\s*]*(?P<text>[^\s*@/].{0,400}?)\s*(?:\*/|\n\s*\*\s*(?:\n|@))", re.DOTALL)
_PYTHON_NAME = re.compile(r"^(?:async def|def|class) (?P<text>[A-Za-z][A-Za-z0-9_]{5,})", re.MULTILINE)
_SCRIPT_NAME = re.compile(
    r"^export (?:default )?(?:abstract )?(?:async )?(?:function|class|interface|const)\*? (?P<text>[A-Za-z]\w{5,})",
    re.MULTILINE,
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def propose_queries(root: Path, *, count: int = 30, seed: int = 0) -> tuple[Query, ...]:
    """Return up to ``count`` queries for the tree at ``root``, each with the file that it was taken from.

    From each file, in an order drawn from ``seed``, the first line of documentation, a heading, or an exported
    name split into words, whichever comes first that no other file has too and that has 2 to 14 words; then a
    second round, and so on. They are a beginning for a person to edit: made from a file's own words, they are
    easier than what people ask. Raises :class:`CorpusError` for a tree that offers nothing.
    """
    if count < 1:
        raise CorpusError(f"{count} queries cannot be proposed.", "Ask for one or more.")
    offers: dict[str, list[str]] = {}
    files_of: dict[str, set[str]] = {}
    for path in list_files(root):
        texts = list(dict.fromkeys(_offers(path, _read(root / path))))
        if texts and path != QUERIES_FILE:
            offers[path] = texts
            for text in texts:
                files_of.setdefault(text.lower(), set()).add(path)
    order = sorted(offers, key=lambda path: hashlib.sha256(f"{seed}\0{path}".encode()).digest())
    queues = {path: [text for text in offers[path] if len(files_of[text.lower()]) == 1] for path in order}
    chosen: list[Query] = []
    while len(chosen) < count and any(queues.values()):
        for path in order:
            if queues[path] and len(chosen) < count:
                chosen.append(Query(text=queues[path].pop(0), relevant=frozenset({path})))
    if not chosen:
        raise CorpusError(
            f"{shown(root)} has no headings, documentation or exported names to make queries from.",
            f"Write a {QUERIES_FILE} yourself.",
        )
    return tuple(chosen)


def write_proposal(queries: Sequence[Query], path: Path) -> None:
    """Write queries as a new ``queries.json``, one a line; a file that is there already is never replaced."""
    lines = [compact_json({"query": query.text, "relevant": sorted(query.relevant)}) for query in queries]
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as stream:
            stream.write("[\n " + ",\n ".join(lines) + "\n]\n")
    except FileExistsError as error:
        raise CorpusError(
            f"{shown(path)} is there already and is left as it is.",
            "Name another file with --out, or move it.",
        ) from error
    except OSError as error:
        raise storage_error(error, path) from error


def _read(place: Path) -> str:
    if place.suffix not in (*CODE, ".md", ".txt"):
        return ""
    try:
        with open(place, "rb") as stream:
            data = stream.read(READ_BYTES)
    except OSError as error:
        raise CorpusError(f"Cannot read {shown(place)}: {error.strerror}.", "Make it readable.") from error
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _offers(path: str, text: str) -> Iterator[str]:
    suffix = Path(path).suffix
    if suffix == ".py":
        yield from _found(_PYTHON_DOC, text, _sentence)
        yield from _found(_PYTHON_NAME, text, _words)
    elif suffix in CODE:
        yield from _found(_BLOCK_DOC, text, _sentence)
        yield from _found(_SCRIPT_NAME, text, _words)
    else:
        yield from _found(_HEADING, _FENCE.sub("", text), _sentence)


def _found(pattern: re.Pattern[str], text: str, shape: Callable[[str], str]) -> Iterator[str]:
    for match in pattern.finditer(text):
        offer = shape(match["text"])
        if SHORTEST <= len(offer.split()) <= LONGEST and offer.isprintable():
            yield offer


def _sentence(text: str) -> str:
    """The first sentence, without Markdown's and reST's marks."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    plain = re.sub(r"\n[ \t]*\*[ \t]?", "\n", plain)
    plain = re.sub(r"[`*]{1,3}|:\w+:", " ", plain)
    first = re.split(r"(?<=[a-z0-9)])[.:;](?:\s|$)", plain, maxsplit=1)[0]
    return " ".join(first.split()).rstrip(".")


def _words(name: str) -> str:
    return " ".join(
        part if part.isupper() and len(part) > 1 else part.lower() for part in _PARTS.findall(name)
    )
