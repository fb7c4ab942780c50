"""``langchain-faiss``: LangChain's FAISS vector store, with an embedder that needs no download.

Documents through ``RecursiveCharacterTextSplitter`` as it ships (4,000 characters, 200 of overlap),
``FAISS.from_documents`` (an exact index; random ids), saved with ``save_local``: the index and a pickle of the texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import best_files, documents
    from contextbenchmark.builtin.adapters._langchain import wordllama_embeddings
else:
    from _distribution import installed, versions
    from _documents import best_files, documents
    from _langchain import wordllama_embeddings

name = "langchain-faiss"
summary = "LangChain: recursive character splitter, FAISS vector store, WordLlama as embedder"
requirements = [
    "langchain-community==0.4.2",
    "langchain-core==1.8.3",
    "langchain-text-splitters==1.1.3",
    "faiss-cpu==1.15.1",
    "wordllama==0.4.0.post1",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
]
deviations = ["WordLlama (l2_supercat) embeds instead of a hosted or downloaded embedder"]

_PARTS = ("langchain-community", "langchain-core", "langchain-text-splitters", "faiss-cpu", "wordllama")


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of LangChain's parts, FAISS and the embedder."""
    return versions(*_PARTS)


def build(corpus_dir: str, out_dir: str) -> None:
    """Split, embed and save the documents of ``corpus_dir``."""
    embeddings = wordllama_embeddings()
    from langchain_community.vectorstores import FAISS
    from langchain_core.documents import Document
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    whole = [Document(page_content=text, metadata={"source": path}) for path, text in documents(corpus_dir)]
    parts = RecursiveCharacterTextSplitter().split_documents(whole)
    if not parts:
        raise ValueError("no file of the corpus holds text that could be embedded")
    FAISS.from_documents(parts, embeddings).save_local(out_dir)


class Index:
    """A saved vector store, loaded for a whole pass."""

    def __init__(self, out_dir: str) -> None:
        embeddings = wordllama_embeddings()
        from langchain_community.vectorstores import FAISS

        # The pickle is what build() wrote a moment ago.
        self._store: Any = FAISS.load_local(out_dir, embeddings, allow_dangerous_deserialization=True)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files for ``text``; the score is the negated squared distance."""
        wanted, most = 2 * k, self._store.index.ntotal
        while True:
            found = self._store.similarity_search_with_score(text, k=min(wanted, most))
            ranked = [(document.metadata["source"], -float(distance)) for document, distance in found]
            if len({file for file, _ in ranked}) >= k or wanted >= most:
                return best_files(ranked, k)
            wanted *= 2


def open(out_dir: str) -> Index:
    """Return the vector store in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files for ``text`` from the vector store in ``out_dir``."""
    return Index(out_dir).query(text, k)
