"""Rows of other versions: old ones are brought up on reading, newer ones are refused, the chain holds for all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from contextbenchmark.core.record import Record
from contextbenchmark.errors import LedgerError
from contextbenchmark.study.ledger_reading import read_rows, verify
from contextbenchmark.study.ledger_row import (
    ROW_VERSION,
    UPGRADES,
    LedgerRow,
    NotARow,
    decode_row,
    encode_row,
    upgraded,
)


def line(fields: dict[str, JsonValue]) -> bytes:
    """A line written from the description of the format, not by the code under test."""
    data = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    return b'{"row":%b,"sha256":"%b"}' % (data, hashlib.sha256(data).hexdigest().encode())


def old_row(version: int, **more: JsonValue) -> bytes:
    return line(
        {
            "schema": f"contextbenchmark.ledger/{version}",
            "index": 0,
            "previous": "0" * 64,
            "time": "2026-01-01T00:00:00Z",
            "event": "session",
            **more,
        }
    )


def rename_label(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {**fields, "body": {"label": fields.pop("kindLabel")}}


def upper_label(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    body = fields["body"]
    assert isinstance(body, dict)
    return {**fields, "body": {"label": str(body["label"]).upper()}}


def test_an_old_row_is_brought_up_one_version_at_a_time_and_its_bytes_stay() -> None:
    raw = decode_row(old_row(1, kindLabel="weekly"))
    row = upgraded(raw, {1: rename_label, 2: upper_label}, current=3)
    assert row.body == {"label": "WEEKLY"} and row.schema_ == "contextbenchmark.ledger/3"
    assert raw.fields["kindLabel"] == "weekly"
    assert upgraded(decode_row(old_row(2, body={"label": "x"})), {2: upper_label}, current=3).body == {
        "label": "X"
    }


def test_there_is_an_upgrade_from_every_version_that_was_ever_written() -> None:
    assert sorted(UPGRADES) == list(range(1, ROW_VERSION))


@pytest.mark.parametrize("schema", ["contextbenchmark.ledger/99", "contextbenchmark.ledger/x", "other/1", 3])
def test_a_row_of_a_newer_version_or_another_kind_is_refused_but_its_chain_is_checked(
    tmp_path: Path, schema: JsonValue
) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(old_row(1, schema=schema) + b"\n")
    assert verify(path).holds
    with pytest.raises(LedgerError, match=r"Row 1 "):
        list(read_rows(path))


def test_an_old_row_that_nothing_leads_on_from_is_refused() -> None:
    with pytest.raises(LedgerError, match="of version 1"):
        upgraded(decode_row(old_row(1)), {}, current=2)


def test_a_row_that_lacks_what_its_version_has_is_refused() -> None:
    with pytest.raises(LedgerError, match="not what its version says"):
        upgraded(decode_row(old_row(ROW_VERSION, event=5)))


def test_a_body_that_is_of_another_kind_names_its_row() -> None:
    class Wanted(Record):
        number: int

    row = upgraded(decode_row(old_row(ROW_VERSION, body={"number": "many"})))
    with pytest.raises(LedgerError, match=r"Row 1 \(session\).*number"):
        row.body_as(Wanted)


@given(
    st.dictionaries(
        st.text(max_size=8), st.text() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e9, 1e9)
    )
)
def test_what_is_written_is_read_again(body: dict[str, JsonValue]) -> None:
    row = LedgerRow(index=0, previous="0" * 64, time="t", event="e", body=body)
    written, digest = encode_row(row)
    assert written.endswith(b"}\n") and written.count(b"\n") == 1
    raw = decode_row(written[:-1])
    assert raw.digest == digest and upgraded(raw).body == body


@given(st.binary(max_size=200))
def test_junk_is_never_a_row(junk: bytes) -> None:
    with pytest.raises(NotARow):
        decode_row(junk)


@pytest.mark.parametrize(
    "data", [b"[]", b"3", b'{"index":"0","previous":""}', b'{"index":0}', b"{", b"[" * 100_000]
)
def test_json_with_a_right_digest_that_is_no_row_is_none(data: bytes) -> None:
    with pytest.raises(NotARow, match="is not a row"):
        decode_row(b'{"row":%b,"sha256":"%b"}' % (data, hashlib.sha256(data).hexdigest().encode()))
