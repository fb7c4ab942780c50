"""What a person sees while a run goes on: one line on the terminal, with the time left."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

from contextbenchmark.core.names import printable


class TerminalProgress:
    """Shows a bar of operations on standard error; lines of text where that is no terminal."""

    def __init__(self, bar: Any, task: Any, terminal: bool) -> None:
        self._bar, self._task, self._terminal = bar, task, terminal
        self._done = self._total = 0
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        if self._terminal:
            self._bar.update(self._task, description=printable(text))
        else:
            print(printable(text), file=sys.stderr, flush=True)

    def planned(self, operations: int) -> None:
        self._total = operations
        if self._terminal:
            self._bar.update(self._task, total=operations, description="measuring")
        else:
            print(f"{operations} operations to do", file=sys.stderr, flush=True)

    def done(self, operation: str) -> None:
        with self._lock:
            self._done += 1
        if self._terminal:
            self._bar.update(self._task, advance=1, description=printable(operation))
        elif self._done % max(1, self._total // 10) == 0:
            print(f"{self._done} of {self._total} operations done", file=sys.stderr, flush=True)


@contextlib.contextmanager
def shown_progress() -> Iterator[TerminalProgress]:
    """Show progress on standard error while the block runs."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield TerminalProgress(bar, bar.add_task("getting ready", total=None), console.is_terminal)


@contextlib.contextmanager
def stop_on_terminate() -> Iterator[None]:
    """Treat SIGTERM as ctrl-C while the block runs, so that a cancelled CI job keeps its state too."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
