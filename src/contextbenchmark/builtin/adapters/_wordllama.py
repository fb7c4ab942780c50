"""WordLlama's default model (``l2_supercat``, 256 dimensions) as a function from texts to vectors.

Its weights are in the package, so nothing is fetched. The package holds its tokenizers where its cache would
(``tokenizers/``), not where it looks for those that it ships (``tokenizer/``): so its own folder is passed as
the cache, and downloads are off. The adapters of frameworks embed with it where theirs would be downloaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.builtin.adapters._embedding import Embed

BATCH = 16


def load_wordllama() -> Embed:
    """Return a function that takes n texts and returns float32 vectors of shape (n, 256)."""
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
