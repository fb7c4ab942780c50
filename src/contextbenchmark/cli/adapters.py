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

    console = Console()
    console.print(_table(rows))
    console.print(
        "An adapter of your own is named by its file, or as package.module:object: docs/adapters.md.",
        markup=False,
        highlight=False,
    )
    return EXIT_PASS


def adapter_row(name: str) -> AdapterRow:
    """Return what is known of the adapter called ``name``; whatever is wrong with it stands in the row."""
    from contextbenchmark.trust.adapter import resolve
    from contextbenchmark.trust.engines import engine_for
    from contextbenchmark.trust.manifest import describe_alone

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
                    reason="its engine is not installed",
                    remedy=f"contextbenchmark engines install {name} (a run does it too)",
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
    table.add_column("what it is", ratio=3)
    table.add_column("version", ratio=2)
    table.add_column("here", ratio=3)
    for row in rows:
        here = row.state if row.state == "available" else ". ".join(filter(None, (_why(row), row.remedy)))
        table.add_row(*(Text(printable(cell)) for cell in (row.name, row.summary, row.version, here)))
    return table


def _why(row: AdapterRow) -> str:
    reason = row.reason.rstrip(".")
    return reason if row.state == "not installed" else f"{row.state}: {reason}"
