"""The terminal's table: read at a glance, at 80 columns too, with and without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextbenchmark.core.names import printable
from contextbenchmark.trust.outputs.costs import HEADINGS, costs, costs_note
from contextbenchmark.trust.outputs.disclosure import NOT_SHOWN, subject, warnings
from contextbenchmark.trust.outputs.glance import (
    NOTHING,
    Cell,
    Glance,
    Look,
    glance,
    headings,
    legend,
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

    Names and messages are data: control characters are made visible and no markup is interpreted. What the
    console's encoding cannot hold is written as ``\\xNN`` or ``\\uNNNN``.
    """
    rows, heads = glance(report, times), headings(report.parameters.k)
    writer = _Writer(encoding=console.encoding)
    console.print(writer.text(subject(report), "bold"))
    for columns in (tuple(range(len(heads))),) if console.width >= WIDE else _NARROW:
        console.print(writer.table(rows, heads, columns))
        console.print()
    if operations := costs(times):
        console.print(writer.plain_table(operations, HEADINGS))
        console.print(writer.text(costs_note(times), "dim"))
        console.print()
    for row in rows:
        console.print(
            writer.paragraph("*", f"{row.name}: ", " ".join(row.sentences), _STYLES[row.level.look])
        )
    console.print()
    for warning in warnings(report):
        console.print(writer.paragraph("!", "", warning, "yellow"))
    console.print()
    for sentence in legend(report.parameters.k):
        console.print(writer.text(sentence, "dim"))
    if any(cell.text == NOTHING.text for row in rows for cell in row.cells):
        console.print(writer.text("- is what was not measured.", "dim"))
    console.print(writer.text(NOT_SHOWN, "dim"))


@dataclass(frozen=True, kw_only=True)
class _Writer:
    """Makes what rich prints, of text that ``encoding`` can hold."""

    encoding: str

    def shown(self, text: str) -> str:
        text = printable(text)
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.replace("µ", "u").encode(self.encoding, "backslashreplace").decode(self.encoding)
        return text

    def text(self, text: str, style: str = "") -> Text:
        from rich.text import Text

        # A span, not the style of the whole: what is appended, and what fills the column, stays plain.
        return Text().append(self.shown(text), style=style)

    def table(self, rows: Sequence[Glance], heads: Sequence[str], columns: Sequence[int]) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
        for column in columns:
            table.add_column(heads[column], overflow="fold", vertical="top")
        for row in rows:
            cells = (Cell(text=row.name), *row.cells)
            table.add_row(*(self.cell(cells[column]) for column in columns))
        return table

    def plain_table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
        for head in heads:
            table.add_column(head, overflow="fold")
        for row in rows:
            table.add_row(*(self.text(text) for text in row))
        return table

    def cell(self, cell: Cell) -> Text:
        text = self.text(cell.text, _STYLES[cell.look])
        return text.append(f"\n{self.shown(cell.detail)}", style="dim") if cell.detail else text

    def paragraph(self, mark: str, head: str, text: str, style: str) -> Table:
        """Return a paragraph behind ``mark``, all its lines indented alike; ``head`` in the style."""
        from rich.table import Table

        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column()
        grid.add_column(overflow="fold")
        grid.add_row(self.text(mark, style), self.text(head, style).append(self.shown(text)))
        return grid
