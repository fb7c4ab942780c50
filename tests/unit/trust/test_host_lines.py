"""The host's own reader and writer of JSON lines agree with the json module."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.trust import host

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("host_lines", Path(host.__file__).with_name("lines.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LINES = load()


@given(VALUES)
def test_writes_what_json_reads_and_reads_what_json_writes(value: Any) -> None:
    assert json.loads(LINES.write(value, repr)) == value
    assert LINES.read(json.dumps(value, ensure_ascii=False)) == value


def test_the_quick_way_is_the_one_in_use_here() -> None:
    assert LINES.read.__qualname__.startswith("_quick.")


def test_what_is_no_number_reaches_the_parent_as_such() -> None:
    """A NaN must arrive as one, to be refused there, and not as a null that would pass."""
    assert math.isnan(json.loads(LINES.write([math.nan], repr))[0])


def test_an_unknown_value_goes_through_the_default() -> None:
    assert LINES.write([1j], lambda value: "complex") == '["complex"]'
    with pytest.raises(TypeError):
        LINES.write([1j], lambda value: int("x" if value is None else value))
