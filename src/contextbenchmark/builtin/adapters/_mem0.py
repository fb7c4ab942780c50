"""What the adapters of mem0 share: a memory that lives in the artifact folder and embeds with WordLlama."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._documents import best_files, chunks, documents
    from contextbenchmark.builtin.adapters._wordllama import load_wordllama
else:
    from _documents import best_files, chunks, documents
    from _wordllama import load_wordllama

LINES, OVERLAP = 40, 8
DIMENSIONS = 256
USER = "corpus"
MOST = 10_000


def settings_off() -> None:
    """Switch off what mem0 would send; read when it is imported."""
    os.environ["MEM0_TELEMETRY"] = "False"


class WordLlamaEmbedder:
    """WordLlama behind mem0's interface of embedders; mem0 makes it by the name of this class."""

    def __init__(self, config: Any = None) -> None:
        self.config = config
        self._embed = load_wordllama()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the vector of one text; what it is for makes no difference."""
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        """Return the vectors of several texts."""
        found: list[list[float]] = self._embed(texts).tolist() if texts else []
        return found


def open_memory(out_dir: str, llm: dict[str, Any]) -> Any:
    """Return a memory whose vectors (Qdrant, local) and history (SQLite) are in ``out_dir``."""
    settings_off()
    from mem0 import Memory
    from mem0.utils.factory import EmbedderFactory

    # None of the embedders that it has runs offline here; ours takes the place of one in its own table.
    EmbedderFactory.provider_to_class["huggingface"] = f"{__name__}.{WordLlamaEmbedder.__name__}"
    return Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": os.path.join(out_dir, "qdrant"),
                    "embedding_model_dims": DIMENSIONS,
                    "on_disk": True,
                },
            },
            "embedder": {"provider": "huggingface", "config": {"embedding_dims": DIMENSIONS}},
            "llm": llm,
            "history_db_path": os.path.join(out_dir, "history.db"),
        }
    )


def add_passages(memory: Any, corpus_dir: str, *, infer: bool) -> None:
    """Add each passage of the corpus as one message of a user; its file stands in the metadata."""
    for path, text in documents(corpus_dir):
        for chunk in chunks(text, LINES, OVERLAP):
            memory.add(f"{path}\n{chunk}", user_id=USER, metadata={"file": path}, infer=infer)


class OpenMemory:
    """A memory, opened for a whole pass."""

    def __init__(self, out_dir: str, llm: dict[str, Any]) -> None:
        self._memory = open_memory(out_dir, llm)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files of what ``text`` recalls, asking for more memories until that many differ."""
        if not text.strip():
            return []  # mem0 refuses a blank query
        wanted = 2 * k
        while True:
            found = self._memory.search(text, filters={"user_id": USER}, top_k=wanted)["results"]
            ranked = [(memory["metadata"]["file"], memory["score"]) for memory in found]
            if len({file for file, _ in ranked}) >= k or len(found) < wanted or wanted >= MOST:
                return best_files(ranked, k)
            wanted *= 2

    def close(self) -> None:
        """Close the stores."""
        self._memory.close()
        self._memory.vector_store.client.close()
