"""What is registered: one document, and the SHA-256 of its canonical JSON that every later row carries."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field, JsonValue

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.record import Record

REGISTERED_EVENT = "registered"
REVEALED_EVENT = "revealed"


class RegisteredFile(Record):
    """A file as it was registered: where it is named, its size in bytes, its SHA-256 (hex).

    ``text`` is its content where it is short text that need not be hidden, so that the registration can be read
    alone; of a hidden file the digest is all.
    """

    path: str
    role: str
    hidden: bool
    bytes: int
    sha256: str
    text: str | None = None


class Registration(Record):
    """One version of a study. ``parent``: the SHA-256 of the version before, None for the first.

    ``design`` is ``study.toml`` with every default written out; it stays as it was written, whatever later
    versions of this package make of it.
    """

    schema_: Literal["contextbenchmark.registration/1"] = Field(
        "contextbenchmark.registration/1", alias="schema"
    )
    study: str
    version: int
    date: str
    reason: str
    parent: str | None
    design: dict[str, JsonValue]
    files: tuple[RegisteredFile, ...]


class Before(Record):
    """What of the study stood in the ledger already when a version was registered: rows of one event."""

    event: str
    rows: int


class RegisteredBody(Record):
    """Body of the ledger's row: the document itself, its digest, the text that people read, what came before."""

    document: dict[str, JsonValue]
    sha256: str
    text: str
    before: tuple[Before, ...] = ()


class RevealedBody(Record):
    """Body of the row of a disclosure: which registered file it is, and in which versions it stood."""

    path: str
    sha256: str
    bytes: int
    versions: tuple[int, ...]


def as_document(registration: Registration) -> dict[str, JsonValue]:
    """Return the registration as the JSON object that is hashed."""
    return registration.model_dump(mode="json", by_alias=True)


def document_bytes(document: dict[str, JsonValue]) -> bytes:
    """Return the bytes that are hashed: RFC 8785 canonical JSON."""
    return canonical_json(document)


def document_sha256(document: dict[str, JsonValue]) -> str:
    """Return the digest (hex) that identifies a registration."""
    return hashlib.sha256(document_bytes(document)).hexdigest()
