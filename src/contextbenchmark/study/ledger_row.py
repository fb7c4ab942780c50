"""A ledger's row as bytes: how it is written, what its digest covers, how rows of older versions are read.

A line is ``{"row":ROW,"sha256":"HEX"}``: ROW is RFC 8785 canonical JSON, HEX the SHA-256 of ROW's bytes as they
stand in the line. A row's ``previous`` is the HEX of the row before it (64 zeros in the first row), its
``index`` counts from 0. So the chain is over bytes: it can be checked without knowing what a row means, and
rows of old versions are never written again to be understood (:func:`upgraded`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import Field, JsonValue, ValidationError

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.record import Record
from contextbenchmark.errors import LedgerError

ROW_VERSION = 1
SCHEMA_PREFIX = "contextbenchmark.ledger/"
# The `previous` of the first row.
NO_DIGEST = "0" * 64
# A longer line is no row of ours; reading stops growing there.
MAX_LINE = 16 * 1024 * 1024
_FRAME = re.compile(rb'\{"row":(.*),"sha256":"([0-9a-f]{64})"\}', re.DOTALL)

# What a row of one version becomes in the next: applied one after another, on reading alone.
Upgrade = Callable[[dict[str, JsonValue]], dict[str, JsonValue]]
UPGRADES: Mapping[int, Upgrade] = {}

Body = TypeVar("Body", bound=Record)


class Provenance(Record):
    """What a row was measured under; None where an event has no such thing (or it is not known).

    ``version`` and ``sha256`` are those of the registration in force, ``repository`` a package URL, ``commit`` a
    git commit.
    """

    study: str | None = None
    version: int | None = None
    sha256: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    model: str | None = None
    repository: str | None = None
    commit: str | None = None


class LedgerRow(Provenance):
    """One event. ``time`` (UTC, ISO 8601) is told, never used: the order is the chain's."""

    schema_: str = Field(f"{SCHEMA_PREFIX}{ROW_VERSION}", alias="schema")
    index: int
    previous: str
    time: str
    event: str
    body: dict[str, JsonValue] = Field(default_factory=dict)

    def body_as(self, kind: type[Body]) -> Body:
        """Return the body as a record of ``kind``; raises :class:`LedgerError` naming the row when it is none."""
        try:
            return kind.model_validate(self.body)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise LedgerError(
                f"Row {self.index + 1} ({self.event}) of the ledger cannot be read: {where}: {first['msg']}.",
                "Use the version of contextbenchmark that wrote it, or a newer one.",
            ) from error


@dataclass(frozen=True, kw_only=True)
class RawRow:
    """A row whose digest is right: ``digest`` is its own (hex), ``fields`` its JSON before any upgrade."""

    digest: str
    index: int
    previous: str
    fields: dict[str, JsonValue]


class NotARow(Exception):
    """A line is no row, or not the row that was written; the message says which, to follow "row N"."""


def encode_row(row: LedgerRow) -> tuple[bytes, str]:
    """Return the line of ``row``, newline included, and its digest.

    :raises LedgerError: the row is too long, or holds a number that JSON cannot carry exactly.
    """
    try:
        data = canonical_json(json.loads(row.to_json()))
    except ValueError as error:
        raise LedgerError(
            f"A row ({row.event}) cannot be written: {error}.", "This value cannot be kept."
        ) from error
    digest = hashlib.sha256(data).hexdigest()
    line = b'{"row":%b,"sha256":"%b"}\n' % (data, digest.encode("ascii"))
    if len(line) > MAX_LINE:
        raise LedgerError(
            f"A row ({row.event}) of {len(line):,} bytes is longer than the {MAX_LINE:,} that a ledger takes.",
            "Store large output in a file and its digest in the ledger.",
        )
    return line, digest


def decode_row(line: bytes) -> RawRow:
    """Return the row that ``line`` (without its newline) holds; raises :class:`NotARow`."""
    found = _FRAME.fullmatch(line)
    if not found:
        raise NotARow("is not a row of a ledger")
    digest, told = hashlib.sha256(found[1]).hexdigest(), found[2].decode("ascii")
    if digest != told:
        raise NotARow(f"was changed: its digest is {digest}, it says {told}")
    try:
        fields = json.loads(found[1])
        index, previous = fields["index"], fields["previous"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotARow("is not a row of a ledger") from None
    if not isinstance(index, int) or not isinstance(previous, str):
        raise NotARow("is not a row of a ledger")
    return RawRow(digest=digest, index=index, previous=previous, fields=fields)


def upgraded(
    raw: RawRow, upgrades: Mapping[int, Upgrade] = UPGRADES, current: int = ROW_VERSION
) -> LedgerRow:
    """Return ``raw`` as a row of the current version, older ones brought up one version at a time.

    :raises LedgerError: it is of a newer version, or of an old one that nothing leads on from.
    """
    fields = dict(raw.fields)
    schema = str(fields.get("schema", ""))
    number = schema.removeprefix(SCHEMA_PREFIX)
    if not schema.startswith(SCHEMA_PREFIX) or not (number.isascii() and number.isdigit()):
        raise LedgerError(f"Row {raw.index + 1} has the schema {schema!r}.", "This is not a ledger of ours.")
    version = int(number)
    if version > current:
        raise LedgerError(
            f"Row {raw.index + 1} was written by a newer contextbenchmark ({schema}).",
            "Upgrade contextbenchmark; `ledger verify` checks the chain all the same.",
        )
    while version < current:
        step = upgrades.get(version)
        if step is None:
            raise LedgerError(
                f"Row {raw.index + 1} is of version {version}, which this contextbenchmark cannot read.",
                "Use a version of contextbenchmark that can.",
            )
        fields = step(fields)
        version += 1
    fields["schema"] = f"{SCHEMA_PREFIX}{current}"
    try:
        return LedgerRow.model_validate(fields)
    except ValidationError as error:
        raise LedgerError(
            f"Row {raw.index + 1} is not what its version says: {error.errors()[0]['msg']}.",
            "See who wrote it: `contextbenchmark ledger show`.",
        ) from error
