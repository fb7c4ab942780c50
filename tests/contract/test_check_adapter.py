"""``check_adapter`` finds what breaks the contract, and says what and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.testing import check_adapter

GOOD = """
import json, os
name = "mine"
{top}

def build(corpus_dir, out_dir):
    found = dict()
    for folder, _, files in os.walk(corpus_dir):
        for file in files:
            path = os.path.join(folder, file)
            found[os.path.relpath(path, corpus_dir)] = open(path, encoding="utf-8").read().lower()
    {build}

def query(out_dir, text, k):
    found = json.load(open(os.path.join(out_dir, "index.json"), encoding="utf-8"))
    words = text.lower().strip("?").split()
    hits = sorted(((sum(word in body for word in words), file) for file, body in found.items()), reverse=True)
    answer = [dict(file=file, score=score) for score, file in hits if score][:k]
    {query}
    return answer
"""
STORE = 'json.dump(found, open(os.path.join(out_dir, "index.json"), "w", encoding="utf-8"))'


def write(tmp_path: Path, *, top: str = "", build: str = STORE, query: str = "") -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD.format(top=top, build=build, query=query))
    return path


def test_a_good_adapter_passes(tmp_path: Path) -> None:
    check_adapter(write(tmp_path))


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ({"top": "requirements = ['six']"}, "requirements: 'six' pins no version"),
        ({"top": "import numpy\nrequirements = ['six==1.16.0']"}, "it imports numpy at its top"),
        ({"top": "def available():\n    return 'no licence'"}, r"available\(\): no licence"),
        ({"top": "def version():\n    return str(hash('a'))"}, r"version\(\): .* in one process and"),
        ({"top": "artifact_file = 'other.bin'"}, "artifact_file 'other.bin' is not in out_dir"),
        ({"build": "pass"}, "building: it left nothing in out_dir"),
        ({"build": "raise OSError('no room')"}, "building: mine failed while building: OSError: no room"),
        ({"query": "answer = answer + answer[:1]"}, "answering: .*more than once"),
        ({"query": "answer = answer[::-1]"}, "scores are not in descending order"),
        ({"query": "answer = []"}, "of 4 plain questions it found the document of 0"),
        ({"query": "1 / len(text)"}, "answering: .*ZeroDivisionError"),
        ({"query": "answer = [dict(file=out_dir, score=1)]"}, "answering: .*"),
        (
            {"build": STORE + "\n    open(os.path.join(out_dir, 'where'), 'w').write(out_dir)",
             "query": "assert open(os.path.join(out_dir, 'where')).read() == out_dir"},
            "answering from a copy of its artifact at another path: .*AssertionError",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(planted: dict[str, str], told: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=f"(?s){told}"):
        check_adapter(write(tmp_path, **planted), install=False)
