"""``qdrant``: the local mode of Qdrant's client, which searches exactly in Python and keeps points in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, versions
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, versions

name = "qdrant"
summary = "Qdrant's local mode: exact cosine search in the client, points in SQLite"
requirements = ["qdrant-client==1.20.0", "numpy==2.4.6"]
vectors = True

COLLECTION = "passages"


def available() -> bool | str:
    """Return True, or that qdrant-client is missing."""
    return installed("qdrant-client")


def version() -> dict[str, str]:
    """Return the installed version of the client, and whose vectors it was given."""
    return versions("qdrant-client")


def build(corpus_dir: str, out_dir: str) -> None:
    """Upload the passages of ``corpus_dir`` to a collection in ``out_dir``."""
    from qdrant_client import QdrantClient, models

    found = Passages(corpus_dir)
    client = QdrantClient(path=out_dir)
    client.create_collection(
        COLLECTION, vectors_config=models.VectorParams(size=found.dimensions, distance=models.Distance.COSINE)
    )
    client.upload_collection(
        COLLECTION,
        vectors=found.vectors,
        payload=[{"file": file, "text": text} for file, text in zip(found.files, found.texts, strict=True)],
        ids=range(len(found)),
    )
    client.close()


class Collection:
    """An open collection."""

    def __init__(self, out_dir: str) -> None:
        from qdrant_client import QdrantClient

        self._client = QdrantClient(path=out_dir)
        self._passages = self._client.count(COLLECTION).count
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            found = self._client.query_points(COLLECTION, query=vector, limit=count, with_payload=["file"])
            return [(point.payload["file"], float(point.score)) for point in found.points]

        return nearest_files(search, self._passages, k)

    def close(self) -> None:
        self._client.close()


def open(out_dir: str) -> Collection:
    """Return the collection in ``out_dir``, open for a whole pass."""
    return Collection(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the collection in ``out_dir``."""
    return open(out_dir).query(text, k)
