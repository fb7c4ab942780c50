"""The report as Markdown: the same content, plots as plain text."""

from __future__ import annotations

from contextbenchmark.render.text import markdown_text
from contextbenchmark.study.report.content import Content, Section
from contextbenchmark.study.report.tables import Table
from contextbenchmark.study.report.terminal import plot_lines


def markdown(content: Content) -> str:
    """Return the report as one Markdown document; the verdict's sentence is its first paragraph."""
    parts = [
        f"# {markdown_text(content.study)}: is the context worth it?",
        f"**{markdown_text(content.sentence)}**",
    ]
    for section in content.sections:
        parts.extend(_section(section))
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {markdown_text(section.heading)}"]
    if section.plot is not None:
        parts.append("\n".join(["```text", *plot_lines(section.plot), "```"]))
    parts.extend(_table(table) for table in section.tables)
    if section.notes:
        parts.append("\n".join(f"- {markdown_text(note)}" for note in section.notes))
    return parts


def _table(table: Table) -> str:
    heads = " | ".join(markdown_text(head) or " " for head in table.heads)
    rule = " | ".join("---" for _ in table.heads)
    rows = ["| " + " | ".join(markdown_text(cell) or " " for cell in row) + " |" for row in table.rows]
    return "\n".join([f"{markdown_text(table.caption)}:", "", f"| {heads} |", f"| {rule} |", *rows])
