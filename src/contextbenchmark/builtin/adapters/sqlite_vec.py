"""``sqlite-vec``: the vector extension of SQLite, exact search in a ``vec0`` table, default (L2) distance.

The extension is loaded through apsw, as its documentation shows beside the standard library's module: some
builds of Python cannot load extensions, and apsw brings the same SQLite everywhere.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, versions
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, versions

name = "sqlite-vec"
summary = "sqlite-vec as it ships: a vec0 table in SQLite, every passage compared"
requirements = ["sqlite-vec==0.1.9", "apsw==3.54.1.0", "numpy==2.4.6"]
vectors = True

DATABASE = "index.db"
MOST_NEIGHBOURS = 4096  # the extension's own limit on k


def available() -> bool | str:
    """Return True, or which package is missing."""
    return installed("sqlite-vec", "apsw")


def version() -> dict[str, str]:
    """Return the installed versions of the extension and of SQLite (apsw's begins with it), and whose vectors."""
    return versions("sqlite-vec", "apsw")


def _connect(out_dir: str) -> Any:
    import apsw
    import sqlite_vec as extension

    connection = apsw.Connection(os.path.join(out_dir, DATABASE))
    connection.enable_load_extension(True)
    connection.load_extension(extension.loadable_path())
    connection.enable_load_extension(False)
    return connection


def build(corpus_dir: str, out_dir: str) -> None:
    """Write the passages of ``corpus_dir`` into a database in ``out_dir``, in one transaction."""
    found = Passages(corpus_dir)
    os.makedirs(out_dir, exist_ok=True)
    connection = _connect(out_dir)
    connection.execute(
        "CREATE TABLE passages (id INTEGER PRIMARY KEY, file TEXT NOT NULL, body TEXT NOT NULL)"
    )
    connection.execute(f"CREATE VIRTUAL TABLE embeddings USING vec0(embedding float[{found.dimensions}])")
    with connection:
        connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?)",
            (
                (row, file, text)
                for row, (file, text) in enumerate(zip(found.files, found.texts, strict=True))
            ),
        )
        connection.executemany(
            "INSERT INTO embeddings (rowid, embedding) VALUES (?, ?)",
            ((row, vector.tobytes()) for row, vector in enumerate(found.vectors)),
        )
    connection.close()


class Index:
    """An open database."""

    def __init__(self, out_dir: str) -> None:
        self._connection = _connect(out_dir)
        ((self._passages,),) = self._connection.execute("SELECT count(*) FROM passages")
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            rows = self._connection.execute(
                "SELECT file, distance FROM (SELECT rowid, distance FROM embeddings WHERE embedding MATCH ? AND k = ?)"
                " AS nearest JOIN passages ON passages.id = nearest.rowid ORDER BY distance",
                (vector.tobytes(), count),
            )
            return [(file, -distance) for file, distance in rows]

        return nearest_files(search, min(self._passages, MOST_NEIGHBOURS), k)

    def close(self) -> None:
        self._connection.close()


def open(out_dir: str) -> Index:
    """Return the database in ``out_dir``, open for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the database in ``out_dir``."""
    return open(out_dir).query(text, k)
