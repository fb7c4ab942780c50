"""``contextbenchmark keygen``: a key pair for what is signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextbenchmark.errors import EXIT_PASS


def keygen_command(
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="The private key; FILE.pub gets the public one.")
    ],
) -> int:
    """Make an Ed25519 key pair, unencrypted, readable by you alone; a key that is there is never overwritten.

    Example: contextbenchmark keygen ~/.config/contextbenchmark/key
    """
    from contextbenchmark.core.signing import generate_key

    public = generate_key(out)
    typer.echo(f"{out} (keep it secret) and {out}.pub, key {public.key_id[:16]}")
    return EXIT_PASS
