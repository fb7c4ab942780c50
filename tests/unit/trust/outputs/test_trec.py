"""What we export scores, in another implementation, as we scored it; identifiers lead back."""

from __future__ import annotations

from urllib.parse import unquote

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from contextbenchmark.trust.corpus import Query
from contextbenchmark.trust.outputs.trec import document_id, first_lists, qrels_file, run_file, trec_files
from tests.golden.sample import NOISE, QUERIES, sample

# No lone surrogates: a path that is not UTF-8 never gets into a corpus.
PATHS = st.text(alphabet=st.characters(codec="utf-8"), min_size=1)


@pytest.mark.parametrize("name", ["steady", "graph-ann@0.9.1", "constant"])
def test_another_implementation_finds_the_same_quality(name: str) -> None:
    report, _, observations = sample()
    quality = next(system.quality for system in report.systems if system.name == name)
    assert quality is not None
    files = trec_files(report, observations, QUERIES)
    run = list(ir_measures.read_trec_run(files[f"{name}.run"]))
    qrels = list(ir_measures.read_trec_qrels(files["sample-shop.qrels"]))
    found = ir_measures.calc_aggregate([nDCG @ 10, R @ 10, RR @ 10], qrels, run)
    assert found[nDCG @ 10] == pytest.approx(quality.ndcg.value, abs=1e-4)
    assert found[R @ 10] == pytest.approx(quality.recall.value, abs=1e-9)
    assert found[RR @ 10] == pytest.approx(quality.mrr.value, abs=1e-9)


@given(PATHS)
def test_an_identifier_has_no_white_space_and_leads_back(path: str) -> None:
    identifier = document_id(path)
    assert identifier.split() == [identifier] and unquote(identifier, errors="strict") == path


@given(st.lists(PATHS, unique=True, min_size=1, max_size=8))
def test_a_run_reads_back_in_the_order_that_was_returned(paths: list[str]) -> None:
    lines = run_file([paths, ()], "a system").split("\n")[:-1]
    columns = [line.split() for line in lines]
    assert {len(column) for column in columns} == {6}
    ordered = sorted(columns, key=lambda column: -float(column[4]))
    assert [unquote(column[2]) for column in ordered] == paths
    assert {column[0] for column in columns} == {"q0001"}


def test_what_was_changed_stands_in_a_file_and_errors_have_no_run() -> None:
    report, _, observations = sample()
    queries = (Query(text="a\tb\nc", relevant=frozenset({NOISE})), *QUERIES[1:])
    files = trec_files(report, observations, queries)
    assert files["documents.tsv"] == f"src/domain/noise%200001.ts\t{NOISE}\n"
    assert files["queries.tsv"].splitlines()[0] == "q0001\ta\\x09b\\x0ac"
    assert qrels_file(queries).splitlines()[0] == "q0001 0 src/domain/noise%200001.ts 1"
    assert "hangs.run" not in files and "needs-a-key.run" not in files
    assert first_lists(observations, "hangs") == ()
