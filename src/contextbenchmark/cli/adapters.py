"""``contextbenchmark adapters``: the systems that are known by name, and whether they can be measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

import typer

from contextbenchmark.errors import EXIT_PASS, ContextBenchmarkError

State = Literal["available", "not installed", "unavailable", "broken"]


@dataclass(frozen=True, kw_only=True)
class AdapterRow:
    """One adapter: ``version`` is who it says it is, empty where it could not be asked; ``reason`` and ``remedy``
    say why it is not available."""

    name: str
    summary: str
    state: State
    version: str = ""
    reason: str = ""
    remedy: str = ""


def adapters_command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> int:
    """List the adapters that are known by name: what each is, its version, and whether it can be measured here.

    Example: contextbenchmark adapters
    """
    from contextbenchmark.trust.adapter import available_names

    rows = [adapter_row(name) for name in available_names()]
    if as_json:
        import json

        typer.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return EXIT_PASS
    from rich.console import Console

    from contextbenchmark.core.names import printable

    console = Console()
    console.print(_table(rows))
    for line in _notes(rows):
        console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
    return EXIT_PASS


def adapter_row(name: str) -> AdapterRow:
    """Return what is known of the adapter called ``name``; whatever is wrong with it stands in the row."""
    from contextbenchmark.trust.adapter import resolve
    from contextbenchmark.trust.engines import engine_for
    from contextbenchmark.trust.opening import describe_alone

    summary = ""
    try:
        adapter = resolve(name)
        summary = adapter.summary
        if adapter.requirements:
            engine = engine_for(adapter.name, adapter.requirements, adapter.version)
            if not engine.installed:
                return AdapterRow(
                    name=name,
                    summary=summary,
                    state="not installed",
                    version="" if engine.known_version == "any" else engine.known_version,
                    reason="Its engine is not installed.",
                    remedy=f"Run: contextbenchmark engines install {name}",
                )
        row = describe_alone(adapter)
    except ContextBenchmarkError as error:
        return AdapterRow(
            name=name, summary=summary, state="broken", reason=error.problem, remedy=error.remedy
        )
    except Exception as error:  # a plug-in from elsewhere: whatever it does must not hide the others
        return AdapterRow(
            name=name, summary=summary, state="broken", reason=f"{type(error).__name__}: {error}"
        )
    return AdapterRow(
        name=name,
        summary=summary,
        state="available" if row.available else ("broken" if row.failure else "unavailable"),
        version=row.version.id if row.version else "",
        reason=row.reason,
        remedy=row.remedy,
    )


def _table(rows: Sequence[AdapterRow]) -> object:
    from rich.table import Table
    from rich.text import Text

    from contextbenchmark.core.names import printable

    table = Table(box=None, pad_edge=False)
    table.add_column("adapter", no_wrap=True)
    table.add_column("here", no_wrap=True)
    table.add_column("version", no_wrap=True, overflow="ellipsis", max_width=24)
    table.add_column("what it is")
    for row in rows:
        cells = (row.name, row.state, row.version, row.summary)
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def _notes(rows: Sequence[AdapterRow]) -> list[str]:
    """Return what to know beside the table: why an adapter is not available, and what to do."""
    notes = [
        f"{row.name} is {row.state}: {row.reason.rstrip('.')}. {row.remedy}".rstrip()
        for row in rows
        if row.state in ("unavailable", "broken")
    ]
    if any(row.state == "not installed" for row in rows):
        notes.append("Engines are installed by a run, or by: contextbenchmark engines install NAME")
    notes.append("An adapter of your own is named by its file, or as package.module:object.")
    return notes
