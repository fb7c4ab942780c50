"""The command line: every verb by name. ``[tool.contextbenchmark]`` in a ``pyproject.toml`` gives defaults."""

from __future__ import annotations

from typing import Annotated

import typer

from contextbenchmark.cli.adapters import adapters_command
from contextbenchmark.cli.compare import compare_command
from contextbenchmark.cli.corpora import app as corpora_app
from contextbenchmark.cli.engines import app as engines_app
from contextbenchmark.cli.keygen import keygen_command
from contextbenchmark.cli.ledger import app as ledger_app
from contextbenchmark.cli.new_adapter import new_adapter_command
from contextbenchmark.cli.queries import app as queries_app
from contextbenchmark.cli.report import report_command
from contextbenchmark.cli.run import run_command
from contextbenchmark.cli.study import app as study_app

app = typer.Typer(
    name="contextbenchmark",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Does the context layer that feeds your AI give the same answer twice? "
    "Measures retrieval indexes, code-context engines, RAG pipelines and agent memories.",
)
app.command("run")(run_command)
app.command("compare")(compare_command)
app.command("report")(report_command)
app.command("adapters")(adapters_command)
app.command("new-adapter")(new_adapter_command)
app.command("keygen")(keygen_command)
app.add_typer(engines_app, name="engines")
app.add_typer(corpora_app, name="corpora")
app.add_typer(queries_app, name="queries")
app.add_typer(study_app, name="study")
app.add_typer(ledger_app, name="ledger")


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
    from contextbenchmark.cli.configuration import read_defaults, require_utf8_names

    require_utf8_names()
    context.default_map = read_defaults()
