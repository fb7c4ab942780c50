"""``lancedb``: a Lance table as it ships, without an index (its default), every passage compared, L2 distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, versions
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, versions

name = "lancedb"
summary = "LanceDB as it ships: a table without an index, every passage compared"
requirements = ["lancedb==0.40.0", "pyarrow==26.0.1", "numpy==2.4.6"]
vectors = True

TABLE = "passages"


def available() -> bool | str:
    """Return True, or that lancedb is missing."""
    return installed("lancedb")


def version() -> dict[str, str]:
    """Return the installed version of lancedb, and whose vectors it was given."""
    return versions("lancedb")


def build(corpus_dir: str, out_dir: str) -> None:
    """Write the passages of ``corpus_dir`` into a table in ``out_dir``."""
    import lancedb as engine

    found = Passages(corpus_dir)
    engine.connect(out_dir).create_table(
        TABLE,
        data=[
            {"vector": vector, "file": file, "text": text}
            for vector, file, text in zip(found.vectors, found.files, found.texts, strict=True)
        ],
    )


class Table:
    """An open table."""

    def __init__(self, out_dir: str) -> None:
        import lancedb as engine

        self._table = engine.connect(out_dir).open_table(TABLE)
        self._passages = self._table.count_rows()
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            rows = self._table.search(vector).select(["file", "_distance"]).limit(count).to_list()
            return [(row["file"], -float(row["_distance"])) for row in rows]

        return nearest_files(search, self._passages, k)


def open(out_dir: str) -> Table:
    """Return the table in ``out_dir``, open for a whole pass."""
    return Table(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the table in ``out_dir``."""
    return open(out_dir).query(text, k)
