"""What every adapter of ours keeps to: read without running, standard library at the top, the same shape."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import contextbenchmark
from contextbenchmark.checking import imported_at_the_top
from contextbenchmark.trust.adapter import resolve

FOLDER = Path(contextbenchmark.__file__).parent / "builtin" / "adapters"
VECTOR_NAMES = (
    "faiss-flat",
    "faiss-hnsw",
    "faiss-ivf",
    "hnswlib",
    "hnswlib-1thread",
    "usearch",
    "sqlite-vec",
    "chroma",
    "qdrant",
    "lancedb",
    "milvus-lite",
)
FRAMEWORK_NAMES = (
    "llama-index",
    "langchain-faiss",
    "langchain-memory",
    "haystack",
    "mem0",
    "mem0-llm",
    "mem0-cloud",
    "zep",
    "supermemory",
)
NAMES = ("bm25", "fts5", "bm25s", "tantivy", "wordllama", "emb-minilm", *VECTOR_NAMES, *FRAMEWORK_NAMES)
HELPERS = {path.stem for path in FOLDER.glob("_*.py")}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_top_of_a_file_imports_the_standard_library_and_helpers_beside_it(path: Path) -> None:
    assert imported_at_the_top(path) <= sys.stdlib_module_names | HELPERS


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_point_is_read_without_running_it(name: str) -> None:
    adapter = resolve(name)
    assert adapter.name == adapter.label == name
    assert adapter.path is not None and adapter.path.parent == FOLDER
    assert adapter.summary and "\n" not in adapter.summary
    assert bool(adapter.requirements) == (name not in ("bm25", "fts5"))
    assert adapter.source.startswith("sha256:")


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_that_looks_vectors_up_says_so_and_no_other_does(name: str) -> None:
    adapter = resolve(name)
    assert adapter.vectors == (name in VECTOR_NAMES)
    if adapter.vectors:
        # Distances are computed with it: its version may decide a tie.
        assert any(requirement.startswith("numpy==") for requirement in adapter.requirements)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("bm25", "fts5")])
def test_an_engine_is_pinned_and_another_version_can_be_asked_for(name: str) -> None:
    adapter = resolve(f"{name}@9.9")
    assert "==" in adapter.requirements[0]
    assert (adapter.label, adapter.version) == (f"{name}@9.9", "9.9")


@pytest.mark.parametrize("name", NAMES)
def test_the_functions_of_the_contract_have_its_parameters(name: str) -> None:
    path = resolve(name).path
    assert path is not None
    functions = {
        node.name: [argument.arg for argument in node.args.args]
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, ast.FunctionDef)
    }
    assert functions["build"] == ["corpus_dir", "out_dir"]
    assert functions["query"] == ["out_dir", "text", "k"]
    assert functions["open"] == ["out_dir"]
    assert functions["available"] == functions["version"] == []


def test_a_helper_that_changes_changes_the_source_of_those_that_use_it(tmp_path: Path) -> None:
    for path in FOLDER.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = {name: resolve(str(tmp_path / f"{name}.py")).source for name in ("bm25", "fts5", "wordllama")}
    with (tmp_path / "_documents.py").open("a") as stream:
        stream.write("# changed\n")
    after = {name: resolve(str(tmp_path / f"{name}.py")).source for name in before}
    assert {name for name in before if before[name] != after[name]} == {"fts5", "wordllama"}


def test_our_own_adapters_are_those_that_the_tests_name() -> None:
    assert {resolve(name).path for name in NAMES} == set(FOLDER.glob("[!_]*.py"))


def test_what_is_sent_elsewhere_is_said_and_so_is_each_variable_that_is_passed_on() -> None:
    remote = {name for name in NAMES if resolve(name).remote}
    assert remote == {"mem0-cloud", "zep", "supermemory"}
    for name in NAMES:
        assert bool(resolve(name).environment) == (name in remote or name == "mem0-llm")
