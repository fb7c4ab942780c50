"""Signatures: Ed25519 keys in files, DSSE envelopes around what is signed, all of it offline.

Ed25519: RFC 8032. Envelope and pre-authentication encoding: DSSE 1.0 (secure-systems-lab/dsse). Keys: PEM, the
private one as PKCS #8 (RFC 5958), the public one as SubjectPublicKeyInfo (RFC 8410), as OpenSSL writes them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from contextbenchmark.core.record import Record, make_folder, storage_error
from contextbenchmark.errors import SignatureError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

IN_TOTO = "application/vnd.in-toto+json"
MAX_KEY_FILE = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """A key that signatures are checked with. ``key_id``: SHA-256 (hex) of its DER SubjectPublicKeyInfo."""

    key_id: str
    key: Ed25519PublicKey


@dataclass(frozen=True, kw_only=True)
class PrivateKey:
    """A key that signs, with the public key that checks it."""

    public: PublicKey
    key: Ed25519PrivateKey


class Signature(Record):
    """One signature of an envelope: ``sig`` in base64; ``keyid`` is a hint that nothing is decided on."""

    keyid: str = ""
    sig: str


class Envelope(Record):
    """A DSSE envelope: ``payload`` in base64, its type, and signatures over both."""

    payload: str
    payload_type: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What an envelope holds, and the ids of the trusted keys that signed it (none: nobody trusted did)."""

    payload: bytes
    payload_type: str
    signed_by: tuple[str, ...]


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed (DSSE 1.0): lengths first, so that type and payload cannot shift."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload: bytes, payload_type: str, keys: Sequence[PrivateKey]) -> Envelope:
    """Return an envelope around ``payload`` signed by every one of ``keys``."""
    signed = pre_authentication_encoding(payload_type, payload)
    return Envelope(
        payload=base64.b64encode(payload).decode("ascii"),
        payload_type=payload_type,
        signatures=tuple(
            Signature(keyid=key.public.key_id, sig=base64.b64encode(key.key.sign(signed)).decode("ascii"))
            for key in keys
        ),
    )


def open_envelope(envelope: Envelope, trusted: Sequence[PublicKey]) -> Opened:
    """Return what ``envelope`` holds and which of ``trusted`` signed it; who else did is not asked.

    Every signature is tried with every key: the key id in an envelope is only a hint (DSSE 1.0).

    :raises SignatureError: the payload or a signature is not base64.
    """
    from cryptography.exceptions import InvalidSignature

    payload = _decode(envelope.payload)
    signed = pre_authentication_encoding(envelope.payload_type, payload)
    found: dict[str, None] = {}
    for signature in envelope.signatures:
        raw = _decode(signature.sig)
        for key in trusted:
            try:
                key.key.verify(raw, signed)
            except InvalidSignature:
                continue
            found[key.key_id] = None
    return Opened(payload=payload, payload_type=envelope.payload_type, signed_by=tuple(found))


def read_envelope(path: Path) -> Envelope:
    """Read an envelope from a file; raises :class:`SignatureError` when it holds none."""
    try:
        return Envelope.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SignatureError(f"Cannot read {path}: {error.strerror}.", "Name a signed file.") from error
    except ValidationError as error:
        raise SignatureError(
            f"{path} is not a DSSE envelope: {error.errors()[0]['msg']}.", "Name a file that was signed."
        ) from error


def _decode(text: str) -> bytes:
    """Decode base64 of either alphabet, as DSSE asks of a reader."""
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise SignatureError(
            "The envelope holds a part that is not base64.", "Take it again from where it was signed."
        ) from error


def generate_key(path: Path) -> PublicKey:
    """Make a key pair: ``path`` gets the private key, readable by its owner alone, ``path``.pub the public one.

    :raises SignatureError: one of the two files is there already; a key is never overwritten.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    public = path.with_name(path.name + ".pub")
    for place in (path, public):
        if place.exists() or place.is_symlink():
            raise SignatureError(
                f"{place} is there already.", "Choose another name, or move it away yourself."
            )
    make_folder(path.parent)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write_new(path, pem, 0o600)
    _write_new(
        public,
        key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
        0o644,
    )
    return _public(key.public_key())


def read_private_key(path: Path) -> PrivateKey:
    """Read an unencrypted Ed25519 private key from a PEM file.

    :raises SignatureError: it cannot be read, is encrypted, or is a key of another kind.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    data = _read_key(path)
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except TypeError as error:
        raise SignatureError(
            f"The key in {path} is encrypted.",
            "Write a copy without pass phrase: openssl pkey -in KEY -out COPY.",
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SignatureError(
            f"{path} holds no private key in PEM.", "Name a file made by `contextbenchmark keygen`."
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SignatureError(
            f"The key in {path} is not an Ed25519 key.", "Make one: contextbenchmark keygen."
        )
    return PrivateKey(public=_public(key.public_key()), key=key)


def read_public_key(path: Path) -> PublicKey:
    """Read an Ed25519 public key from a PEM file; raises :class:`SignatureError` when it holds none."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    data = _read_key(path)
    try:
        key = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SignatureError(
            f"{path} holds no public key in PEM.", "Name the file that ends in .pub of the signer's key pair."
        ) from error
    if not isinstance(key, Ed25519PublicKey):
        raise SignatureError(
            f"The key in {path} is not an Ed25519 key.", "Ask the signer for an Ed25519 key."
        )
    return _public(key)


def _public(key: Ed25519PublicKey) -> PublicKey:
    from cryptography.hazmat.primitives import serialization

    der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return PublicKey(key_id=hashlib.sha256(der).hexdigest(), key=key)


def _read_key(path: Path) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(MAX_KEY_FILE)
    except OSError as error:
        raise SignatureError(f"Cannot read the key {path}: {error.strerror}.", "Name a key file.") from error


def _write_new(path: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise storage_error(error, path) from error
