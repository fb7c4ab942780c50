"""``hnswlib``: the graph index that many vector databases are built on, as it ships, built by all threads.

The seed decides the layer of each node; which links it gets depends on the nodes that other threads have added
by then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._hnswlib import HnswIndex, build_index
    from contextbenchmark.builtin.adapters._vectors import versions
else:
    from _distribution import installed
    from _hnswlib import HnswIndex, build_index
    from _vectors import versions

name = "hnswlib"
summary = "hnswlib as it ships: M 16, ef_construction 200, seed 100, built by all threads"
requirements = ["hnswlib==0.8.0", "numpy==2.4.6"]
vectors = True


def available() -> bool | str:
    """Return True, or that hnswlib is missing."""
    return installed("hnswlib")


def version() -> dict[str, str]:
    """Return the installed version of hnswlib, and whose vectors it was given."""
    return versions("hnswlib")


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the passages of ``corpus_dir`` into ``out_dir``."""
    build_index(corpus_dir, out_dir)


def open(out_dir: str) -> HnswIndex:
    """Return the index in ``out_dir``, loaded once for a whole pass."""
    return HnswIndex(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return open(out_dir).query(text, k)
