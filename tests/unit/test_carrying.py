"""What goes into a fresh process by reference, what by value, and what cannot go."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

from contextbenchmark.carrying import can_be_imported, carry, dump
from contextbenchmark.errors import ConfigurationError
from contextbenchmark.frameworks import LangChain, Opened
from contextbenchmark.retrievers import OwnAdapter


def test_what_can_be_imported_is_told_from_what_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_be_imported("json") and can_be_imported("contextbenchmark.retrievers")
    assert can_be_imported("builtins") and can_be_imported("sys")
    assert not can_be_imported("__main__")
    stranger = types.ModuleType("stranger")
    stranger.__file__ = json.__file__
    monkeypatch.setitem(sys.modules, "stranger", stranger)
    assert not can_be_imported("stranger")
    # A name that leads to another file there: calling it by reference would run something else.
    impostor = types.ModuleType("textwrap")
    impostor.__file__ = json.__file__
    monkeypatch.setitem(sys.modules, "textwrap", impostor)
    assert not can_be_imported("textwrap")


def test_importable_functions_go_by_reference() -> None:
    own = OwnAdapter(build=json.dump, query=json.loads)
    data, modules = dump(own)
    assert {"json", "contextbenchmark.retrievers"} <= modules
    assert b"cloudpickle" not in data
    assert pickle.loads(data).query is json.loads


def test_functions_of_a_file_that_is_not_on_the_path_go_by_value(tmp_path: Path) -> None:
    path = tmp_path / "hidden_away.py"
    path.write_text("FACTOR = 3\ndef build(a, b): return FACTOR * len(a + b)\n")
    module = types.ModuleType("hidden_away")
    module.__file__ = str(path)
    sys.modules["hidden_away"] = module
    try:
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        adapter = carry(OwnAdapter(name="x", build=module.build, query=json.loads), tmp_path / "carried")
    finally:
        del sys.modules["hidden_away"]
    assert adapter.path is not None and adapter.source.startswith("sha256:")
    read = f"import runpy; print(runpy.run_path({str(adapter.path)!r})['adapter'].build('ab', 'c'))"
    done = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "9"


def test_without_cloudpickle_a_lambda_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(ConfigurationError, match="Install cloudpickle"):
        dump(OwnAdapter(build=lambda a, b: None, query=json.loads))


def test_what_no_process_can_be_given_is_refused(tmp_path: Path) -> None:
    lock = threading.Lock()
    with pytest.raises(ConfigurationError, match="cannot be carried into a fresh process"):
        carry(OwnAdapter(build=lambda a, b: lock.locked(), query=json.loads), tmp_path)


def test_a_wrapper_keeps_the_first_document_of_each_file_and_says_where_a_path_is_missing() -> None:
    class Document:
        def __init__(self, **metadata: str) -> None:
            self.metadata = metadata

    class Retriever:
        def invoke(self, text: str) -> list[Document]:
            return [Document(source=name) for name in text.split()] if text else [Document(page="1")]

    wrapped = Opened(LangChain(lambda _: None, None, "source"), Retriever())
    assert wrapped.query("b a b c a d", 3) == [{"file": name, "score": None} for name in ("b", "a", "c")]
    with pytest.raises(KeyError, match=r"no 'source' in its metadata .it has page.: say with file="):
        wrapped.query("", 3)
