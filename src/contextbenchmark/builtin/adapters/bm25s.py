"""``bm25s``: BM25 over sparse matrices, as it ships.

Its own tokenizer with its defaults (lower case, words of two or more characters, English stop words, no
stemmer), its default method and parameters, its own files on disk. Whole documents, one a file. It always
ranks ``k`` documents: where fewer than ``k`` hold a word of the query, the rest are documents of score 0,
in the order that its selection leaves them in. That is what its users are handed, so it is passed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import documents
else:
    from _distribution import installed, versions
    from _documents import documents

name = "bm25s"
summary = "bm25s as it ships: sparse BM25 with its own tokenizer and files, whole documents"
requirements = ["bm25s==0.3.16", "numpy==2.4.6"]


def available() -> bool | str:
    """Return True, or that bm25s is missing."""
    return installed("bm25s")


def version() -> dict[str, str]:
    """Return the installed version of bm25s."""
    return versions("bm25s")


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the documents of ``corpus_dir`` and save the index and the paths with bm25s' own ``save``."""
    import bm25s

    paths, texts = [], []
    for path, text in documents(corpus_dir):
        paths.append({"file": path})
        texts.append(text)
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    retriever.save(out_dir, corpus=paths, show_progress=False)


class Index:
    """A loaded retriever."""

    def __init__(self, out_dir: str) -> None:
        import bm25s

        self._retriever = bm25s.BM25.load(out_dir, load_corpus=True, show_progress=False)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` documents that bm25s ranks first, or all where there are fewer."""
        import bm25s

        found, scores = self._retriever.retrieve(
            bm25s.tokenize(text, show_progress=False),
            k=min(k, self._retriever.scores["num_docs"]),
            show_progress=False,
        )
        return [
            {"file": document["file"], "score": float(score)}
            for document, score in zip(found[0], scores[0], strict=True)
        ]


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best documents for ``text`` from the index in ``out_dir``."""
    return Index(out_dir).query(text, k)
