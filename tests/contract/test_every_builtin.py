"""Every adapter of ours is held to the contract by the function that authors run on theirs."""

from __future__ import annotations

import pytest

from contextbenchmark.testing import check_adapter
from contextbenchmark.trust.adapter import Adapter, available_names, resolve

ADAPTERS = [resolve(name) for name in available_names()]


def _parameter(adapter: Adapter) -> object:
    return pytest.param(adapter.label, marks=[pytest.mark.engine] if adapter.requirements else [])


@pytest.mark.parametrize(
    "name",
    [
        _parameter(adapter)
        for adapter in ADAPTERS
        # Those that need a service or a model are held to it against loopback servers (test_memories_real.py).
        if adapter.kind == "python" and not adapter.environment
    ],
)
def test_it_keeps_the_contract(name: str) -> None:
    check_adapter(name)
