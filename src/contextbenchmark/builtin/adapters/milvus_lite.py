"""``milvus-lite``: Milvus embedded in the process, as its quick start sets it up: cosine, its own choice of index."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, versions
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, versions

name = "milvus-lite"
summary = "Milvus Lite as its quick start sets it up: cosine, index of its own choice"
requirements = [
    "milvus-lite==3.2.2",
    "pymilvus==3.0.2",
    "faiss-cpu==1.15.1",
    "pyarrow==26.0.1",
    "numpy==2.4.6",
]
vectors = True

COLLECTION = "passages"
DATABASE = "milvus.db"
BATCH = 1000
MOST_RESULTS = 16_384  # its own limit


def available() -> bool | str:
    """Return True, or which package is missing."""
    return installed("milvus-lite", "pymilvus")


def version() -> dict[str, str]:
    """Return the installed versions of engine and client, and whose vectors it was given."""
    return versions("milvus-lite", "pymilvus")


def _client(out_dir: str) -> Any:
    from pymilvus import MilvusClient

    return MilvusClient(os.path.join(out_dir, DATABASE))


def build(corpus_dir: str, out_dir: str) -> None:
    """Insert the passages of ``corpus_dir`` into a collection in ``out_dir``."""
    found = Passages(corpus_dir)
    os.makedirs(out_dir, exist_ok=True)
    client = _client(out_dir)
    client.create_collection(COLLECTION, dimension=found.dimensions)
    for start in range(0, len(found), BATCH):
        rows = range(start, min(start + BATCH, len(found)))
        client.insert(
            COLLECTION,
            [
                {"id": row, "vector": found.vectors[row], "file": found.files[row], "text": found.texts[row]}
                for row in rows
            ],
        )
    client.close()


class Collection:
    """A loaded collection."""

    def __init__(self, out_dir: str) -> None:
        self._client = _client(out_dir)
        self._client.load_collection(COLLECTION)
        self._passages = int(self._client.get_collection_stats(COLLECTION)["row_count"])
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            (hits,) = self._client.search(COLLECTION, data=[vector], limit=count, output_fields=["file"])
            return [(hit["entity"]["file"], float(hit["distance"])) for hit in hits]

        return nearest_files(search, min(self._passages, MOST_RESULTS), k)

    def close(self) -> None:
        self._client.close()


def open(out_dir: str) -> Collection:
    """Return the collection in ``out_dir``, loaded once for a whole pass."""
    return Collection(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the collection in ``out_dir``."""
    return open(out_dir).query(text, k)
