"""``mem0``: the open-source memory, raw: what is added is stored as it is, without a language model.

Each passage of 40 lines (8 of overlap) is one message, added with ``infer=False``. Vectors are in a local Qdrant,
the history in SQLite, both in the artifact. The plain package: no BM25 and no entities (those need its extras).
Random ids and the time are stored with each memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._mem0 import OpenMemory, add_passages, open_memory
else:
    from _distribution import installed, versions
    from _mem0 import OpenMemory, add_passages, open_memory

name = "mem0"
summary = "mem0 open source, raw (infer=False): passages as memories, local Qdrant, WordLlama as embedder"
requirements = [
    "mem0ai==2.2.1",
    "qdrant-client==1.20.0",
    "openai==3.57.0",
    "wordllama==0.4.0.post1",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
]
deviations = ["WordLlama (l2_supercat) embeds instead of the hosted default embedder"]

_PARTS = ("mem0ai", "qdrant-client", "wordllama")
# Made with every memory, and never called when nothing is to be inferred.
_LLM = {"provider": "openai", "config": {"api_key": "unused", "openai_base_url": "http://127.0.0.1:9/"}}


def available() -> bool | str:
    """Return True, or which packages are missing."""
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of mem0, its store and the embedder."""
    return versions(*_PARTS)


def build(corpus_dir: str, out_dir: str) -> None:
    """Add the passages of ``corpus_dir`` to a new memory in ``out_dir``."""
    memory = open_memory(out_dir, _LLM)
    add_passages(memory, corpus_dir, infer=False)
    memory.close()
    memory.vector_store.client.close()


def open(out_dir: str) -> OpenMemory:
    """Return the memory in ``out_dir``, opened once for a whole pass."""
    return OpenMemory(out_dir, _LLM)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files that ``text`` recalls from the memory in ``out_dir``."""
    memory = OpenMemory(out_dir, _LLM)
    try:
        return memory.query(text, k)
    finally:
        memory.close()
