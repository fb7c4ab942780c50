"""``mem0-cloud``: the hosted mem0, by its official client; what is measured is sent there.

Each passage is one message of a user made for the build; the service extracts memories from it as it ships. It says
of nothing that it is done, so the build waits until the number of memories stands still.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._hosted import (
        ask_for_files,
        hosted_passages,
        hosted_version,
        new_place,
        recall,
        remember,
        settled,
        usable,
        wait_until,
    )
else:
    from _hosted import (
        ask_for_files,
        hosted_passages,
        hosted_version,
        new_place,
        recall,
        remember,
        settled,
        usable,
        wait_until,
    )

name = "mem0-cloud"
summary = "mem0's hosted service: passages as messages, its own extraction and ranking"
requirements = ["mem0ai==2.2.1"]
remote = True
environment = ["MEM0_API_KEY", "MEM0_HOST", "CONTEXTBENCHMARK_POLL_SECONDS"]

MOST = 100


def available() -> bool | str:
    """Return True, or what is missing."""
    return usable("MEM0_API_KEY", "mem0ai")


def version() -> dict[str, str]:
    """Return the version of the client."""
    return hosted_version("mem0ai")


def _client() -> Any:
    # Read when mem0 is imported.
    os.environ["MEM0_TELEMETRY"] = "False"
    from mem0 import MemoryClient

    return MemoryClient(host=os.environ.get("MEM0_HOST") or None)


def build(corpus_dir: str, out_dir: str) -> None:
    """Send every passage of ``corpus_dir`` for a new user, and wait until the memories stand still."""
    client, user = _client(), new_place()
    for path, passage in hosted_passages(corpus_dir):
        client.add([{"role": "user", "content": passage}], user_id=user, metadata={"file": path})
    filters = {"user_id": user}
    wait_until(
        settled(lambda: int(client.get_all(filters=filters, page=1, page_size=1)["count"])), "extracting"
    )
    remember(out_dir, user)


class Memory:
    """The user of one build, at the service."""

    def __init__(self, out_dir: str) -> None:
        self._client, self._user = _client(), recall(out_dir)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files of the memories that ``text`` finds."""
        if not text.strip():
            return []  # the client refuses a blank query

        def search(count: int) -> list[tuple[str | None, float | None]]:
            found = self._client.search(text, filters={"user_id": self._user}, top_k=count)["results"]
            return [((memory.get("metadata") or {}).get("file"), memory.get("score")) for memory in found]

        return ask_for_files(search, k, MOST)


def open(out_dir: str) -> Memory:
    """Return the memory that the build in ``out_dir`` made."""
    return Memory(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files of the memories that ``text`` finds."""
    return Memory(out_dir).query(text, k)
