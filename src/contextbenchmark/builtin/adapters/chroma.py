"""``chroma``: a persistent Chroma collection as it ships (HNSW, default distance), vectors given by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, versions
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, versions

name = "chroma"
summary = "Chroma as it ships: a persistent collection, HNSW, passages with their text and file"
requirements = ["chromadb==1.5.9", "numpy==2.4.6"]
vectors = True
deviations = ["telemetry is off (anonymized_telemetry=False)"]

COLLECTION = "passages"


def available() -> bool | str:
    """Return True, or that chromadb is missing."""
    return installed("chromadb")


def version() -> dict[str, str]:
    """Return the installed version of chromadb, and whose vectors it was given."""
    return versions("chromadb")


def _client(out_dir: str) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(path=out_dir, settings=Settings(anonymized_telemetry=False))


def build(corpus_dir: str, out_dir: str) -> None:
    """Add the passages of ``corpus_dir`` to a collection in ``out_dir``, in batches as large as it takes."""
    found = Passages(corpus_dir)
    client = _client(out_dir)
    collection = client.create_collection(COLLECTION, embedding_function=None)
    batch = client.get_max_batch_size()
    for start in range(0, len(found), batch):
        rows = range(start, min(start + batch, len(found)))
        collection.add(
            ids=[str(row) for row in rows],
            embeddings=found.vectors[rows.start : rows.stop],
            documents=[found.texts[row] for row in rows],
            metadatas=[{"file": found.files[row]} for row in rows],
        )


class Collection:
    """An open collection."""

    def __init__(self, out_dir: str) -> None:
        self._collection = _client(out_dir).get_collection(COLLECTION, embedding_function=None)
        self._passages = self._collection.count()
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            found = self._collection.query(
                query_embeddings=[vector], n_results=count, include=["metadatas", "distances"]
            )
            return [
                (metadata["file"], -float(distance))
                for metadata, distance in zip(found["metadatas"][0], found["distances"][0], strict=True)
            ]

        return nearest_files(search, self._passages, k)


def open(out_dir: str) -> Collection:
    """Return the collection in ``out_dir``, open for a whole pass."""
    return Collection(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the collection in ``out_dir``."""
    return open(out_dir).query(text, k)
