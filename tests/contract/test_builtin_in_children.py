"""Every adapter of ours in the children that a run starts: built once, asked in two fresh processes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contextbenchmark.core.digest import digest_tree
from contextbenchmark.trust.adapter import Adapter, resolve
from contextbenchmark.trust.answer import Answer
from contextbenchmark.trust.artifact import read_artifact
from contextbenchmark.trust.embedding import Embedder
from contextbenchmark.trust.engines import engine_for, install
from contextbenchmark.trust.observation import list_hash
from contextbenchmark.trust.operation import Limits, Operation
from contextbenchmark.trust.surroundings import Interpreter, own_interpreter
from contextbenchmark.trust.workplace import Workplace

TESTS = Path(__file__).parents[1]
LIMITS = Limits(timeout_seconds=240)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

DOCUMENTS = {
    "garden/tomatoes.md": "# Tomatoes\n\nTomatoes ripen in the sun. Water the plants in the morning.\n",
    "garden/roses.md": "# Roses\n\nRoses need pruning in early spring. Cut above an outward bud.\n",
    "kitchen/coffee.txt": "Grind the coffee beans, heat the water, and brew an espresso in half a minute.\n",
    "kitchen/bread.txt": "Knead flour, water and yeast; let the bread dough rise, then bake the loaf.\n",
    "sea/sailing.md": "A sailing boat heels in the wind. Trim the mainsail and steer with the rudder.\n",
    "sea/whales.md": "Whales are mammals; a humpback whale sings and migrates across the ocean.\n",
    "code/payment.py": "def refund(payment):\n    '''Give a customer the money of a payment back.'''\n",
    "code/login.ts": "export function login(user: string, password: string) { return check(user, password); }\n",
    "code/empty.py": "",
    "notes/a.txt": "music theory: a chord of three notes is a triad\n",
    "notes/b.txt": "the mountain hut closes in winter because of avalanches\n",
    "notes/c.txt": "bicycle chains want oil and a new tyre wants air\n",
}
QUESTIONS = {
    "when do tomatoes ripen?": "garden/tomatoes.md",
    "brew espresso coffee": "kitchen/coffee.txt",
    "humpback whale ocean": "sea/whales.md",
    "check the password of a user at login": "code/login.ts",
}

EVERYTHING = "water the tomatoes in the morning sun"
TEXTS = [*QUESTIONS, "\u00bfqu\u00e9? (\"*'", "", "the", "zzyzx", EVERYTHING]


@dataclass(frozen=True, kw_only=True)
class Bench:
    adapter: Adapter
    interpreter: Interpreter
    workplace: Workplace
    vectors: tuple[Path, ...] = ()

    def build(self, corpus: Path, out: Path, seed: int = 1) -> None:
        with self._operation(seed, out) as operation:
            told = operation.hello()
            assert told.available, told.reason
            assert told.name == self.adapter.name
            assert told.version is not None and told.version.id
            operation.build(corpus, out)

    def ask(self, out: Path, texts: list[str], k: int, documents: set[str], seed: int) -> list[Answer]:
        with self._operation(seed, out) as operation:
            operation.hello()
            operation.open(out)
            answers = [operation.query(text, k, documents) for text in texts]
            operation.close()
        return answers

    def _operation(self, seed: int, out: Path) -> Operation:
        out.mkdir(exist_ok=True)
        return Operation(
            self.workplace,
            self.adapter,
            self.interpreter,
            LIMITS,
            seed=seed,
            writable=[out],
            vectors=self.vectors,
        )


@pytest.fixture(scope="module")
def workplace() -> Iterator[Workplace]:
    with Workplace() as made:
        yield made


def bench(workplace: Workplace, reference: str) -> Bench:
    adapter = resolve(reference)
    vectors = (small_vectors(workplace),) if adapter.vectors else ()
    return Bench(adapter=adapter, interpreter=interpreter_of(adapter), workplace=workplace, vectors=vectors)


def interpreter_of(adapter: Adapter) -> Interpreter:
    if not adapter.requirements:
        return own_interpreter()
    engine = install(engine_for(adapter.name, adapter.requirements, adapter.version), print)
    return Interpreter(python=engine.python, folders=(engine.site_packages,))


def small_vectors(workplace: Workplace) -> Path:
    """Return the vectors of the documents and of everything that is asked below."""
    wordllama = resolve("wordllama")
    embedder = Embedder(
        adapter=wordllama, interpreter=interpreter_of(wordllama), workplace=workplace, limits=LIMITS
    )
    return embedder.of_documents(DOCUMENTS, TEXTS)


def write(root: Path) -> Path:
    for path, text in DOCUMENTS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


NAMES = ["bm25", "fts5", *(pytest.param(name, marks=pytest.mark.engine) for name in
         ("bm25s", "tantivy", "wordllama", "emb-minilm", "faiss-flat", "faiss-hnsw", "faiss-ivf", "hnswlib",
          "hnswlib-1thread", "usearch", "sqlite-vec", "chroma", "qdrant", "lancedb", "milvus-lite"))]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_questions_find_their_documents_the_same_in_two_processes(
    name: str, workplace: Workplace, tmp_path: Path
) -> None:
    at_work = bench(workplace, name)
    corpus, out = write(tmp_path / "corpus"), tmp_path / "out"
    at_work.build(corpus, out)
    assert any(path.stat().st_size for path in out.rglob("*") if path.is_file())
    documents = set(DOCUMENTS)
    texts = TEXTS[:-1]
    first = at_work.ask(out, texts, 3, documents, seed=2)
    assert [answer.files[0] for answer in first[: len(QUESTIONS)]] == list(QUESTIONS.values())
    assert all(len(answer.files) <= 3 for answer in first)
    assert all(score is not None for answer in first for score in answer.scores)
    assert all(list(answer.scores) == sorted(answer.scores, reverse=True) for answer in first)  # type: ignore[type-var]
    assert at_work.ask(out, texts, 3, documents, seed=3) == first
    # More than there are: all that match, no file twice.
    (everything,) = at_work.ask(out, [EVERYTHING], 50, documents, seed=4)
    assert everything.files[0] == "garden/tomatoes.md"
    assert len(set(everything.files)) == len(everything.files) <= len(DOCUMENTS)


@needs_node
@pytest.mark.parametrize("vector", ["edges", "numeric", "plain", "unicode"])
def test_the_seeds_contract_in_node_gives_the_hashes_of_the_vectors_as_python_does(
    vector: str, workplace: Workplace, tmp_path: Path
) -> None:
    folder = TESTS / "vectors" / "bm25" / vector
    expected = json.loads((folder / "expected.json").read_bytes())
    corpus = folder / "corpus"
    documents = {path.relative_to(corpus).as_posix() for path in corpus.rglob("*") if path.is_file()}
    for reference in ("bm25", str(TESTS / "fakes" / "bm25.mjs")):
        at_work = bench(workplace, reference)
        out = tmp_path / at_work.adapter.kind
        at_work.build(corpus, out)
        assert read_artifact(out, None).hash == expected["artifactHash"]
        texts = list(expected["queryHashes"])
        answers = at_work.ask(out, texts, expected["k"], documents, seed=5)
        assert {text: list_hash(answer.files) for text, answer in zip(texts, answers, strict=True)} == (
            expected["queryHashes"]
        )


@pytest.mark.parametrize("vector", ["edges", "numeric", "plain", "unicode"])
def test_the_corpora_of_the_vectors_have_their_hashes(vector: str) -> None:
    folder = TESTS / "vectors" / "bm25" / vector
    expected = json.loads((folder / "expected.json").read_bytes())
    assert digest_tree(folder / "corpus").tree == expected["corpusHash"]
