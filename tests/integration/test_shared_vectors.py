"""The shared embedding step in whole runs: an embedder and an engine of a test, in real children."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import contextbenchmark
from contextbenchmark.core.folders import cache_folder
from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.embedding import Embedder
from contextbenchmark.trust.journal import read_manifest, read_observations
from contextbenchmark.trust.opening import resolve_embedder
from contextbenchmark.trust.operation import Limits
from contextbenchmark.trust.outcome import OperationFailed
from contextbenchmark.trust.pipeline import Outcome, Request, run
from contextbenchmark.trust.record import Parameters
from contextbenchmark.trust.surroundings import own_interpreter
from contextbenchmark.trust.workplace import Workplace

ADAPTERS = Path(contextbenchmark.__file__).parent / "builtin" / "adapters"

# Each word has a direction of its own, so cosines are those of counted words.
EMBEDDER = """
from _embedding import embed_shared

name = "counting"


def version():
    return "1"


def vectors_of(texts):
    import zlib

    import numpy as np

    found = np.zeros((len(texts), 512), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            found[row, zlib.crc32(word.encode()) % 512] += 1
    return found


def embed(corpus_dir, out_dir, texts):
    embed_shared(corpus_dir, out_dir, texts, vectors_of, "counting 1")


def build(corpus_dir, out_dir):
    raise NotImplementedError


def query(out_dir, text, k):
    raise NotImplementedError
"""

ENGINE = """
from _vectors import Passages, Vectors, nearest_files, read_files, versions

name = "exact"
vectors = True


def version():
    return versions("numpy")


def build(corpus_dir, out_dir):
    import numpy as np

    found = Passages(corpus_dir)
    np.save(out_dir + "/index.npy", found.vectors)
    found.write_files(out_dir)


def query(out_dir, text, k):
    import numpy as np

    index, files, vector = np.load(out_dir + "/index.npy"), read_files(out_dir), Vectors().of(text)
    if vector is None:
        return []
    cosines = index @ vector
    order = np.argsort(-cosines, kind="stable")
    return nearest_files(lambda n: [(files[row], cosines[row]) for row in order[:n]], len(files), k)
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CONTEXTBENCHMARK_CACHE", str(tmp_path / "cache"))
    yield


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with our helpers, an embedder and an engine that uses its vectors."""
    folder = tmp_path / "adapters"
    folder.mkdir()
    for helper in ADAPTERS.glob("_*.py"):
        shutil.copy(helper, folder)
    (folder / "counting.py").write_text(EMBEDDER)
    (folder / "exact.py").write_text(ENGINE)
    return folder


def measure(
    place: Path,
    corpus: Path,
    *others: str,
    resume: bool = False,
    embedder: str = "counting.py",
    **asked: object,
) -> Outcome:
    request = Request(
        adapters=[resolve(str(place / "exact.py")), *(resolve(other) for other in others)],
        corpus=load_corpus(corpus),
        parameters=Parameters.model_validate({"rebuilds": 2, "trials": 2, **asked}),
        out=place.parent / "results",
        jobs=2,
        embedder=str(place / embedder),
        resume=resume,
    )
    return run(request)


def kept() -> list[Path]:
    return sorted(path for path in (cache_folder() / "vectors").glob("counting-*"))


def test_vectors_are_computed_once_and_the_result_says_whose_they_are(
    place: Path, corpus_folder: Path
) -> None:
    outcome = measure(place, corpus_folder)
    (system,) = outcome.report.systems
    assert (system.status, system.level) == ("ok", "CTL-3")
    assert system.deviations == ("its vectors are those of counting 1, computed once for all builds",)
    assert system.system is not None and system.system.id.endswith(", vectors by counting 1")
    # One for corpus and queries, one for the noise: not one a build or a pass.
    first = kept()
    assert len(first) == 2
    sizes = sorted(len(json.loads((folder / "rows.json").read_bytes())) for folder in first)
    assert sizes == [2, 80]  # 60 documents and 20 queries; one noise document and its probe
    facts = read_manifest(outcome.folder).embedding
    assert facts is not None and (facts.embedder, facts.identity) == ("counting", "counting 1")
    # The noise was found by its own words, so drift was measured and not skipped.
    assert system.families.drift.verdict is not None, system.families.drift.reason
    stamps = [(folder / "vectors.npy").stat().st_mtime_ns for folder in first]
    measure(place, corpus_folder)
    assert kept() == first
    assert [(folder / "vectors.npy").stat().st_mtime_ns for folder in first] == stamps


def test_an_embedder_that_fails_costs_only_those_that_need_it(place: Path, corpus_folder: Path) -> None:
    (place / "counting.py").write_text(EMBEDDER.replace("found = np", "raise OSError('no model here') #"))
    outcome = measure(place, corpus_folder, "fts5", families=("rebuild", "query"))
    exact, fts5 = outcome.report.systems
    assert (exact.status, fts5.status) == ("unavailable", "ok")
    assert "It has no vectors: counting failed while embedding: OSError: no model here" in str(exact.reasons)
    assert kept() == []


def test_an_adapter_that_does_not_embed_is_no_embedder(place: Path, corpus_folder: Path) -> None:
    outcome = measure(place, corpus_folder, embedder="exact.py", families=("rebuild", "query"))
    (exact,) = outcome.report.systems
    assert exact.status == "unavailable"
    assert "the adapter has no `embed`: it cannot embed for others" in str(exact.reasons)


def test_noise_that_cannot_be_embedded_is_that_systems_error(place: Path, corpus_folder: Path) -> None:
    # One document and one probe: only the noise has so few texts.
    fails = EMBEDDER.replace("    import zlib", "    assert len(texts) > 2, 'too few'\n    import zlib")
    (place / "counting.py").write_text(fails)
    outcome = measure(place, corpus_folder)
    (system,) = outcome.report.systems
    assert system.status == "error"
    failures = [failure.message for failure in read_observations(outcome.folder).failures("exact")]
    assert failures == ["counting failed while embedding: AssertionError: too few."]


def test_a_run_is_not_resumed_over_other_vectors(place: Path, corpus_folder: Path) -> None:
    measure(place, corpus_folder, families=("rebuild", "query"))
    measure(place, corpus_folder, families=("rebuild", "query"), resume=True)
    changed = EMBEDDER.replace("% 512] += 1", "% 512] += 2 + len(word)")
    (place / "counting.py").write_text(changed)
    with pytest.raises(RunFolderError, match="the shared embedding differs"):
        measure(place, corpus_folder, families=("rebuild", "query"), resume=True)


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("import os; os.remove(out_dir + '/rows.json')", "left no usable vectors"),
        ("open(out_dir + '/rows.json', 'w').write('{}')", "do not belong together"),
        (
            "import numpy as np; np.save(out_dir + '/vectors.npy', np.load(out_dir + '/vectors.npy') * np.nan)",
            "not finite",
        ),
        ("open(out_dir + '/embedder.json', 'w').write('[]')", "left no usable vectors"),
    ],
)
def test_what_are_no_vectors_is_not_kept(place: Path, planted: str, told: str) -> None:
    (place / "counting.py").write_text(EMBEDDER.replace('"counting 1")\n', f'"counting 1")\n    {planted}\n'))
    with Workplace() as workplace:
        embedder = Embedder(
            adapter=resolve(str(place / "counting.py")),
            interpreter=own_interpreter(),
            workplace=workplace,
            limits=Limits(timeout_seconds=60),
        )
        with pytest.raises(OperationFailed, match=told):
            embedder.of_documents({"a.txt": "some words"}, ["a question"])
    assert kept() == []


def test_an_embedder_goes_by_a_short_name_too() -> None:
    assert resolve_embedder("minilm").name == "emb-minilm"
    assert resolve_embedder("wordllama").name == "wordllama"
    assert resolve_embedder("wordllama@0.3.0").label == "wordllama@0.3.0"
