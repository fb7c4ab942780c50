"""``faiss-hnsw``: the graph index of faiss with its default parameters.

M is 32 as in all of its documentation (it has no default); the rest is as it ships. The graph is built by as
many threads as there are processors. Up to 1.15.0 which links a node gets depends on which nodes the other threads
have added by then; since 1.15.1 the result is the same whatever the threads do (both measured: ask for
``faiss-hnsw@1.15.0`` beside it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed
    from contextbenchmark.builtin.adapters._faiss import FaissIndex, write_index
    from contextbenchmark.builtin.adapters._vectors import Passages, versions
else:
    from _distribution import installed
    from _faiss import FaissIndex, write_index
    from _vectors import Passages, versions

name = "faiss-hnsw"
summary = "faiss IndexHNSWFlat as it ships: M 32, efConstruction 40, efSearch 16, all threads"
requirements = ["faiss-cpu==1.15.1", "numpy==2.4.6"]
vectors = True


def available() -> bool | str:
    """Return True, or that faiss is missing."""
    return installed("faiss-cpu")


def version() -> dict[str, str]:
    """Return the installed version of faiss, and whose vectors it was given."""
    return versions("faiss-cpu")


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the passages of ``corpus_dir`` into ``out_dir``."""
    import faiss

    found = Passages(corpus_dir)
    write_index(faiss.IndexHNSWFlat(found.dimensions, 32), found, out_dir)


def open(out_dir: str) -> FaissIndex:
    """Return the index in ``out_dir``, read once for a whole pass."""
    return FaissIndex(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return open(out_dir).query(text, k)
