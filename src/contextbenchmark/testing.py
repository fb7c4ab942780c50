"""What authors run on their adapter, and teams on their retriever, inside a test suite of their own.

``check_adapter`` holds an adapter to the contract (docs/adapters.md); every adapter of ours is held to it by the
same function. ``assert_context_level`` measures a retriever and fails below a level.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextbenchmark.checking import DOCUMENTS, ODD, QUESTIONS, Check, check_file

if TYPE_CHECKING:
    from contextbenchmark.trust.record import Report

__all__ = ["ContextLevelError", "assert_context_level", "check_adapter"]


def check_adapter(
    adapter: object,
    *,
    timeout_seconds: float = 600.0,
    install: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Hold an adapter to the contract: on a small corpus, in the fresh and confined processes that a run uses.

    :param adapter: its name, its file, ``package.module:object``, or an object with ``name``, ``build``, ``query``.
    :param install: whether its engine may be installed first.
    :raises AssertionError: what it does wrong, and where. Whether it gives the same twice is not asked here.
    """
    from contextbenchmark.errors import ContextBenchmarkError
    from contextbenchmark.measuring import to_adapter
    from contextbenchmark.trust.embedding import DEFAULT_EMBEDDER
    from contextbenchmark.trust.manifest import prepare_interpreters
    from contextbenchmark.trust.opening import ready_embedder
    from contextbenchmark.trust.workplace import Workplace

    with tempfile.TemporaryDirectory(prefix="contextbenchmark-") as scratch:
        place = Path(scratch)
        try:
            found = to_adapter(adapter, place / "carried")
        except ContextBenchmarkError as error:
            raise AssertionError(f"{adapter}: it cannot be read: {error}") from error
        check_file(found)
        prepared = prepare_interpreters([found], say, install=install)[found.label]
        assert prepared.interpreter is not None, f"{found.label}: {prepared.problem} {prepared.remedy}"
        with Workplace() as workplace:
            check = Check(found, prepared.interpreter, workplace, place, timeout_seconds)
            if found.vectors:
                embedder = ready_embedder(DEFAULT_EMBEDDER, workplace, check.limits, say, install=install)
                check.vectors = (embedder.of_documents(DOCUMENTS, (*QUESTIONS, *ODD)),)
            check.all()


def assert_context_level(
    retriever: object, level: str = "CTL-3", *, corpus: str | os.PathLike[str], max_drift: float | None = None,
    **options: Any,
) -> Report:  # fmt: skip
    """Measure ``retriever`` and return the report; fail where it is below ``level`` or drifts more than allowed.

    :param retriever: whatever :func:`contextbenchmark.measure` takes first.
    :param options: what else it takes: ``queries``, ``k``, ``rebuilds``, ``trials``, ``out``, ...
    :raises AssertionError: the level that it has, and why.
    """
    from contextbenchmark.measuring import measure
    from contextbenchmark.trust.gate import check_gates, read_gates

    gates = read_gates(require=level, max_drift=max_drift, baseline=None)
    report = measure(retriever, corpus=os.fspath(corpus), **options)
    verdict = check_gates(gates, report)
    if verdict.exit_code != 0:
        raise ContextLevelError(report, level, verdict.lines)
    return report


class ContextLevelError(AssertionError):
    """A retriever is below the level that was asked for; ``report`` is what was measured."""

    def __init__(self, report: Report, level: str, lines: Sequence[str]) -> None:
        self.report = report
        system = report.systems[0]
        told = [
            f"expected {level} on {report.corpus.name}",
            *lines,
            *(f"  {reason}" for reason in system.reasons),
        ]
        if system.failure is not None and system.failure.output:
            told += ["What it printed at last:", system.failure.output[-2000:]]
        super().__init__("\n".join(told))
