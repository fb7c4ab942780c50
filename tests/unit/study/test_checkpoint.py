"""A signed checkpoint shows a cut end, and nobody but its signer can make it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextbenchmark.core import signing
from contextbenchmark.core.signing import PrivateKey
from contextbenchmark.errors import LedgerError, SignatureError
from contextbenchmark.study.checkpoint import PAYLOAD_TYPE, make_checkpoint, read_checkpoint
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import verify


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    signing.generate_key(tmp_path / "key")
    return signing.read_private_key(tmp_path / "key")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.jsonl"
    with Ledger(path) as opened:
        for _ in range(5):
            opened.append(Event(kind="look"))
    return path


def test_a_checkpoint_shows_a_cut_end(ledger: Path, key: PrivateKey, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(make_checkpoint(ledger, key).to_json())
    lines = ledger.read_bytes().splitlines(keepends=True)
    head = read_checkpoint(kept, [key.public]).head
    assert str(head) == f"5:{json.loads(lines[-1])['sha256']}"
    assert verify(ledger, [head]).holds
    with Ledger(ledger) as opened:
        opened.append(Event(kind="look"))
    assert verify(ledger, [head]).holds
    ledger.write_bytes(b"".join(lines[:4]))
    assert verify(ledger).holds
    assert not verify(ledger, [head]).holds


def test_a_checkpoint_that_was_changed_or_signed_by_another_is_refused(
    ledger: Path, key: PrivateKey, tmp_path: Path
) -> None:
    envelope = make_checkpoint(ledger, key)
    signing.generate_key(tmp_path / "stranger")
    stranger = signing.read_private_key(tmp_path / "stranger")
    kept = tmp_path / "kept.json"
    kept.write_text(make_checkpoint(ledger, stranger).to_json())
    with pytest.raises(SignatureError, match="not signed by any of the 1 keys"):
        read_checkpoint(kept, [key.public])
    payload = signing.open_envelope(envelope, []).payload.replace(b'"rows":5', b'"rows":4')
    forged = signing.sign(payload, PAYLOAD_TYPE, [stranger]).model_copy(
        update={"signatures": envelope.signatures}
    )
    kept.write_text(forged.to_json())
    with pytest.raises(SignatureError, match="may have been changed"):
        read_checkpoint(kept, [key.public])


def test_something_else_that_the_signer_signed_is_no_checkpoint(key: PrivateKey, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    for payload_type, said in ((signing.IN_TOTO, "no checkpoint of a ledger"), (PAYLOAD_TYPE, "can be read")):
        kept.write_text(signing.sign(b"{}", payload_type, [key]).to_json())
        with pytest.raises(SignatureError, match=said):
            read_checkpoint(kept, [key.public])


def test_a_broken_ledger_is_not_signed(ledger: Path, key: PrivateKey) -> None:
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[1:]))
    with pytest.raises(LedgerError, match="not signed"):
        make_checkpoint(ledger, key)
