"""What the adapters of vector engines share: passages with their vectors, looked up and never computed here.

These engines do not embed. Their vectors come from the shared embedding step, which has cut the same tree into
the same passages (``_embedding.passages``) and embedded each once for all builds and engines. An operation is
given folders of vectors (``CONTEXTBENCHMARK_VECTORS``, joined as in PATH), each with ``vectors.npy`` (float32,
a row of length 1 for a text), ``rows.json`` (SHA-256 of a text -> its row) and ``embedder.json``.
numpy comes with each of the engines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from contextbenchmark.builtin.adapters._distribution import versions as declared
    from contextbenchmark.builtin.adapters._documents import best_files
    from contextbenchmark.builtin.adapters._embedding import EMBEDDER, ROWS, VECTORS, passages, text_key
else:
    from _distribution import versions as declared
    from _documents import best_files
    from _embedding import EMBEDDER, ROWS, VECTORS, passages, text_key

VARIABLE = "CONTEXTBENCHMARK_VECTORS"
FILES = "files.json"
OVERFETCH = 4


class MissingVector(LookupError):
    """A text has no vector: it was not part of what the embedding step was given."""


class Vectors:
    """The vectors that this operation was given, by text."""

    def __init__(self) -> None:
        import numpy as np

        folders = [folder for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
        if not folders:
            raise MissingVector(
                f"no vectors were given: an adapter that uses them says `vectors = True`, and {VARIABLE} names them"
            )
        self._tables: list[tuple[dict[str, int], NDArray[np.float32]]] = []
        for folder in folders:
            with open(os.path.join(folder, ROWS), encoding="utf-8") as stream:
                rows = json.load(stream)
            self._tables.append((rows, np.load(os.path.join(folder, VECTORS), mmap_mode="r")))

    def of(self, text: str) -> NDArray[np.float32] | None:
        """Return the vector of ``text``, of length 1, or None where the model saw nothing in it.

        :raises MissingVector: the embedding step was not given this text.
        """
        import numpy as np

        key = text_key(text)
        for rows, vectors in self._tables:
            if key in rows:
                vector = np.array(vectors[rows[key]], dtype=np.float32)
                return vector if vector.any() else None
        raise MissingVector(f"no vector was computed for the text that begins {text[:60]!r}")


class Passages:
    """The passages of a corpus that have a direction: n texts, their n files, and vectors of shape (n, d)."""

    def __init__(self, corpus_dir: str) -> None:
        import numpy as np

        known = Vectors()
        self.files: list[str] = []
        self.texts: list[str] = []
        found: list[NDArray[np.float32]] = []
        for file, text in passages(corpus_dir):
            vector = known.of(text)
            if vector is not None:
                self.files.append(file)
                self.texts.append(text)
                found.append(vector)
        if not found:
            raise ValueError("no file of the corpus holds text that has a vector")
        self.vectors: NDArray[np.float32] = np.ascontiguousarray(np.stack(found))

    def __len__(self) -> int:
        return len(self.files)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    def write_files(self, out_dir: str) -> None:
        """Write which file each row is from, for an engine that keeps nothing but numbers."""
        with open(os.path.join(out_dir, FILES), "w", encoding="utf-8") as stream:
            json.dump(self.files, stream, ensure_ascii=False, separators=(",", ":"))


def read_files(out_dir: str) -> list[str]:
    """Return the file of each row, as :meth:`Passages.write_files` left them."""
    with open(os.path.join(out_dir, FILES), encoding="utf-8") as stream:
        found: list[str] = json.load(stream)
    return found


def nearest_files(
    search: Callable[[int], Sequence[tuple[str, float]]], passage_count: int, k: int
) -> list[dict[str, Any]]:
    """Return the ``k`` best distinct files of an engine that ranks passages.

    ``search(n)`` returns up to n pairs of file and score, best first. It is asked for more as long as too few
    files are among them and the engine has more to give.
    """
    wanted = min(OVERFETCH * k, passage_count)
    while True:
        ranked = search(wanted)
        found = best_files(ranked, k)
        if len(found) >= k or wanted >= passage_count or len(ranked) < wanted:
            return found
        wanted = min(OVERFETCH * wanted, passage_count)


def versions(*distributions: str) -> dict[str, str]:
    """Return the declared identity made of ``distributions`` and, where vectors were given, of their embedder."""
    identity = declared(*distributions)
    folder = os.environ.get(VARIABLE, "").partition(os.pathsep)[0]
    if folder:
        with open(os.path.join(folder, EMBEDDER), encoding="utf-8") as stream:
            identity["id"] += f", vectors by {json.load(stream)['id']}"
    return identity
