"""``contextbenchmark queries``: make a first set of queries for one's own documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextbenchmark.errors import EXIT_PASS

app = typer.Typer(no_args_is_help=True, help="Propose queries for a corpus of your own.")


@app.callback()
def _group() -> None:
    """Keep ``init`` a verb of its own although it is the only one."""


@app.command("init")
def init_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of documents.")],
    count: Annotated[int, typer.Option(min=1, help="How many to propose at most.")] = 30,
    seed: Annotated[int, typer.Option(help="Which files come first.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Where to write them.", show_default="DIR/queries.json")
    ] = None,
) -> int:
    """Write queries made from the documents' own headings, documentation and names, for you to edit.

    Example: contextbenchmark queries init ./my-docs
    """
    from contextbenchmark.core.digest import shown
    from contextbenchmark.core.names import printable
    from contextbenchmark.trust.propose import propose_queries, write_proposal
    from contextbenchmark.trust.queries import QUERIES_FILE

    queries = propose_queries(folder, count=count, seed=seed)
    place = out or folder / QUERIES_FILE
    write_proposal(queries, place)
    option = f" --queries {shown(place)}" if out else ""
    number = "1 query is" if len(queries) == 1 else f"{len(queries)} queries are"
    typer.echo(printable(f"{number} in {shown(place)}."))
    typer.echo("They repeat the documents' own words: edit them to what people would ask, then run")
    # A bare name could be that of a corpus of ours; a path cannot.
    path = shown(folder) if "/" in str(folder) or str(folder) == "." else f"./{shown(folder)}"
    typer.echo(printable(f"  contextbenchmark run --corpus {path}{option}"))
    return EXIT_PASS
