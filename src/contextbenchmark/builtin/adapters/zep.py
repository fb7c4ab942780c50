"""``zep``: the hosted knowledge graph for agents, by its official client; what is measured is sent there.

Each passage is one episode of a graph made for the build; the build waits until every episode is processed. Queries
search episodes, with the ranking as it ships: an episode keeps the file that it is from, a fact of the graph does not.
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
        usable,
        wait_until,
    )

name = "zep"
summary = "Zep's hosted service: passages as episodes of a graph, episode search as it ships"
requirements = ["zep-cloud==4.0.1"]
remote = True
environment = ["ZEP_API_KEY", "ZEP_BASE_URL", "CONTEXTBENCHMARK_POLL_SECONDS"]

MOST = 50


def available() -> bool | str:
    """Return True, or what is missing."""
    return usable("ZEP_API_KEY", "zep-cloud")


def version() -> dict[str, str]:
    """Return the version of the client."""
    return hosted_version("zep-cloud")


def _client() -> Any:
    from zep_cloud import Zep

    return Zep(api_key=os.environ["ZEP_API_KEY"], base_url=os.environ.get("ZEP_BASE_URL") or None)


def build(corpus_dir: str, out_dir: str) -> None:
    """Send every passage of ``corpus_dir`` to a new graph, and wait until all are processed."""
    client = _client()
    graph = client.graph.create(name=new_place()).uuid_
    waiting = []
    for path, passage in hosted_passages(corpus_dir):
        added = client.graph.episode.add(
            graph, data=passage, type="text", metadata={"file": path}, source_description=path
        )
        waiting.append(added.episode.uuid_)

    def processed() -> bool:
        while waiting and client.graph.episode.get(graph, waiting[-1]).processed:
            waiting.pop()
        return not waiting

    wait_until(processed, "processing episodes")
    remember(out_dir, graph)


class Graph:
    """The graph of one build, at the service."""

    def __init__(self, out_dir: str) -> None:
        self._client, self._graph = _client(), recall(out_dir)

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best files of the episodes that ``text`` finds."""
        if not text.strip():
            return []

        def search(count: int) -> list[tuple[str | None, float | None]]:
            # The first page is the top: further pages would rank no more.
            found = self._client.graph.search_episodes(self._graph, query=text, page_size=count).items or []
            return [((episode.metadata or {}).get("file"), episode.score) for episode in found]

        return ask_for_files(search, k, MOST)


def open(out_dir: str) -> Graph:
    """Return the graph that the build in ``out_dir`` made."""
    return Graph(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best files of the episodes that ``text`` finds."""
    return Graph(out_dir).query(text, k)
