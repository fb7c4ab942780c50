"""``supermemory``: the hosted memory, by its official client; what is measured is sent there.

Each document of the corpus is one document of a namespace made for the build (the service cuts and learns from it
itself); the build waits until every one is done. Queries are its hybrid search as it ships.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._documents import documents
    from contextbenchmark.builtin.adapters._hosted import (
        ask_for_files,
        hosted_version,
        new_place,
        recall,
        remember,
        usable,
        wait_until,
    )
else:
    from _documents import documents
    from _hosted import ask_for_files, hosted_version, new_place, recall, remember, usable, wait_until

name = "supermemory"
summary = "Supermemory's hosted service: documents in a namespace, hybrid search as it ships"
requirements = ["supermemory==5.0.1"]
remote = True
environment = ["SUPERMEMORY_API_KEY", "SUPERMEMORY_BASE_URL", "CONTEXTBENCHMARK_POLL_SECONDS"]

MOST = 100


def available() -> bool | str:
    """Return True, or what is missing."""
    return usable("SUPERMEMORY_API_KEY", "supermemory")


def version() -> dict[str, str]:
    """Return the version of the client."""
    return hosted_version("supermemory")


def _client() -> Any:
    from supermemory import Supermemory

    return Supermemory(
        api_key=os.environ["SUPERMEMORY_API_KEY"], base_url=os.environ.get("SUPERMEMORY_BASE_URL") or None
    )


def build(corpus_dir: str, out_dir: str) -> None:
    """Send every document of ``corpus_dir`` to a new namespace, and wait until all are done."""
    client, namespace = _client(), new_place()
    waiting = [
        (path, client.add(namespace, content=text, metadata={"file": path}).id)
        for path, text in documents(corpus_dir)
        if text.strip()
    ]

    def done() -> bool:
        while waiting:
            path, document = waiting[-1]
            system = client.documents.get(namespace, document).system
            if system.status == "failed":
                raise RuntimeError(f"the service could not take in {path}")
            # Memories are learned after the document is done.
            if system.status != "done" or (system.dreaming_status or "done") != "done":
                return False
            waiting.pop()
        return True

    wait_until(done, "taking in documents")
    remember(out_dir, namespace)


class Memory:
    """The namespace of one build, at the service."""

    def __init__(self, out_dir: str) -> None:
        self._client, self._namespace = _client(), recall(out_dir)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files of what ``text`` finds."""
        if not text.strip():
            return []

        def search(count: int) -> list[tuple[str | None, float | None]]:
            found = self._client.search(self._namespace, query=text, limit=count).results
            return [((result.metadata or {}).get("file"), result.similarity) for result in found]

        return ask_for_files(search, k, MOST)


def open(out_dir: str) -> Memory:
    """Return the memory that the build in ``out_dir`` made."""
    return Memory(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files of what ``text`` finds."""
    return Memory(out_dir).query(text, k)
