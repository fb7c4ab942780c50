"""What the figures are measured on, and whole runs as processes of their own."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.corpus import Corpus
from contextbenchmark.trust.generate import generate
from contextbenchmark.trust.named import corpus_by_name
from contextbenchmark.trust.record import Times

K = 10
ASKED_AGAIN = 3


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much a run does: builds and passes of the base cells, and of the noise cells (one pass each)."""

    rebuilds: int = 3
    trials: int = 5
    drift: bool = True

    def options(self) -> list[str]:
        families = "rebuild,query,drift" if self.drift else "rebuild,query"
        return ["--rebuilds", str(self.rebuilds), "--trials", str(self.trials), "--families", families]


def django() -> Corpus:
    """Return the pinned django corpus, fetched into the cache when it is not there yet."""
    return corpus_by_name("django")


def thousand_files(folder: Path) -> Path:
    """Make the corpus that the Node tool's recorded run was about in size: 1,000 files, 17 MB, 10 queries."""
    generate(folder, 1000, 0, mean_bytes=17_000, queries=10)
    return folder


def run(out: Path, corpus: str, plan: Plan, *options: str) -> float:
    """Run the program on bm25 as a user does, into a new folder; return the whole process's wall seconds."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "contextbenchmark", "run", "--adapters", "bm25", "--corpus", corpus]
    command += ["--out", str(out), *plan.options(), *options]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return spent


def largest_process_bytes() -> int:
    """Return the peak resident memory of the largest process of all runs so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def adapter_peak_bytes(out: Path) -> int:
    """Return the largest peak resident memory of the operations of the run in ``out``, in bytes."""
    times = Times.model_validate_json((out / "times.json").read_bytes())
    kinds = [kind for system in times.systems for kind in (system.build, system.query_pass)]
    return max(peak for kind in kinds for peak in kind.peak_memory_bytes)


def adapter_alone(scratch: Path, corpus: Corpus, plan: Plan) -> float:
    """Return the seconds that bm25 itself takes for what a run with ``plan`` asks of it."""
    adapter = resolve("bm25")
    assert adapter.path is not None
    texts = [query.text for query in corpus.queries]
    asked = scratch / "asked.json"
    asked.write_text(json.dumps([*texts, *texts[:ASKED_AGAIN]]))
    bare = [sys.executable, "-s", "-S", "-P", str(Path(__file__).parent / "bare.py"), str(adapter.path)]

    def operation(*arguments: str) -> float:
        done = subprocess.run([*bare, *arguments], capture_output=True, text=True, check=True)
        return float(done.stdout)

    spent = 0.0
    for build in range(plan.rebuilds + plan.drift):
        out = scratch / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        spent += operation("build", str(corpus.root), str(out))
        # One pass over a noise build; one more over a base build where bm25 declares an artifact file.
        more = adapter.artifact_file is not None
        for _ in range(plan.trials + more if build < plan.rebuilds else 1):
            spent += operation("pass", str(out), str(K), str(asked))
    return spent
