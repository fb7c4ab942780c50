"""``mem0-llm``: the open-source memory with its extraction by a language model, an OpenAI-compatible one.

Each passage of 40 lines (8 of overlap) is one message; the model decides what is remembered of it. Vectors are in a
local Qdrant, the history in SQLite, both in the artifact. ``OPENAI_API_KEY`` and, for another endpoint,
``OPENAI_BASE_URL``; ``MEM0_LLM_MODEL`` names the model (mem0's own default without it). Answering calls no model.
Sampling is left as mem0 ships it: whether the same is remembered twice is what is measured.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._mem0 import OpenMemory, add_passages, open_memory
else:
    from _distribution import installed, versions
    from _mem0 import OpenMemory, add_passages, open_memory

name = "mem0-llm"
summary = "mem0 open source: a language model extracts the memories, local Qdrant, WordLlama as embedder"
requirements = [
    "mem0ai==2.2.1",
    "qdrant-client==1.20.0",
    "openai==3.57.0",
    "wordllama==0.4.0.post1",
    "tokenizers==0.23.3",
    "numpy==2.4.6",
]
deviations = ["WordLlama (l2_supercat) embeds instead of the hosted default embedder"]
environment = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "MEM0_LLM_MODEL"]

_PARTS = ("mem0ai", "qdrant-client", "wordllama")
_DEFAULT_MODEL = "mem0's default"


def available() -> bool | str:
    """Return True, or what is missing."""
    if not os.environ.get("OPENAI_API_KEY"):
        return "a language model extracts the memories: set OPENAI_API_KEY (and OPENAI_BASE_URL for another endpoint)"
    return installed(*_PARTS)


def version() -> dict[str, str]:
    """Return the installed versions of mem0, its store and the embedder, and which model extracts."""
    found = versions(*_PARTS)
    return {**found, "id": f"{found['id']}, model {os.environ.get('MEM0_LLM_MODEL') or _DEFAULT_MODEL}"}


def _llm() -> dict[str, Any]:
    model = os.environ.get("MEM0_LLM_MODEL")
    # Key and endpoint it reads from the environment itself.
    return {"provider": "openai", "config": {"model": model} if model else {}}


def build(corpus_dir: str, out_dir: str) -> None:
    """Have the model extract memories of each passage of ``corpus_dir`` into a new memory in ``out_dir``."""
    memory = open_memory(out_dir, _llm())
    add_passages(memory, corpus_dir, infer=True)
    memory.close()
    memory.vector_store.client.close()


def open(out_dir: str) -> OpenMemory:
    """Return the memory in ``out_dir``, opened once for a whole pass."""
    return OpenMemory(out_dir, _llm())


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files that ``text`` recalls from the memory in ``out_dir``."""
    memory = OpenMemory(out_dir, _llm())
    try:
        return memory.query(text, k)
    finally:
        memory.close()
