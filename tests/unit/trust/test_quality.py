"""Retrieval quality, against ir_measures."""

from __future__ import annotations

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from contextbenchmark.trust.quality import measure_quality

paths = st.sampled_from([f"f{i}" for i in range(14)])
query = st.tuples(st.lists(paths, unique=True, max_size=12), st.sets(paths, max_size=12))


@given(st.lists(query, min_size=1, max_size=4))
def test_quality_is_what_ir_measures_says(queries: list[tuple[list[str], set[str]]]) -> None:
    quality = measure_quality(
        [ranked for ranked, _ in queries], [wanted for _, wanted in queries], 10, seed=1
    )
    judged = [(ranked, wanted) for ranked, wanted in queries if wanted]
    if not judged:
        assert quality is None
        return
    assert quality is not None
    qrels = {str(i): dict.fromkeys(wanted, 1) for i, (_, wanted) in enumerate(judged)}
    run = {
        str(i): {path: 100.0 - at for at, path in enumerate(ranked)} for i, (ranked, _) in enumerate(judged)
    }
    theirs = ir_measures.calc_aggregate([R @ 10, nDCG @ 10, RR @ 10], qrels, run)
    assert quality.recall.value == pytest.approx(theirs[R @ 10], abs=1e-6)
    assert quality.ndcg.value == pytest.approx(theirs[nDCG @ 10], abs=1e-6)
    assert quality.mrr.value == pytest.approx(theirs[RR @ 10], abs=1e-6)
    assert quality.recall.n == len(judged)


def test_no_quality_without_relevant_files() -> None:
    assert measure_quality([["a"], []], [[], ()], 10, seed=0) is None


def test_by_hand() -> None:
    quality = measure_quality([["x", "a", "y"]], [["a", "b"]], 3, seed=0)
    assert quality is not None
    assert (quality.recall.value, quality.mrr.value) == (0.5, 0.5)
    assert quality.ndcg.value == pytest.approx(0.6309 / 1.6309, abs=1e-4)
