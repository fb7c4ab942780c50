"""``llama-index``: LlamaIndex as its introduction shows it, with an embedder that needs no download.

``SimpleDirectoryReader`` over the tree, ``VectorStoreIndex`` with the default sentence splitter (1,024 tokens, 200
of overlap) and the default vector store, persisted with ``storage_context.persist``. The reader puts the absolute
path and the dates of a file into its metadata, and the path into the text that is embedded; ids are random: that is
how it ships. (Not called llama_index.py: beside that file the engine, a namespace package, could not be imported.)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import best_files
    from contextbenchmark.builtin.adapters._wordllama import load_wordllama
else:
    from _distribution import installed, versions
    from _documents import best_files
    from _wordllama import load_wordllama

name = "llama-index"
summary = "LlamaIndex: SimpleDirectoryReader, default splitter and vector store, WordLlama as embedder"
requirements = [
    "llama-index-core==0.14.25",
    "llama-index-readers-file==0.7.0",
    "tiktoken==0.14.0",
    "nltk==3.10.4",
    "wordllama==0.4.0.post1",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
]
deviations = ["WordLlama (l2_supercat) embeds instead of the hosted default embedder"]

_PARTS = ("llama-index-core", "llama-index-readers-file", "wordllama")
# The path relative to the corpus, beside the metadata that ships: a document is named by it in an answer.
_FILE = "file"


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of LlamaIndex and of the embedder."""
    return versions(*_PARTS)


def _embedding() -> Any:
    from llama_index.core.embeddings import BaseEmbedding

    embed = load_wordllama()

    class WordLlamaEmbedding(BaseEmbedding):  # type: ignore[misc]
        """WordLlama behind LlamaIndex's interface."""

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            found: list[list[float]] = embed(texts).tolist()
            return found

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    return WordLlamaEmbedding(model_name="wordllama-l2_supercat-256")


def build(corpus_dir: str, out_dir: str) -> None:
    """Read, split, embed and persist the tree below ``corpus_dir``."""
    from llama_index.core import SimpleDirectoryReader, VectorStoreIndex

    documents = SimpleDirectoryReader(corpus_dir, recursive=True).load_data()
    for document in documents:
        path = os.path.relpath(document.metadata["file_path"], corpus_dir)
        document.metadata[_FILE] = path.replace(os.sep, "/")
        # For us alone: what is embedded and shown to a model is what ships.
        document.excluded_embed_metadata_keys = [*document.excluded_embed_metadata_keys, _FILE]
        document.excluded_llm_metadata_keys = [*document.excluded_llm_metadata_keys, _FILE]
    index = VectorStoreIndex.from_documents(documents, embed_model=_embedding())
    index.storage_context.persist(persist_dir=out_dir)


class Index:
    """A persisted index, loaded for a whole pass."""

    def __init__(self, out_dir: str) -> None:
        from llama_index.core import StorageContext, load_index_from_storage

        storage = StorageContext.from_defaults(persist_dir=out_dir)
        self._index: Any = load_index_from_storage(storage, embed_model=_embedding())
        self._nodes = len(self._index.docstore.docs)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files for ``text``, asking for more nodes until that many are distinct."""
        if not text:
            return []  # the retriever makes no vector of an empty text, and fails comparing with none
        wanted = 2 * k
        while True:
            found = self._index.as_retriever(similarity_top_k=min(wanted, self._nodes)).retrieve(text)
            ranked = [(node.node.metadata[_FILE], node.score) for node in found]
            if len({file for file, _ in ranked}) >= k or wanted >= self._nodes:
                return best_files(ranked, k)
            wanted *= 2


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the index in ``out_dir``."""
    return Index(out_dir).query(text, k)
