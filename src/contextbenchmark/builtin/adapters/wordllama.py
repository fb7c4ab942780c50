"""``wordllama``: static token embeddings, averaged, as they ship, with exhaustive search over passages.

The default model (``l2_supercat``, 256 dimensions), whose weights are in the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._embedding import VectorIndex, build_vectors, embed_shared
    from contextbenchmark.builtin.adapters._wordllama import load_wordllama
else:
    from _distribution import installed, versions
    from _embedding import VectorIndex, build_vectors, embed_shared
    from _wordllama import load_wordllama

name = "wordllama"
summary = "WordLlama static embeddings (l2_supercat, 256 dimensions), passages, exhaustive search"
requirements = ["wordllama==0.4.0.post1", "tokenizers==0.23.3", "numpy==2.4.6"]
deviations = ["the package's own folder is given as its cache folder, with downloads off"]


def available() -> bool | str:
    """Return True, or that wordllama is missing."""
    return installed("wordllama")


def version() -> dict[str, str]:
    """Return the installed version of wordllama, whose package holds the weights too."""
    return versions("wordllama")


def build(corpus_dir: str, out_dir: str) -> None:
    """Embed the passages of ``corpus_dir`` into ``out_dir``."""
    build_vectors(corpus_dir, out_dir, load_wordllama())


def embed(corpus_dir: str, out_dir: str, texts: list[str]) -> None:
    """Embed the passages of ``corpus_dir`` and ``texts`` for engines that do not embed."""
    embed_shared(corpus_dir, out_dir, texts, load_wordllama(), version()["id"])


def open(out_dir: str) -> VectorIndex:
    """Return the vectors in ``out_dir`` and the model, loaded once for a whole pass."""
    return VectorIndex(out_dir, load_wordllama())


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the vectors in ``out_dir``."""
    return open(out_dir).query(text, k)
