"""Whole runs over the published vectors: Python and Node writings of bm25 leave the hashes that another
implementation published, in their fingerprints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.pipeline import Request, run
from contextbenchmark.trust.record import Parameters

TESTS = Path(__file__).parent.parent
VECTORS = TESTS / "vectors" / "bm25"


@pytest.mark.parametrize("adapter", ["bm25", str(TESTS / "fakes" / "bm25.mjs")], ids=["python", "node"])
@pytest.mark.parametrize("vector", ["plain", "numeric", "unicode", "edges"])
def test_fingerprint_holds_the_published_hashes(vector: str, adapter: str, tmp_path: Path) -> None:
    expected = json.loads((VECTORS / vector / "expected.json").read_text("utf-8"))
    # A run refuses an empty query, which one vector has; its other queries count all the same.
    asked = [query for query in expected["queryHashes"] if query]
    queries = tmp_path / "queries.json"
    queries.write_text(json.dumps(asked), "utf-8")
    request = Request(
        adapters=[resolve(adapter)],
        corpus=load_corpus(VECTORS / vector / "corpus", queries_file=queries),
        parameters=Parameters(k=expected["k"], rebuilds=2, trials=2, families=("rebuild", "query")),
        out=tmp_path / "results",
        jobs=2,
    )
    (system,) = run(request).report.systems
    assert system.fingerprint is not None
    fingerprint = json.loads((tmp_path / "results" / system.fingerprint).read_text("utf-8"))
    assert fingerprint["corpus"]["hash"] == expected["corpusHash"]
    assert fingerprint["artifactHash"] == expected["artifactHash"]
    assert fingerprint["queryHashes"] == {query: expected["queryHashes"][query] for query in asked}
