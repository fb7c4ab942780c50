"""The command line: every verb by name. ``[tool.contextbenchmark]`` in a ``pyproject.toml`` gives defaults."""

from __future__ import annotations

from typing import Annotated

import typer

from contextbenchmark.cli import adapters, compare, corpora, engines, queries, report, run

app = typer.Typer(
    name="contextbenchmark",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Does the context layer that feeds your AI give the same answer twice? "
    "Measures retrieval indexes, code-context engines, RAG pipelines and agent memories.",
)
app.command("run")(run.run_command)
app.command("compare")(compare.compare_command)
app.command("report")(report.report_command)
app.command("adapters")(adapters.adapters_command)
app.add_typer(engines.app, name="engines")
app.add_typer(corpora.app, name="corpora")
app.add_typer(queries.app, name="queries")


def _version(wanted: bool) -> None:
    if wanted:
        from contextbenchmark import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _defaults(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    from contextbenchmark.cli.configuration import read_defaults

    context.default_map = read_defaults()
