"""The pytest plug-in: a gate on the determinism of a retriever inside a team's own test suite.

    def test_our_retriever_is_stable(assert_context_level):
        assert_context_level(our_adapter, "CTL-3", corpus="docs")

The fixture is :func:`contextbenchmark.testing.assert_context_level`, remembered for the terminal summary. Tests that
use it carry the marker ``context_level``, so ``-m "not context_level"`` leaves them out;
``@pytest.mark.context_level("CTL-2", corpus="docs")`` gives defaults. Unused, this costs an import of pytest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from contextbenchmark.trust.record import Report

MARKER = "context_level"
PROPERTY = "contextbenchmark"
_LINES = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(level, **options): measures a retriever with contextbenchmark; level and options are defaults",
    )
    config.stash[_LINES] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the fixture, so that it can be chosen or left out with ``-m``."""
    for item in items:
        if "assert_context_level" in getattr(item, "fixturenames", ()) and not item.get_closest_marker(
            MARKER
        ):
            item.add_marker(MARKER)


@pytest.fixture
def assert_context_level(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Measure a retriever; fail, and say why, where it is below a level. See the plug-in's documentation."""
    marker = request.node.get_closest_marker(MARKER)

    def check(retriever: object, *level: str, **options: Any) -> Report:
        __tracebackhide__ = True
        from contextbenchmark import testing

        wanted = (level or (marker.args if marker else ()))[:1]
        given = {**(marker.kwargs if marker else {}), **options}
        try:
            report = testing.assert_context_level(retriever, *wanted, **given)
        except testing.ContextLevelError as error:
            _remember(request.node, "FAILED", error.report)
            raise
        _remember(request.node, "passed", report)
        return report

    return check


def _remember(item: pytest.Item, verdict: str, report: Report) -> None:
    system = report.systems[0]
    # A property of the test travels from a worker process to the one that prints, and into JUnit XML.
    item.user_properties.append(
        (PROPERTY, f"{verdict}  {system.name} on {report.corpus.name}: {system.level_line}")
    )


class _Collector:
    """Gathers what the tests measured, also those that ran in workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.config.stash[_LINES] += [
                str(value) for name, value in report.user_properties if name == PROPERTY
            ]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Start gathering."""
    session.config.pluginmanager.register(_Collector(session.config), "contextbenchmark-collector")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print one line for each retriever that was measured."""
    lines = config.stash.get(_LINES, [])
    if lines:
        terminalreporter.section("context trust levels")
        for line in lines:
            terminalreporter.write_line(line)
