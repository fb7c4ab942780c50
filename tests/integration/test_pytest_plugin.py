"""A team's own test suite with the gate in it: it passes, and fails and says why once the retriever is unstable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

RETRIEVER = """
import json, os

def build(corpus_dir, out_dir):
    texts = {}
    for folder, _, files in os.walk(corpus_dir):
        for file in files:
            path = os.path.join(folder, file)
            with open(path, encoding="utf-8") as stream:
                texts[os.path.relpath(path, corpus_dir).replace(os.sep, "/")] = stream.read().lower()
    with open(os.path.join(out_dir, "index.json"), "w") as stream:
        json.dump(texts, stream, sort_keys=True)

def query(out_dir, text, k):
    with open(os.path.join(out_dir, "index.json")) as stream:
        texts = json.load(stream)
    scores = {file: sum(body.count(word) for word in text.lower().split()) for file, body in texts.items()}
    ranked = sorted((file for file in scores if scores[file]), key=lambda file: (-scores[file], tie(file)))
    return [{"file": file, "score": scores[file]} for file in ranked[:k]]
"""
STABLE = "\ndef tie(file):\n    return file\n"
UNSTABLE = "\ndef tie(file):\n    return hash(file)\n"
TESTS = """
import pytest
from contextbenchmark import OwnAdapter
import retriever

@pytest.fixture
def ours():
    return OwnAdapter(name="ours", build=retriever.build, query=retriever.query)

@pytest.mark.context_level("CTL-3", corpus="docs", rebuilds=2, trials=2)
def test_our_retriever(ours, assert_context_level):
    report = assert_context_level(ours)
    assert report.systems[0].level == "CTL-3"

def test_something_else():
    pass
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(test_team=TESTS, retriever=RETRIEVER + STABLE)
    docs = pytester.mkdir("docs")
    for number in range(12):
        (docs / f"note-{number}.md").write_text(f"sun and rain, number {number}\n" + "moon\n" * (number % 3))
    (docs / "queries.json").write_text('["sun", "rain and moon", "number moon", "number 7"]')
    return pytester


def test_a_project_with_a_stable_retriever_passes_and_says_its_level(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-W", "error", "--strict-markers")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["*context trust levels*", "passed  ours on docs: CTL-3: other bytes in 0 of 1 rebuild*"]
    )


def test_it_fails_when_the_retriever_becomes_unstable_and_says_why(project: pytest.Pytester) -> None:
    project.makepyfile(retriever=RETRIEVER + UNSTABLE)
    result = project.runpytest_subprocess("-o", "junit_family=xunit1", "--junitxml=found.xml")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*expected CTL-3 on docs*",
            "*GATE FAILED  ours: is CTL-0, below CTL-3*",
            "*4 answers differed between builds: mean Jaccard*",
            "FAILED  ours on docs: CTL-0*",
        ]
    )
    assert 'name="contextbenchmark" value="FAILED  ours on docs: CTL-0' in Path("found.xml").read_text()


def test_what_broke_in_the_retriever_is_in_the_message(project: pytest.Pytester) -> None:
    project.makepyfile(retriever=RETRIEVER + "\ndef tie(file):\n    raise OSError('the disk is on fire')\n")
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*failed while answering: OSError: the disk is on fire*"])


def test_tests_that_measure_can_be_chosen_and_workers_report_what_they_measured(
    project: pytest.Pytester,
) -> None:
    project.runpytest_subprocess("-m", "not context_level").assert_outcomes(passed=1, deselected=1)
    result = project.runpytest_subprocess("-n", "1", "-m", "context_level")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["passed  ours on docs: CTL-3*"])


def test_unused_it_prints_nothing_and_imports_little(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_light():\n    heavy = {'numpy', 'pydantic', 'rich', 'contextbenchmark.measuring'}\n"
        "    assert not heavy & sys.modules.keys()\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)
    assert "context trust levels" not in result.stdout.str()


def test_a_new_adapter_passes_its_own_test_and_is_not_overwritten(pytester: pytest.Pytester) -> None:
    command = [sys.executable, "-m", "contextbenchmark", "new-adapter", "my-engine"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    pytester.runpytest_subprocess("test_my_engine.py").assert_outcomes(passed=2)
    path = pytester.path / "my_engine.py"
    path.write_text("# mine\n")
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr.splitlines()[0]) == (4, "Error: my_engine.py is there already.")
    assert path.read_text() == "# mine\n"
