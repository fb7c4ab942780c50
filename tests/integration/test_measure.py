"""Measuring one's own retriever from Python: functions by reference and by value, scripts, queries, mistakes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import contextbenchmark
from contextbenchmark.errors import ConfigurationError

SMALL: dict[str, Any] = {"rebuilds": 2, "trials": 2, "families": ("rebuild", "query")}


def build(corpus_dir: str, out_dir: str) -> None:
    names = sorted(entry.name for entry in os.scandir(corpus_dir))
    Path(out_dir, "names.txt").write_text("\n".join(names))


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    names = Path(out_dir, "names.txt").read_text().split("\n")
    order = random.Random(text)
    order.shuffle(names)
    return [{"file": name, "score": None} for name in names[:k]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number:02d}.txt").write_text(f"document {number}\n")
    return folder


QUERIES = ["one", "two", {"query": "three", "relevant": ["03.txt"]}]


def test_functions_of_a_module_are_measured_and_so_is_quality(corpus: Path, tmp_path: Path) -> None:
    report = contextbenchmark.measure(
        build=build, query=query, corpus=corpus, queries=QUERIES, k=20, out=tmp_path / "kept", **SMALL
    )
    (system,) = report.systems
    assert (system.name, system.level, system.failure) == ("retriever", "CTL-3", None)
    assert report.corpus.queries == 3 and report.corpus.queries_with_relevant == 1
    assert system.quality is not None and system.quality.recall.value == 1.0
    assert (tmp_path / "kept" / "report.json").is_file()


def test_a_lambda_goes_by_value_and_its_process_has_a_hash_seed_of_its_own(corpus: Path) -> None:
    report = contextbenchmark.measure(
        build=build,
        query=lambda out, text, k: sorted(query(out, text, k), key=lambda hit: hash((text, hit["file"]))),
        corpus=corpus,
        queries=QUERIES,
        name="by-hash",
        **SMALL,
    )
    assert (report.systems[0].name, report.systems[0].level) == ("by-hash", "CTL-0")


def test_a_failing_retriever_is_a_row_that_says_so(corpus: Path) -> None:
    def broken(corpus_dir: str, out_dir: str) -> None:
        raise ValueError("no room for an index")

    report = contextbenchmark.measure(build=broken, query=query, corpus=corpus, queries=QUERIES, **SMALL)
    system = report.systems[0]
    assert system.status == "error" and system.failure is not None
    assert "ValueError: no room for an index" in system.failure.message


def test_a_script_without_a_guard_measures_its_own_functions_once(corpus: Path, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        "import os, contextbenchmark\n"
        "print('started')\n"
        "def build(corpus_dir, out_dir):\n\n"
        "    open(os.path.join(out_dir, 'x'), 'w').write(str(sorted(os.listdir(corpus_dir))))\n"
        "def query(out_dir, text, k):\n    names = eval(open(os.path.join(out_dir, 'x')).read())\n"
        "    at = len(text) % 7\n    return [{'file': n, 'score': None} for n in names[at:at + k]]\n"
        f"report = contextbenchmark.measure(build=build, query=query, corpus={str(corpus)!r},\n"
        "    queries=['a', 'bb', 'ccc'], rebuilds=2, trials=2)\n"
        "print(report.systems[0].level)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.stdout.split() == ["started", "CTL-3"], done.stderr


def test_the_name_of_an_adapter_does_as_well() -> None:
    report = contextbenchmark.measure("bm25", corpus="webshop", **SMALL)
    assert (report.systems[0].name, report.systems[0].level) == ("bm25", "CTL-3")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"build": build}, "measure() needs either an adapter, or build= and query=."),
        ({"adapter": object(), "build": build, "query": query}, "needs either an adapter"),
        ({"adapter": 7}, "7 is no adapter: it has no name."),
        ({"build": build, "query": query, "trails": 3}, "measure() knows no 'trails'. Did you mean trials?"),
        ({"build": build, "query": query, "k": 0}, "k is 0."),
        ({"build": build, "query": query, "families": "drfit"}, "families: 'drfit' is not one."),
        ({"build": build, "query": query, "rebuilds": "many"}, "rebuilds: Input should be a valid integer"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(given: dict[str, Any], problem: str, corpus: Path) -> None:
    adapter = given.pop("adapter", None)
    with pytest.raises(ConfigurationError) as caught:
        contextbenchmark.measure(adapter, corpus=corpus, **given)
    assert problem in caught.value.problem and caught.value.remedy
