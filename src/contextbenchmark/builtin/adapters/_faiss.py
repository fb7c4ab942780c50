"""What the three faiss adapters share: write and read an index, and ask it for files.

Vectors have length 1, so squared Euclidean distance, faiss's default, ranks as cosine does. The score is
that distance, negated. As it ships: OpenMP with as many threads as there are processors.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, read_files
else:
    from _vectors import Passages, Vectors, nearest_files, read_files

INDEX = "index.faiss"


def write_index(index: Any, found: Passages, out_dir: str) -> None:
    """Add all vectors in one call and write the index to ``out_dir``; one that needs training is trained first."""
    import faiss

    os.makedirs(out_dir, exist_ok=True)
    if not index.is_trained:
        index.train(found.vectors)
    index.add(found.vectors)
    faiss.write_index(index, os.path.join(out_dir, INDEX))
    found.write_files(out_dir)


class FaissIndex:
    """An index read from disk, with its search parameters as they ship."""

    def __init__(self, out_dir: str) -> None:
        import faiss

        self._index = faiss.read_index(os.path.join(out_dir, INDEX))
        self._files = read_files(out_dir)
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            distances, rows = self._index.search(vector.reshape(1, -1), count)
            # Row -1 stands for "no more": an approximate index may find fewer than it was asked for.
            return [
                (self._files[row], -float(distance))
                for distance, row in zip(distances[0], rows[0], strict=True)
                if row >= 0
            ]

        return nearest_files(search, len(self._files), k)
