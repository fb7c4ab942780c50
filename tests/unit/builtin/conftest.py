"""Load an adapter of ours the way its host does: by path, with its folder last on the module path."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import contextbenchmark

ADAPTERS = Path(contextbenchmark.__file__).parent / "builtin" / "adapters"


def _load(name: str) -> ModuleType:
    path = ADAPTERS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"loaded_adapter_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.append(str(ADAPTERS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ADAPTERS))
    return module


@pytest.fixture(scope="session")
def load_adapter() -> Callable[[str], ModuleType]:
    return _load
