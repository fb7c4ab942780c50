"""``contextbenchmark corpora``: the corpora that have a name, and fetching them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from contextbenchmark.errors import EXIT_PASS, CorpusError

app = typer.Typer(
    no_args_is_help=True,
    help="List and fetch the corpora that have a name. `run` fetches what it needs by itself; any folder of "
    "documents is a corpus too.",
)


@dataclass(frozen=True, kw_only=True)
class CorpusRow:
    """One line of the list. ``state``: bundled, fetched or not fetched; ``queries``: how many come with it."""

    name: str
    tier: str
    files: int
    bytes: int | None
    queries: int | None
    state: str
    purl: str
    tree: str
    note: str


@app.command("list")
def list_command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> int:
    """List the corpora that have a name.

    Example: contextbenchmark corpora list
    """
    rows = _rows()
    if as_json:
        import json

        typer.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return EXIT_PASS
    from rich.console import Console

    console = Console()
    console.print(_table(rows))
    console.print(
        "xl:N is a generated corpus of N documents, up to 100,000; any folder of documents is a corpus too.",
        markup=False,
        highlight=False,
    )
    return EXIT_PASS


def _rows() -> list[CorpusRow]:
    from contextbenchmark.trust.named import bundled_folder
    from contextbenchmark.trust.queries import QUERIES_FILE, packaged_queries, read_json_queries
    from contextbenchmark.trust.sources import cached_folder, pins

    rows = []
    for pin in pins():
        folder = bundled_folder() if pin.bundled else cached_folder(pin)
        own = folder / QUERIES_FILE
        source = own if own.is_file() else packaged_queries(pin.name)
        rows.append(
            CorpusRow(
                name=pin.name,
                tier=pin.tier,
                files=pin.files,
                bytes=pin.bytes,
                queries=len(read_json_queries(source)) if source else None,
                state="bundled" if pin.bundled else "fetched" if folder.is_dir() else "not fetched",
                purl=pin.purl,
                tree=pin.tree,
                note=pin.note,
            )
        )
    return rows


def _table(rows: Sequence[CorpusRow]) -> object:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("corpus", "tier", "files", "MB", "queries", "state", "what it is"):
        table.add_column(title, justify="right" if title in ("files", "MB", "queries") else "left")
    for row in rows:
        size = "" if row.bytes is None else f"{row.bytes / 1e6:.1f}"
        queries = "" if row.queries is None else str(row.queries)
        table.add_row(row.name, row.tier, f"{row.files:,}", size, queries, row.state, row.note)
    return table


@app.command("fetch")
def fetch_command(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names from corpora list, or xl:N.")],
) -> int:
    """Fetch corpora into the cache and check them against their pins; a damaged copy is fetched anew.

    Example: contextbenchmark corpora fetch django
    """
    from contextbenchmark.core.digest import shown
    from contextbenchmark.core.names import printable
    from contextbenchmark.trust.named import bundled_folder, generated_folder, generated_size, unknown_corpus
    from contextbenchmark.trust.sources import discard, fetch, pin_named, verify_cached

    for name in names:
        pin = pin_named(name)
        documents = generated_size(name)
        if documents is not None:
            place, said = generated_folder(documents), "generated"
        elif pin is None:
            raise unknown_corpus(name)
        elif pin.bundled:
            place, said = bundled_folder(), "bundled"
        else:
            state = verify_cached(pin)
            if state is False:
                discard(pin)
            place, said = fetch(pin), "was fetched already" if state else "fetched"
        if not place.is_dir():
            raise CorpusError(f"{shown(place)} is missing.", "Install the package again.")
        typer.echo(printable(f"{name}: {said}, {shown(place)}"))
    return EXIT_PASS
