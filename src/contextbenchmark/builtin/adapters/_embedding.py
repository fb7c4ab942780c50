"""What the embedding adapters share: passages of a corpus, their vectors on disk, exhaustive cosine search.

A passage is a line with the path of its file, then 40 lines of it; each begins with the last 8 of the one
before. The search compares the query with every passage and keeps the best passage of each file: no
approximate index, the configuration that is easiest to repeat. numpy comes with the engines that use this.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.builtin.adapters._documents import best_files, chunks, documents

    Embed = Callable[[list[str]], NDArray[np.float32]]
else:
    from _documents import best_files, chunks, documents

LINES = 40
OVERLAP = 8
# A file without line ends can be one passage of a megabyte; models read some hundred tokens, and padding a
# batch to such a passage would take gigabytes.
LONGEST_PASSAGE = 8192

VECTORS, FILES = "vectors.npy", "files.json"
ROWS, EMBEDDER = "rows.json", "embedder.json"


def build_vectors(corpus_dir: str, out_dir: str, embed: Embed) -> None:
    """Embed every passage of ``corpus_dir`` into ``out_dir``.

    ``vectors.npy`` is float32 of shape (passages, dimensions) with rows of length 1; ``files.json`` beside it
    holds the file of each passage. ``embed`` takes n texts and returns an array of shape (n, dimensions).
    A corpus without text raises ``ValueError``.
    """
    import numpy as np

    files, texts = [], []
    for path, text in passages(corpus_dir):
        files.append(path)
        texts.append(text)
    if not texts:
        raise ValueError("no file of the corpus holds text that could be embedded")
    os.makedirs(out_dir, exist_ok=True)
    np.save(os.path.join(out_dir, VECTORS), unit_rows(embed(texts)))
    with open(os.path.join(out_dir, FILES), "w", encoding="utf-8") as stream:
        json.dump(files, stream, ensure_ascii=False, separators=(",", ":"))


def passages(corpus_dir: str) -> Iterator[tuple[str, str]]:
    """Yield (path of its file, text) for each passage of ``corpus_dir``, in the order of the documents."""
    for path, text in documents(corpus_dir):
        for chunk in chunks(text, LINES, OVERLAP):
            yield path, f"{path}\n{chunk}"[:LONGEST_PASSAGE]


def text_key(text: str) -> str:
    """Return the name under which the vector of ``text`` is kept: its SHA-256, hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def embed_shared(corpus_dir: str, out_dir: str, texts: Sequence[str], embed: Embed, identity: str) -> None:
    """Do the shared embedding step: a vector for every passage of ``corpus_dir`` and for each of ``texts``.

    ``vectors.npy`` is float32 of shape (distinct texts, dimensions) with rows of length 1, zeros where the model
    saw nothing; ``rows.json`` gives each text's row by :func:`text_key`, and ``embedder.json`` says whose vectors
    they are.
    """
    import numpy as np

    distinct = {text_key(text): text for text in (*(text for _, text in passages(corpus_dir)), *texts)}
    if not distinct:
        raise ValueError("there is no text that could be embedded")
    os.makedirs(out_dir, exist_ok=True)
    np.save(os.path.join(out_dir, VECTORS), unit_rows(embed(list(distinct.values()))))
    for name, value in ((ROWS, {key: row for row, key in enumerate(distinct)}), (EMBEDDER, {"id": identity})):
        with open(os.path.join(out_dir, name), "w", encoding="utf-8") as stream:
            json.dump(value, stream, ensure_ascii=False, separators=(",", ":"))


class VectorIndex:
    """The vectors that :func:`build_vectors` left, and the model to embed queries with."""

    def __init__(self, out_dir: str, embed: Embed) -> None:
        import numpy as np

        self._embed = embed
        self._vectors: NDArray[np.float32] = np.load(os.path.join(out_dir, VECTORS))
        with open(os.path.join(out_dir, FILES), encoding="utf-8") as stream:
            self._files: list[str] = json.load(stream)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` files whose best passage is nearest to ``text``, with its cosine, -1 to 1.

        Passages of equal cosine come in the order in which they were embedded. Text in which the model sees
        nothing has no direction and gets no answer.
        """
        import numpy as np

        direction = unit_rows(self._embed([text]))[0]
        if not direction.any():
            return []
        cosines = self._vectors @ direction
        order = np.argsort(-cosines, kind="stable")
        return best_files(((self._files[row], float(cosines[row])) for row in order), k)


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``vectors``, shape (n, d), with each row scaled to length 1; a row of zeros stays."""
    import numpy as np

    values = np.ascontiguousarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    units: NDArray[np.float32] = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
    return units
