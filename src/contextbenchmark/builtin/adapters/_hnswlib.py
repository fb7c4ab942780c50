"""What the two hnswlib adapters share: its index at default parameters, built by some number of threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._vectors import Passages, Vectors, nearest_files, read_files
else:
    from _vectors import Passages, Vectors, nearest_files, read_files

INDEX = "index.hnsw"
ALL_THREADS = -1  # the library's own default


def build_index(corpus_dir: str, out_dir: str, threads: int = ALL_THREADS) -> None:
    """Index the passages in cosine space with the default M 16, ef_construction 200 and seed 100."""
    import hnswlib

    found = Passages(corpus_dir)
    os.makedirs(out_dir, exist_ok=True)
    index = hnswlib.Index(space="cosine", dim=found.dimensions)
    index.init_index(max_elements=len(found))
    index.add_items(found.vectors, num_threads=threads)
    index.save_index(os.path.join(out_dir, INDEX))
    found.write_files(out_dir)


class HnswIndex:
    """A loaded index; ``ef``, the breadth of its search, is 10 as it ships, or the number of passages asked for."""

    def __init__(self, out_dir: str) -> None:
        import hnswlib

        self._files = read_files(out_dir)
        self._vectors = Vectors()
        self._index: Any = None
        self._path = os.path.join(out_dir, INDEX)
        self._library = hnswlib

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []
        if self._index is None:
            self._index = self._library.Index(space="cosine", dim=len(vector))
            self._index.load_index(self._path)
        index = self._index

        def search(count: int) -> list[tuple[str, float]]:
            try:
                rows, distances = index.knn_query(vector, k=count)
            except RuntimeError:
                # It raises when its graph leads to fewer than it was asked for: ask for fewer.
                return search(count // 2) if count > 1 else []
            return [
                (self._files[row], 1 - float(distance))
                for row, distance in zip(rows[0], distances[0], strict=True)
            ]

        return nearest_files(search, len(self._files), k)
