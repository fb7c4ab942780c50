"""Make the golden files again: ``python -m tests.golden.make``. Look at the difference before committing it."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from contextbenchmark.trust.outputs.table import print_table
from contextbenchmark.trust.report import output_files
from tests.golden.sample import QUERIES, sample

FOLDER = Path(__file__).with_name("report")
# What a person reads, or another tool; the page is checked by its properties instead.
KEPT = (
    "report.json", "times.json", "report.md", "junit.xml", "tables/systems.csv", "tables/queries.csv",
    "tables/times.csv", "trec/graph-ann@0.9.1.run", "trec/sample-shop.qrels", "trec/documents.tsv", "badges/steady.svg",
    "badges/needs-a-key.svg",
)  # fmt: skip
WIDTHS = (80, 140)


def table(width: int) -> str:
    """Return the terminal's table at ``width`` columns, without colour."""
    report, times, _ = sample()
    console = Console(
        file=io.StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False
    )
    print_table(report, times, console)
    assert isinstance(console.file, io.StringIO)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


def golden() -> dict[str, str]:
    """Return every golden file: name -> content."""
    report, times, observations = sample()
    files = dict(output_files(report, times, observations, QUERIES))
    return {**{name: files[name] for name in KEPT}, **{f"table-{w}.txt": table(w) for w in WIDTHS}}


if __name__ == "__main__":
    for name, content in golden().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8"))
