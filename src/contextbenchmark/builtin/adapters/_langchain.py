"""What the adapters of LangChain share: WordLlama behind its embeddings interface. langchain-core comes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._wordllama import load_wordllama
else:
    from _wordllama import load_wordllama

# Its tracing sends nothing unless it is asked to; these settle that whatever is set elsewhere.
OFF = {"LANGCHAIN_TRACING_V2": "false", "LANGSMITH_TRACING": "false"}


def wordllama_embeddings() -> Any:
    """Return an ``Embeddings`` that embeds with WordLlama."""
    import os

    os.environ.update(OFF)
    from langchain_core.embeddings import Embeddings

    embed = load_wordllama()

    class WordLlamaEmbeddings(Embeddings):  # type: ignore[misc]
        """WordLlama behind LangChain's interface."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            found: list[list[float]] = embed(texts).tolist() if texts else []
            return found

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return WordLlamaEmbeddings()
