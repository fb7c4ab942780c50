"""What holds for every test: a known environment, a cache of its own, no deadlines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# Read by libraries when they are imported, so it has to go before any test module is: a test's output must
# not depend on the terminal or on the service that runs it, nor be appended to that service's summary.
_AMBIENT = ("FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "COLUMNS")
for _name in _AMBIENT:
    os.environ.pop(_name, None)

# Two cores shared by several workers: how long an example takes says nothing about the code.
hypothesis.settings.register_profile("house", deadline=None, print_blob=True)
hypothesis.settings.load_profile("house")


@pytest.fixture(scope="session")
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _cache(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, _private_cache: Path
) -> Iterator[None]:
    """Point quick tests at a cache of their own; those marked `engine` or `slow` share the user's, so that an
    engine or a corpus that is there already is not fetched again."""
    marked = any(request.node.get_closest_marker(name) for name in ("engine", "slow"))
    if not marked:
        monkeypatch.setenv("CONTEXTBENCHMARK_CACHE", str(_private_cache))
    yield
