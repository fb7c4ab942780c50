"""``langchain-memory``: LangChain's memory backed by a vector store, with an embedder that needs no download.

Each passage of 40 lines (8 of overlap) is one exchange that an agent saved: the path is the input, the passage the
output of ``VectorStoreRetrieverMemory.save_context``; a query recalls exchanges with ``load_memory_variables``. The
store is FAISS with an exact index, as in the documentation of that memory, saved with ``save_local``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import chunks, documents
    from contextbenchmark.builtin.adapters._langchain import wordllama_embeddings
else:
    from _distribution import installed, versions
    from _documents import chunks, documents
    from _langchain import wordllama_embeddings

name = "langchain-memory"
summary = "LangChain: VectorStoreRetrieverMemory over FAISS, passages saved as exchanges, WordLlama"
requirements = [
    "langchain-classic==1.0.8",
    "langchain-community==0.4.2",
    "langchain-core==1.8.3",
    "faiss-cpu==1.15.1",
    "wordllama==0.4.0.post1",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
]
deviations = ["WordLlama (l2_supercat) embeds instead of a hosted or downloaded embedder"]

LINES, OVERLAP = 40, 8
DIMENSIONS = 256
_PARTS = ("langchain-classic", "langchain-community", "langchain-core", "faiss-cpu", "wordllama")


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of LangChain's parts, FAISS and the embedder."""
    return versions(*_PARTS)


def _memory(store: Any, recalled: int) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that LangChain has newer ways to remember
        from langchain_classic.memory import VectorStoreRetrieverMemory

        return VectorStoreRetrieverMemory(
            retriever=store.as_retriever(search_kwargs={"k": recalled}), return_docs=True
        )


def build(corpus_dir: str, out_dir: str) -> None:
    """Save every passage of ``corpus_dir`` as an exchange."""
    embeddings = wordllama_embeddings()
    import faiss
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_community.vectorstores import FAISS

    store = FAISS(embeddings, faiss.IndexFlatL2(DIMENSIONS), InMemoryDocstore({}), {})
    memory = _memory(store, 1)
    for path, text in documents(corpus_dir):
        for chunk in chunks(text, LINES, OVERLAP):
            memory.save_context({"input": path}, {"output": chunk})
    store.save_local(out_dir)


class Index:
    """A saved memory, loaded for a whole pass."""

    def __init__(self, out_dir: str) -> None:
        embeddings = wordllama_embeddings()
        from langchain_community.vectorstores import FAISS

        # The pickle is what build() wrote a moment ago.
        self._store: Any = FAISS.load_local(out_dir, embeddings, allow_dangerous_deserialization=True)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the first ``k`` files of the exchanges that ``text`` recalls; a recalled exchange has no score."""
        wanted, most = 2 * k, self._store.index.ntotal
        while True:
            memory = _memory(self._store, min(wanted, most))
            recalled = memory.load_memory_variables({"prompt": text})[memory.memory_key]
            files = dict.fromkeys(_path(exchange.page_content) for exchange in recalled)
            if len(files) >= k or wanted >= most:
                return [{"file": file, "score": None} for file in list(files)[:k]]
            wanted *= 2


def _path(exchange: str) -> str:
    """Return the path of an exchange, which begins with ``input: PATH``."""
    return exchange.partition("\n")[0].removeprefix("input: ")


def open(out_dir: str) -> Index:
    """Return the memory in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the first ``k`` files that ``text`` recalls from the memory in ``out_dir``."""
    return Index(out_dir).query(text, k)
