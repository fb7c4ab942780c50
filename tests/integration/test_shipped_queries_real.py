"""Our queries for the pinned corpora name files that are there and say what stands in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contextbenchmark.trust.queries import packaged_queries
from contextbenchmark.trust.sources import Pin, fetch, pin_named

pytestmark = pytest.mark.slow

# The same tree as the pinned commit (the tree hash decides), from a registry where git's host is out of reach.
SAME_TREE_ELSEWHERE = {"zod": "pkg:npm/zod@4.5.0-canary.20260820T155656#src"}


def _pin(name: str) -> Pin:
    pin = pin_named(name)
    assert pin is not None
    elsewhere = SAME_TREE_ELSEWHERE.get(name)
    if elsewhere is None:
        return pin
    return pin.model_copy(update={"purl": elsewhere, "archive_sha256": None})


def _missing(tree: Path, rows: list[dict[str, Any]]) -> list[str]:
    """Return what the rows claim and the tree does not bear out."""
    faults = []
    for row in rows:
        for path, fact in row["why"].items():
            file = tree / path
            if not file.is_file():
                faults.append(f"{path}: not there ({row['query']})")
            elif fact not in file.read_text(encoding="utf-8"):
                faults.append(f"{path}: does not hold {fact!r}")
    return faults


# Not hono: only git has its tree, and no test may depend on a network beyond the package registries. Its queries were
# checked by hand against three releases whose layout mirrors the tree (queries/README.md).
@pytest.mark.parametrize("name", ["django", "zod", "zod-npm"])
def test_every_relevant_file_is_there_and_holds_what_makes_it_relevant(name: str) -> None:
    queries = packaged_queries(name)
    assert queries is not None
    rows: list[dict[str, Any]] = json.loads(queries.read_text(encoding="utf-8"))
    assert _missing(fetch(_pin(name)), rows) == []


def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def known(): ...\n", encoding="utf-8")
    rows = [{"query": "q", "why": {"a.py": "def unknown", "b.py": "x"}}]
    assert _missing(tmp_path, rows) == ["a.py: does not hold 'def unknown'", "b.py: not there (q)"]
    assert _missing(tmp_path, [{"query": "q", "why": {"a.py": "def known"}}]) == []
