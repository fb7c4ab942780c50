"""``faiss-ivf``: the inverted file index of faiss: passages by cluster, the nearest cluster searched.

Its guide asks for 4 to 16 times the square root of n clusters, and for at least 39 training points a cluster:
4 times, as far as the points reach. Its k-means draws from its own fixed seed; nprobe is 1, as it ships."""

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

name = "faiss-ivf"
summary = "faiss IVF,Flat as it ships: k-means with its own seed, nprobe 1, all threads"
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
    clusters = max(1, min(int(4 * len(found) ** 0.5), len(found) // 39))
    write_index(faiss.index_factory(found.dimensions, f"IVF{clusters},Flat"), found, out_dir)


def open(out_dir: str) -> FaissIndex:
    """Return the index in ``out_dir``, read once for a whole pass."""
    return FaissIndex(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return open(out_dir).query(text, k)
