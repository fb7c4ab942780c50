"""``usearch``: the graph index of unum, cosine, everything else as it ships (its own number type and threads)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._vectors import (
        Passages,
        Vectors,
        nearest_files,
        read_files,
        versions,
    )
else:
    from _distribution import installed
    from _vectors import Passages, Vectors, nearest_files, read_files, versions

name = "usearch"
summary = "USearch as it ships: HNSW, cosine, number type of its choice, all threads"
requirements = ["usearch==2.26.6", "numkong==7.8.6", "numpy==2.4.6"]
vectors = True

INDEX = "index.usearch"


def available() -> bool | str:
    """Return True, or that usearch is missing."""
    return installed("usearch")


def version() -> dict[str, str]:
    """Return the installed version of usearch and of its kernels, and whose vectors it was given."""
    return versions("usearch", "numkong")


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the passages of ``corpus_dir`` into ``out_dir``."""
    import numpy as np
    import usearch.index as engine

    found = Passages(corpus_dir)
    os.makedirs(out_dir, exist_ok=True)
    index = engine.Index(ndim=found.dimensions, metric="cos")
    index.add(np.arange(len(found)), found.vectors)
    index.save(os.path.join(out_dir, INDEX))
    found.write_files(out_dir)


class Index:
    """An index loaded into memory."""

    def __init__(self, out_dir: str) -> None:
        import usearch.index as engine

        self._index = engine.Index.restore(os.path.join(out_dir, INDEX))
        self._files = read_files(out_dir)
        self._vectors = Vectors()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files with the nearest passages; nothing for text that has no direction."""
        vector = self._vectors.of(text)
        if vector is None:
            return []

        def search(count: int) -> list[tuple[str, float]]:
            matches = self._index.search(vector, count)
            return [
                (self._files[int(key)], 1 - float(distance))
                for key, distance in zip(matches.keys, matches.distances, strict=True)
            ]

        return nearest_files(search, len(self._files), k)


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return open(out_dir).query(text, k)
