from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def module(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("_distribution")


def test_what_is_missing_is_named(module: ModuleType) -> None:
    assert module.installed("numpy", "pydantic") is True
    missing = module.installed("numpy", "no-such-engine", "nor-this-one")
    assert missing == "no-such-engine and nor-this-one not installed in this environment"


def test_an_identity_lists_what_is_installed(module: ModuleType) -> None:
    assert module.versions("numpy", "pydantic") == {
        "id": f"numpy {importlib.metadata.version('numpy')}, pydantic {importlib.metadata.version('pydantic')}",
        "source": "declared",
    }


def test_how_a_wheel_was_built_is_a_note(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", {"torch": "2.13.0+cpu", "x": "1.0"}.__getitem__)
    assert module.versions("x", "torch") == {
        "id": "x 1.0, torch 2.13.0", "source": "declared", "note": "x 1.0, torch 2.13.0+cpu"
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bm25s", "tantivy", "wordllama", "emb_minilm"])
def test_an_engine_that_is_not_here_is_unavailable_with_its_name(
    load_adapter: Callable[[str], ModuleType], name: str
) -> None:
    """Our own interpreter holds no engine: the adapter's file of the same name must not be taken for it."""
    adapter = load_adapter(name)
    distribution = adapter.requirements[0].partition("==")[0]
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        assert distribution in adapter.available()
    else:
        pytest.skip(f"{distribution} is installed here")
