"""The terminal's table: read at a glance, at 80 columns too, with and without colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from contextbenchmark.core.names import printable
from contextbenchmark.trust.outputs.glance import (
    NOT_SHOWN,
    NOTHING,
    Cell,
    Glance,
    Look,
    glance,
    headings,
    legend,
    subject,
    warnings,
)
from contextbenchmark.trust.record import Report, Times

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDE = 124
# Which columns stand together where there is no room for all: is it the same twice; is it good, and what it costs.
_NARROW = ((0, 1, 2, 3, 4), (0, 5, 6, 7, 8))
_STYLES: dict[Look, str] = {
    "plain": "", "quiet": "dim", "CTL-0": "bold red", "CTL-1": "bold yellow", "CTL-2": "bold cyan",
    "CTL-3": "bold green", "CTL-4": "bold green", "none": "dim", "pass": "green", "warn": "yellow", "fail": "bold red",
    "absent": "dim italic", "vacuous": "bold magenta", "error": "bold white on red", "unavailable": "bold blue",
    "not-exercised": "magenta italic", "not-requested": "dim",
}  # fmt: skip


def print_table(report: Report, times: Times, console: Console) -> None:
    """Print the systems of ``report`` on ``console``: table, a paragraph a system, warnings, what it does not show.

    Names and messages are data: control characters are made visible and no markup is interpreted.
    """
    from rich.text import Text

    rows = glance(report, times)
    console.print(Text(printable(subject(report)), style="bold"))
    everything = tuple(range(len(headings(report.parameters.k))))
    for columns in (everything,) if console.width >= WIDE else _NARROW:
        console.print(_table(rows, headings(report.parameters.k), columns))
        console.print()
    for row in rows:
        console.print(_hanging("*", f"{row.name}: ", " ".join(row.sentences), style=_STYLES[row.level.look]))
    console.print()
    for warning in warnings(report):
        console.print(_hanging("!", "", warning, style="yellow"))
    console.print()
    for sentence in legend(report.parameters.k):
        console.print(Text(sentence, style="dim"))
    if any(cell.text == NOTHING.text for row in rows for cell in row.cells):
        console.print(Text("- is what was not measured.", style="dim"))
    console.print(Text(NOT_SHOWN, style="dim"))


def _table(rows: Sequence[Glance], heads: Sequence[str], columns: Sequence[int]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    for column in columns:
        table.add_column(heads[column], overflow="fold", vertical="top")
    for row in rows:
        cells = (Cell(text=row.name), *row.cells)
        table.add_row(*(_text(cells[column]) for column in columns))
    return table


def _text(cell: Cell) -> Text:
    from rich.text import Text

    text = Text(printable(cell.text), style=_STYLES[cell.look])
    if cell.detail:
        text.append(f"\n{printable(cell.detail)}", style="not bold dim")
    return text


def _hanging(mark: str, head: str, text: str, *, style: str) -> Table:
    """Return a paragraph behind ``mark``, all its lines indented alike; ``head`` in the style."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column()
    grid.add_column(overflow="fold")
    line = Text()
    line.append(printable(head), style=style)
    line.append(printable(text))
    grid.add_row(Text(mark, style=style), line)
    return grid
