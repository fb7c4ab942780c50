"""``contextbenchmark report``: derive the report of a run again from its evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextbenchmark.errors import EXIT_PASS, RunFolderError


def report_command(
    run: Annotated[
        Path, typer.Argument(help="A run folder (results/runs/ID), or a results folder: its newest run.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report [default: the results folder].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Derive table, report, page and fingerprints again from a run's evidence; nothing is measured.

    Example: contextbenchmark report results --out /tmp/again
    """
    from rich.console import Console

    from contextbenchmark.trust.outputs.table import print_table
    from contextbenchmark.trust.pipeline import derive_run

    folder = find_run(run)
    outcome = derive_run(folder, out or folder.parent.parent)
    if as_json:
        typer.echo(outcome.report.to_json(indent=1))
    else:
        print_table(outcome.report, outcome.times, Console())
    return EXIT_PASS


def find_run(place: Path) -> Path:
    """Return the run folder that ``place`` is, or the newest one beneath it."""
    if (place / "run.json").is_file():
        return place.resolve()
    from contextbenchmark.trust.evidence import newest_run

    newest = newest_run(place)
    if newest is None:
        raise RunFolderError(
            f"There is no run in {place}.", "Name a results folder, or one of the folders in its runs/."
        )
    return newest.resolve()
