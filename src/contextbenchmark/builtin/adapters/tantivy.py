"""``tantivy``: the Rust search library through its Python binding, as it ships.

The default tokenizer, the default writer with as many indexing threads as it chooses (threads are part of
what is measured), one commit, its own query parser in its lenient form, so that a question in natural
language with stray punctuation is still a query. Whole documents, one a file; only the path is stored.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import documents
else:
    from _distribution import installed, versions
    from _documents import documents

name = "tantivy"
summary = "tantivy as it ships: default tokenizer and writer threads, whole documents"
requirements = ["tantivy==0.27.0"]


def available() -> bool | str:
    """Return True, or that tantivy is missing."""
    return installed("tantivy")


def version() -> dict[str, str]:
    """Return the installed version of the Python binding, which pins that of the engine."""
    return versions("tantivy")


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the documents of ``corpus_dir`` into ``out_dir`` and wait until merging has ended."""
    import tantivy

    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("path", stored=True, tokenizer_name="raw")
        .add_text_field("body")
        .build()
    )
    os.makedirs(out_dir, exist_ok=True)
    writer = tantivy.Index(schema, path=out_dir).writer()
    for path, text in documents(corpus_dir):
        writer.add_document(tantivy.Document(path=path, body=text))
    writer.commit()
    writer.wait_merging_threads()


class Index:
    """An open index and a searcher over its last commit."""

    def __init__(self, out_dir: str) -> None:
        import tantivy

        self._index = tantivy.Index.open(out_dir)
        self._searcher = self._index.searcher()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best documents for ``text``; what the parser cannot read of it is left out."""
        parsed, _ = self._index.parse_query_lenient(text, ["body"])
        hits = self._searcher.search(parsed, limit=k, count=False).hits
        return [{"file": self._searcher.doc(address)["path"][0], "score": score} for score, address in hits]


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, open for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best documents for ``text`` from the index in ``out_dir``."""
    return Index(out_dir).query(text, k)
