"""A small corpus, and adapters written for a test from a few lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from contextbenchmark.trust.adapter import Adapter, resolve
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.operation import Limits
from contextbenchmark.trust.pipeline import Outcome, Request, run
from contextbenchmark.trust.record import Parameters

WORDS = [
    a + b for a in ("ka", "lo", "mi", "nu", "re", "so") for b in ("ban", "dor", "fel", "gim", "hus", "jat")
]
HONEST = (Path(__file__).parent.parent / "fakes" / "unearned" / "_base.py").read_text()

ADAPTER = """
name = "written-for-a-test"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
"""

WriteAdapter = Callable[[str], Adapter]
RunAdapters = Callable[..., Outcome]


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 documents of 12 words drawn from 36, and 20 queries of three words: many matches, many ties."""
    folder = tmp_path_factory.mktemp("corpus")
    draw = random.Random(7)
    for number in range(60):
        (folder / f"doc{number:02d}.txt").write_text(" ".join(draw.choices(WORDS, k=12)) + "\n")
    queries = sorted({" ".join(draw.sample(WORDS, 3)) for _ in range(20)})
    (folder / "queries.json").write_text(json.dumps(queries))
    return folder


@pytest.fixture
def write_adapter(tmp_path: Path) -> WriteAdapter:
    """Write an honest adapter with ``lines`` at its end, which redefine what the test is about."""

    def write(lines: str = "") -> Adapter:
        path = tmp_path / f"adapter{len(list(tmp_path.glob('adapter*.py')))}.py"
        path.write_text(f"{HONEST}\n{ADAPTER}\n{lines}\n")
        return resolve(str(path))

    return write


@pytest.fixture
def run_adapters(corpus_folder: Path, tmp_path: Path) -> RunAdapters:
    """Run adapters on the small corpus: two builds, three passes, no drift, unless told otherwise."""

    def run_them(
        *adapters: Adapter, timeout: float = 60.0, memory: int | None = None, **changed: object
    ) -> Outcome:
        asked: dict[str, object] = {"rebuilds": 2, "trials": 3, "families": ("rebuild", "query"), **changed}
        request = Request(
            adapters=adapters,
            corpus=load_corpus(corpus_folder),
            parameters=Parameters.model_validate(asked),
            out=tmp_path / "results",
            jobs=2,
            limits=Limits(timeout_seconds=timeout, memory_bytes=memory),
        )
        return run(request)

    return run_them
