"""``contextbenchmark ledger``: check a ledger, show its rows, sign how far it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextbenchmark.errors import EXIT_FAIL, EXIT_PASS, LedgerError

if TYPE_CHECKING:
    from contextbenchmark.study.ledger_reading import Head, Verification
    from contextbenchmark.study.ledger_row import LedgerRow

app = typer.Typer(
    no_args_is_help=True,
    help="The append-only ledger of a study: any edit, removal, insertion or change of order shows.",
)
LedgerPath = Annotated[Path, typer.Argument(metavar="LEDGER", help="A ledger, e.g. ledger.jsonl.")]


@app.command("verify")
def verify_command(
    ledger: LedgerPath,
    head: Annotated[
        list[str] | None, typer.Option(metavar="ROWS:DIGEST", help="A head that was kept elsewhere.")
    ] = None,
    checkpoint: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A signed checkpoint; needs --key.")
    ] = None,
    key: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A public key that you trust.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check every row; rows cut off the end show only against --head or --checkpoint. Exit 1: it was changed.

    Example: contextbenchmark ledger verify ledger.jsonl --head 12:9f86d0...
    """
    from contextbenchmark.study.ledger_reading import Head, verify

    heads = [Head.parse(text) for text in head or ()]
    found = verify(ledger, [*heads, *_checkpoint_heads(checkpoint or [], key or [])])
    if as_json:
        typer.echo(_as_json(found))
    else:
        _print(found)
    return EXIT_PASS if found.holds else EXIT_FAIL


def _checkpoint_heads(checkpoints: list[Path], keys: list[Path]) -> list[Head]:
    from contextbenchmark.core.signing import read_public_key
    from contextbenchmark.study.checkpoint import read_checkpoint

    if checkpoints and not keys:
        raise LedgerError(
            "A checkpoint proves nothing without a key.", "Name the signer's public key with --key."
        )
    trusted = [read_public_key(path) for path in keys]
    return [read_checkpoint(path, trusted).head for path in checkpoints]


def _print(found: Verification) -> None:
    from contextbenchmark.core.names import printable

    typer.echo(printable(found.sentence))
    for place in found.breaks:
        typer.echo(f"  {printable(place.problem)}")
    if found.breaks_found > len(found.breaks):
        typer.echo(f"  and {found.breaks_found - len(found.breaks)} more")
    for missed in found.missed[0 if found.breaks_found else 1 :]:
        typer.echo(f"  {printable(missed)}")
    if found.torn is not None:
        typer.echo(
            f"  After the last row stand {found.torn.size:,} bytes of a row that was never acknowledged; the next "
            "append sets them aside."
        )
    for path in found.set_aside:
        typer.echo(f"  A torn line was set aside: {printable(str(path))}")
    typer.echo(f"head {found.head}")


def _as_json(found: Verification) -> str:
    import json

    torn = None if found.torn is None else {"offset": found.torn.offset, "bytes": found.torn.size}
    value = {
        "holds": found.holds,
        "sentence": found.sentence,
        "rows": found.head.rows,
        "head": str(found.head),
        "breaks": [{"line": place.line, "problem": place.problem} for place in found.breaks],
        "breaks_found": found.breaks_found,
        "missed": list(found.missed),
        "torn": torn,
        "set_aside": [str(path) for path in found.set_aside],
    }
    return json.dumps(value, indent=1)


@app.command("show")
def show_command(
    ledger: LedgerPath,
    study: Annotated[str | None, typer.Option(help="Only the rows of this study.")] = None,
    event: Annotated[str | None, typer.Option(help="Only rows of this event, e.g. registered.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="Only the last N of them.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each row as a line of JSON, whole.")] = False,
) -> int:
    """Show the rows in the order of the chain, each checked as it is read.

    Example: contextbenchmark ledger show ledger.jsonl --event registered
    """
    from collections import deque
    from collections.abc import Iterable

    from contextbenchmark.study.ledger_reading import read_rows

    rows: Iterable[LedgerRow] = read_rows(ledger, event=event, study=study)
    for row in rows if last is None else deque(rows, maxlen=last):
        typer.echo(row.to_json() if as_json else _row_line(row))
    return EXIT_PASS


def _row_line(row: LedgerRow) -> str:
    from contextbenchmark.core.canonical import canonical_json
    from contextbenchmark.core.names import printable

    version = "" if row.version is None else f" v{row.version} {(row.sha256 or '')[:12]}"
    body = printable(canonical_json(row.body).decode("utf-8"))
    shown = body if len(body) <= 100 else f"{body[:97]}..."
    return printable(f"{row.index + 1:>6}  {row.time}  {row.event}  {row.study or '-'}{version}  {shown}")


@app.command("checkpoint")
def checkpoint_command(
    ledger: LedgerPath,
    key: Annotated[
        Path, typer.Option(metavar="FILE", help="Your private key, from contextbenchmark keygen.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the checkpoint.")],
) -> int:
    """Check the whole ledger and sign how far it goes; keep the file where the ledger is not.

    Example: contextbenchmark ledger checkpoint ledger.jsonl --key my.key --out ledger.checkpoint.json
    """
    from contextbenchmark.core.record import write_whole
    from contextbenchmark.core.signing import read_private_key
    from contextbenchmark.study.checkpoint import make_checkpoint

    signer = read_private_key(key)
    write_whole(out, make_checkpoint(ledger, signer).to_json(indent=1) + "\n")
    typer.echo(f"signed by {signer.public.key_id[:16]}: {out}")
    return EXIT_PASS
