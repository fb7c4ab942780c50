"""The report in the terminal: verdict first, then tables that fit 80 columns and plots in plain characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextbenchmark.core.names import printable
from contextbenchmark.render.forest import lane, scale_end
from contextbenchmark.study.report.content import Content, Plot
from contextbenchmark.study.report.tables import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

STYLES = {"KEEP": "bold green", "DROP": "bold red", "INCONCLUSIVE": "bold yellow", "INVALID": "bold magenta"}


def print_report(content: Content, console: Console) -> None:
    """Print ``content``; text from data is shown as it is, what the console cannot hold is spelled out."""
    writer = _Writer(encoding=console.encoding)
    console.print(writer.text(content.sentence, STYLES[content.verdict]))
    for section in content.sections:
        console.print()
        console.print(writer.text(section.heading, "bold"))
        if section.plot is not None:
            for line in plot_lines(section.plot):
                console.print(writer.text(line), no_wrap=True, overflow="ignore", crop=False)
        for table in section.tables:
            if len(section.tables) > 1:
                console.print(writer.text(f"{table.caption}:"))
            console.print(writer.table(table))
        for note in section.notes:
            console.print(writer.text(note, "dim"))


def plot_lines(plot: Plot, width: int = 41) -> list[str]:
    """Return a forest plot as lines of plain text."""
    end = scale_end(plot.rows)
    name = max(len(row.label) for row in plot.rows)
    scale = f"{-end:+g}".ljust(width // 2) + "0" + f"{end:+g}".rjust(width - 1 - width // 2)
    sides = f"{plot.sides[0]} <".ljust(width // 2) + " " + f"> {plot.sides[1]}".rjust(width - 1 - width // 2)
    return [
        *(f"{row.label.ljust(name)} {lane(row, end, width)}".rstrip() for row in plot.rows),
        f"{' ' * name} {scale}",
        f"{' ' * name} {sides}",
    ]


@dataclass(frozen=True, kw_only=True)
class _Writer:
    """Makes what rich prints, of text that ``encoding`` can hold."""

    encoding: str

    def text(self, text: str, style: str = "") -> Text:
        from rich.text import Text

        shown = printable(text)
        try:
            shown.encode(self.encoding)
        except UnicodeEncodeError:
            plain = shown.replace("±", "+-").replace("≤", "<=")
            shown = plain.encode(self.encoding, "backslashreplace").decode(self.encoding)
        return Text().append(shown, style=style)

    def table(self, table: Table) -> RichTable:
        from rich import box
        from rich.table import Table

        made = Table(
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1, 0, 0),
            show_edge=False,
            show_header=any(table.heads),
        )
        for head in table.heads:
            made.add_column(head, overflow="fold", vertical="top")
        for row in table.rows:
            made.add_row(*(self.text(cell) for cell in row))
        return made
