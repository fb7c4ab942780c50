"""``haystack``: Haystack's in-memory document store, with an embedder that needs no download.

An indexing pipeline (``DocumentSplitter`` as it ships: 200 words; embedder; ``DocumentWriter``) into an
``InMemoryDocumentStore`` saved with ``save_to_disk``; a query pipeline (embedder; ``InMemoryEmbeddingRetriever``).
The store names its index by a random id, which it saves.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import best_files, documents
    from contextbenchmark.builtin.adapters._wordllama import load_wordllama
else:
    from _distribution import installed, versions
    from _documents import best_files, documents
    from _wordllama import load_wordllama

name = "haystack"
summary = "Haystack: document splitter, in-memory store and embedding retriever, WordLlama as embedder"
requirements = ["haystack-ai==3.4.1", "wordllama==0.4.0.post1", "tokenizers==0.23.3", "numpy==2.4.6"]
deviations = ["WordLlama (l2_supercat) embeds instead of a hosted or downloaded embedder"]

STORE = "documents.json"
_PARTS = ("haystack-ai", "wordllama")


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of Haystack and of the embedder."""
    return versions(*_PARTS)


def _load() -> tuple[Any, Any]:
    """Return two components: one embeds documents, one a query."""
    # Read when haystack is imported.
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    from haystack import Document, component

    embed = load_wordllama()

    class DocumentEmbedder:
        """Gives each document its vector."""

        def run(self, documents: list[Document]) -> dict[str, Any]:
            vectors: Any = embed([document.content or "" for document in documents]) if documents else []
            found = [
                Document(
                    id=document.id, content=document.content, meta=document.meta, embedding=vector.tolist()
                )
                for document, vector in zip(documents, vectors, strict=True)
            ]
            return {"documents": found}

    class TextEmbedder:
        """Gives a query its vector."""

        def run(self, text: str) -> dict[str, Any]:
            return {"embedding": embed([text])[0].tolist()}

    # The decorators read annotations as objects; here they are text, so the types are given by hand.
    DocumentEmbedder.run.__annotations__["documents"] = list[Document]
    TextEmbedder.run.__annotations__["text"] = str
    DocumentEmbedder.run = component.output_types(documents=list[Document])(DocumentEmbedder.run)  # type: ignore[method-assign]
    TextEmbedder.run = component.output_types(embedding=list[float])(TextEmbedder.run)  # type: ignore[method-assign]
    return component(DocumentEmbedder)(), component(TextEmbedder)()


def build(corpus_dir: str, out_dir: str) -> None:
    """Split, embed and save the documents of ``corpus_dir``."""
    embedder, _ = _load()
    from haystack import Document, Pipeline
    from haystack.components.preprocessors import DocumentSplitter
    from haystack.components.writers import DocumentWriter
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("splitter", DocumentSplitter())
    pipeline.add_component("embedder", embedder)
    pipeline.add_component("writer", DocumentWriter(document_store=store))
    pipeline.connect("splitter", "embedder")
    pipeline.connect("embedder", "writer")
    found = [Document(content=text, meta={"file_path": path}) for path, text in documents(corpus_dir) if text]
    pipeline.run({"splitter": {"documents": found}})
    store.save_to_disk(os.path.join(out_dir, STORE))


class Index:
    """A saved document store behind a query pipeline, loaded for a whole pass."""

    def __init__(self, out_dir: str) -> None:
        _, embedder = _load()
        from haystack import Pipeline
        from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        store = InMemoryDocumentStore.load_from_disk(os.path.join(out_dir, STORE))
        self._documents = store.count_documents()
        self._pipeline = Pipeline()
        self._pipeline.add_component("embedder", embedder)
        self._pipeline.add_component("retriever", InMemoryEmbeddingRetriever(document_store=store))
        self._pipeline.connect("embedder.embedding", "retriever.query_embedding")

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files for ``text``, asking for more passages until that many are distinct."""
        wanted = 2 * k
        while True:
            given = {"embedder": {"text": text}, "retriever": {"top_k": min(wanted, self._documents)}}
            found = self._pipeline.run(given)["retriever"]["documents"]
            ranked = [(document.meta["file_path"], document.score) for document in found]
            if len({file for file, _ in ranked}) >= k or wanted >= self._documents:
                return best_files(ranked, k)
            wanted *= 2


def open(out_dir: str) -> Index:
    """Return the document store in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the document store in ``out_dir``."""
    return Index(out_dir).query(text, k)
