"""``fts5``: the full-text index of the SQLite that this Python carries, as it ships.

One row a file, whole documents, the default tokenizer (``unicode61``), ranked by FTS5's own ``bm25()``;
files of equal rank come in the order in which SQLite gives them. FTS5 reads a query as an expression in
which bare words all have to match, so a question in natural language is passed as its words, each quoted,
joined by ``OR``: a document that holds any of them is ranked. A word that the tokenizer splits
(``parse_args``) is then a phrase.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

    from contextbenchmark.builtin.adapters._documents import documents
else:
    from _documents import documents

name = "fts5"
summary = "SQLite FTS5 as this Python carries it: bm25() ranking, default tokenizer, whole files"
requirements: list[str] = []

DATABASE = "index.db"


def available() -> bool | str:
    """Return True, or why SQLite cannot be used here."""
    try:
        import sqlite3
    except ImportError:
        return "this Python was built without SQLite; use a Python that has the sqlite3 module"
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError as error:
            return f"the SQLite of this Python has no FTS5 ({error}); use a Python whose SQLite has it"
    return True


def version() -> dict[str, str]:
    """Return the version of the SQLite library, with the check-in that it was built from as a note."""
    import sqlite3

    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        source = connection.execute("SELECT sqlite_source_id()").fetchone()[0]
    return {"id": f"sqlite {sqlite3.sqlite_version}", "source": "declared", "note": source}


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the documents of ``corpus_dir`` into ``out_dir/index.db``, in one transaction."""
    import sqlite3

    os.makedirs(out_dir, exist_ok=True)
    with contextlib.closing(sqlite3.connect(os.path.join(out_dir, DATABASE))) as connection, connection:
        connection.execute("CREATE VIRTUAL TABLE documents USING fts5(path UNINDEXED, text)")
        connection.executemany("INSERT INTO documents (path, text) VALUES (?, ?)", documents(corpus_dir))


class Index:
    """An open database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files for ``text``; the score is minus ``bm25()``, so that more is better."""
        expression = match_expression(text)
        if not expression:
            return []
        rows = self._connection.execute(
            "SELECT path, -rank FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?", (expression, k)
        )
        return [{"file": path, "score": score} for path, score in rows]

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, open for a whole pass."""
    import sqlite3

    return Index(sqlite3.connect(os.path.join(out_dir, DATABASE)))


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    with contextlib.closing(open(out_dir)) as index:
        return index.query(text, k)


def match_expression(text: str) -> str:
    """Return ``text`` as an FTS5 expression: its words between white space, quoted, joined by ``OR``.

    A NUL would end the expression early and is read as white space.
    """
    words = text.replace("\0", " ").split()
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
