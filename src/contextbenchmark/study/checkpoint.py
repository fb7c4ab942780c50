"""A signed word of how far a ledger goes, to be kept where the ledger is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.record import Record
from contextbenchmark.core.signing import Envelope, PrivateKey, PublicKey, open_envelope, read_envelope, sign
from contextbenchmark.errors import LedgerError, SignatureError
from contextbenchmark.study.ledger import utc_now
from contextbenchmark.study.ledger_reading import Head, verify

PAYLOAD_TYPE = "application/vnd.contextbenchmark.ledger-checkpoint+json"


class Checkpoint(Record):
    """What is signed: the ledger's file name, its rows, the digest (hex) of the last, the signer's time (UTC)."""

    schema_: Literal["contextbenchmark.ledger-checkpoint/1"] = Field(
        "contextbenchmark.ledger-checkpoint/1", alias="schema"
    )
    ledger: str
    rows: int
    digest: str
    time: str

    @property
    def head(self) -> Head:
        return Head(rows=self.rows, digest=self.digest)


def make_checkpoint(ledger: Path, key: PrivateKey) -> Envelope:
    """Check the whole of ``ledger`` and sign its head; raises :class:`LedgerError` where the chain is broken."""
    found = verify(ledger)
    if not found.holds:
        raise LedgerError(
            f"{ledger} is not signed: {found.breaks[0].problem}",
            "Take the ledger again from where it was published.",
        )
    word = Checkpoint(ledger=ledger.name, rows=found.head.rows, digest=found.head.digest, time=utc_now())
    return sign(canonical_json(word.model_dump(mode="json", by_alias=True)), PAYLOAD_TYPE, [key])


def read_checkpoint(path: Path, trusted: Sequence[PublicKey]) -> Checkpoint:
    """Read a checkpoint that one of ``trusted`` signed; what nobody trusted signed proves nothing.

    :raises SignatureError: it is no checkpoint, or none of ``trusted`` signed it as it stands.
    """
    opened = open_envelope(read_envelope(path), trusted)
    if not opened.signed_by:
        raise SignatureError(
            f"{path} is not signed by any of the {len(trusted)} keys that you trust.",
            "Name the signer's public key, or get the checkpoint again: it may have been changed.",
        )
    if opened.payload_type != PAYLOAD_TYPE:
        raise SignatureError(f"{path} is signed, but no checkpoint of a ledger.", "Name a checkpoint.")
    try:
        return Checkpoint.model_validate_json(opened.payload)
    except ValidationError as error:
        raise SignatureError(
            f"{path} is signed, but no checkpoint that can be read: {error.errors()[0]['msg']}.",
            "Use the version of contextbenchmark that wrote it, or a newer one.",
        ) from error
