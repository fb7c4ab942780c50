"""``faiss-flat``: exact search by faiss, the exact one among the vector engines."""

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

name = "faiss-flat"
summary = "faiss IndexFlatL2: every passage compared, no approximation"
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
    write_index(faiss.IndexFlatL2(found.dimensions), found, out_dir)


def open(out_dir: str) -> FaissIndex:
    """Return the index in ``out_dir``, read once for a whole pass."""
    return FaissIndex(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return open(out_dir).query(text, k)
