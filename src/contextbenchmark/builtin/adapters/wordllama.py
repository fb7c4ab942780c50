"""``wordllama``: static token embeddings, averaged, as they ship, with exhaustive search over passages.

The default model (``l2_supercat``, 256 dimensions), whose weights are in the package. The package holds its
tokenizers where its cache would (``tokenizers/``), not where it looks for those that it ships
(``tokenizer/``): so its own folder is passed as the cache, and downloads are off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._embedding import Embed, VectorIndex, build_vectors
else:
    from _distribution import installed, versions
    from _embedding import VectorIndex, build_vectors

name = "wordllama"
summary = "WordLlama static embeddings (l2_supercat, 256 dimensions), passages, exhaustive search"
requirements = ["wordllama==0.4.0.post1", "tokenizers==0.23.3", "numpy==2.4.6"]
deviations = ["the package's own folder is given as its cache folder, with downloads off"]

BATCH = 16


def available() -> bool | str:
    """Return True, or that wordllama is missing."""
    return installed("wordllama")


def version() -> dict[str, str]:
    """Return the installed version of wordllama, whose package holds the weights too."""
    return versions("wordllama")


def build(corpus_dir: str, out_dir: str) -> None:
    """Embed the passages of ``corpus_dir`` into ``out_dir``."""
    build_vectors(corpus_dir, out_dir, _load())


def open(out_dir: str) -> VectorIndex:
    """Return the vectors in ``out_dir`` and the model, loaded once for a whole pass."""
    return VectorIndex(out_dir, _load())


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the vectors in ``out_dir``."""
    return open(out_dir).query(text, k)


def _load() -> Embed:
    from pathlib import Path

    import numpy as np
    import wordllama

    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        # A batch is padded to its longest text and held in memory whole: texts of like length go together.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found = model.embed([texts[place] for place in order], batch_size=BATCH)
        vectors: NDArray[np.float32] = np.empty_like(found)
        vectors[order] = found
        return vectors

    return embed
