"""Proposed queries come from the documents' own words and can be used as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.errors import CorpusError, RunFolderError
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.named import bundled_folder
from contextbenchmark.trust.propose import propose_queries, write_proposal
from contextbenchmark.trust.queries import read_queries

GUIDE = """# Moving to a new house

```sh
# not a heading at all
```

## [Packing](x.md) the `books`
# One
"""
PACK = '''"""Put things into boxes, heavy ones first. Then
close them."""


def seal_all_boxes():
    pass
'''
LIFT = """/**
 * Lift a box with straight
 * legs.
 * More is said here.
 */
export function liftHTTPBox() {}
"""
TREE = {
    "guide.md": GUIDE,
    "pack.py": PACK,
    "lift.ts": LIFT,
    "same1.md": "# Shared heading here\n",
    "same2.md": "# shared heading here\n",
    "data.json": '{"# Not a": "document to ask for"}',
    "empty.md": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, content in TREE.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_what_is_proposed(tree: Path) -> None:
    found = {query.text: set(query.relevant) for query in propose_queries(tree)}
    assert found == {
        "Moving to a new house": {"guide.md"},
        "Packing the books": {"guide.md"},
        "Put things into boxes, heavy ones first": {"pack.py"},
        "seal all boxes": {"pack.py"},
        "Lift a box with straight legs": {"lift.ts"},
        "lift HTTP box": {"lift.ts"},
    }


def test_every_file_has_its_turn_first(tree: Path) -> None:
    first = propose_queries(tree, count=3)
    assert {file for query in first for file in query.relevant} == {"guide.md", "pack.py", "lift.ts"}
    assert propose_queries(tree, count=3) == first


def test_seeds_differ() -> None:
    one, two = (propose_queries(bundled_folder(), count=10, seed=seed) for seed in (1, 2))
    assert len(one) == len(two) == 10
    assert set(one) != set(two)


def test_what_is_written_can_be_used(tree: Path) -> None:
    proposed = propose_queries(tree)
    write_proposal(proposed, tree / "queries.json")
    assert read_queries(tree / "queries.json") == proposed
    assert load_corpus(tree).queries == proposed
    assert propose_queries(tree) == proposed  # its own file is no document


def test_a_file_is_never_replaced(tree: Path) -> None:
    (tree / "queries.json").write_text("mine")
    with pytest.raises(CorpusError, match="left as it is"):
        write_proposal(propose_queries(tree), tree / "queries.json")
    assert (tree / "queries.json").read_text() == "mine"
    with pytest.raises(RunFolderError):
        write_proposal(propose_queries(tree), tree / "no-such-folder" / "queries.json")


def test_nothing_to_propose(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no headings")
    with pytest.raises(CorpusError, match="no headings"):
        propose_queries(tmp_path)
    with pytest.raises(CorpusError, match="one or more"):
        propose_queries(tmp_path, count=0)
