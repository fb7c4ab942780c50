"""Keys and envelopes, against RFC 8032's and DSSE's own vectors and against OpenSSL."""

from __future__ import annotations

import base64
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contextbenchmark.core import signing
from contextbenchmark.core.signing import Envelope, PrivateKey, Signature
from contextbenchmark.errors import SignatureError

# RFC 8032, section 7.1: secret key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    signing.generate_key(tmp_path / "key")
    return signing.read_private_key(tmp_path / "key")


def other_key(folder: Path) -> PrivateKey:
    signing.generate_key(folder / "other")
    return signing.read_private_key(folder / "other")


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_the_algorithm_is_the_rfcs(secret: str, public: str, message: str, signature: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    assert key.public_key().public_bytes_raw().hex() == public
    assert key.sign(bytes.fromhex(message)).hex() == signature


def test_pre_authentication_encoding_is_dsses_example() -> None:
    encoded = signing.pre_authentication_encoding("http://example.com/HelloWorld", b"hello world")
    assert encoded == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_lengths_count_bytes() -> None:
    assert signing.pre_authentication_encoding("é", "ü!".encode()) == "DSSEv1 2 é 3 ü!".encode()


def test_what_is_signed_opens_with_the_signers_key_alone(key: PrivateKey, tmp_path: Path) -> None:
    envelope = signing.sign(b"\x00payload", "text/plain", [key])
    stranger = other_key(tmp_path)
    assert signing.open_envelope(envelope, [stranger.public, key.public]).signed_by == (key.public.key_id,)
    assert signing.open_envelope(envelope, [stranger.public]).signed_by == ()
    assert signing.open_envelope(envelope, [key.public]).payload == b"\x00payload"


def test_two_signers_are_both_named(key: PrivateKey, tmp_path: Path) -> None:
    second = other_key(tmp_path)
    opened = signing.open_envelope(signing.sign(b"x", "t", [key, second]), [key.public, second.public])
    assert set(opened.signed_by) == {key.public.key_id, second.public.key_id}


def test_a_key_id_in_the_envelope_decides_nothing(key: PrivateKey, tmp_path: Path) -> None:
    forger = other_key(tmp_path)
    forged = signing.sign(b"x", "t", [forger])
    claimed = Signature(keyid=key.public.key_id, sig=forged.signatures[0].sig)
    envelope = forged.model_copy(update={"signatures": (claimed,)})
    assert signing.open_envelope(envelope, [key.public]).signed_by == ()
    assert signing.open_envelope(envelope, [forger.public]).signed_by == (forger.public.key_id,)


def test_a_changed_payload_or_type_is_signed_by_nobody(key: PrivateKey) -> None:
    envelope = signing.sign(b"yes", "t", [key])
    other_payload = envelope.model_copy(update={"payload": base64.b64encode(b"no").decode()})
    other_type = envelope.model_copy(update={"payload_type": "u"})
    for changed in (other_payload, other_type):
        assert signing.open_envelope(changed, [key.public]).signed_by == ()


def test_type_and_payload_cannot_shift_into_each_other(key: PrivateKey) -> None:
    envelope = signing.sign(b"b c", "a", [key])
    shifted = envelope.model_copy(
        update={"payload_type": "a 3 b", "payload": base64.b64encode(b"c").decode()}
    )
    assert signing.open_envelope(shifted, [key.public]).signed_by == ()


def test_both_alphabets_of_base64_are_read(key: PrivateKey) -> None:
    envelope = signing.sign(b"\xfb\xff\xfe", "t", [key])
    assert envelope.payload == "+//+"
    web = envelope.model_copy(update={"payload": "-__-"})
    assert signing.open_envelope(web, [key.public]).signed_by == (key.public.key_id,)


def test_an_envelope_on_disk_has_the_standards_names(key: PrivateKey, tmp_path: Path) -> None:
    path = tmp_path / "envelope.json"
    path.write_text(signing.sign(b"x", signing.IN_TOTO, [key]).to_json())
    assert '"payloadType":"application/vnd.in-toto+json"' in path.read_text()
    assert signing.open_envelope(signing.read_envelope(path), [key.public]).payload == b"x"


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"payload": 3, "payloadType": "t", "signatures": []}'])
def test_what_is_no_envelope_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "e.json"
    path.write_text(content)
    with pytest.raises(SignatureError, match=r"e\.json is not a DSSE envelope"):
        signing.read_envelope(path)


def test_a_part_that_is_not_base64_is_refused() -> None:
    with pytest.raises(SignatureError, match="not base64"):
        signing.open_envelope(Envelope(payload="###", payload_type="t", signatures=()), [])


def test_a_private_key_is_its_owners_and_never_overwritten(tmp_path: Path) -> None:
    public = signing.generate_key(tmp_path / "sub" / "key")
    assert stat.S_IMODE((tmp_path / "sub" / "key").stat().st_mode) == 0o600
    assert signing.read_public_key(tmp_path / "sub" / "key.pub").key_id == public.key_id
    before = (tmp_path / "sub" / "key").read_bytes()
    with pytest.raises(SignatureError, match="there already"):
        signing.generate_key(tmp_path / "sub" / "key")
    assert (tmp_path / "sub" / "key").read_bytes() == before


def test_keys_of_other_kinds_and_files_that_are_no_keys_are_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    other = X25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    (tmp_path / "x").write_bytes(
        other.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    (tmp_path / "x.pub").write_bytes(
        other.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    (tmp_path / "junk").write_bytes(b"\xff\x00")
    locked = Ed25519PrivateKey.generate().private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")
    )
    (tmp_path / "locked").write_bytes(locked)
    for name, said in (
        ("x", "not an Ed25519"),
        ("junk", "no private key"),
        ("locked", "encrypted"),
        ("no", "Cannot"),
    ):
        with pytest.raises(SignatureError, match=said):
            signing.read_private_key(tmp_path / name)
    for name, said in (("x.pub", "not an Ed25519"), ("junk", "no public key"), ("no", "Cannot read")):
        with pytest.raises(SignatureError, match=said):
            signing.read_public_key(tmp_path / name)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_reads_our_keys_and_checks_our_signature(key: PrivateKey, tmp_path: Path) -> None:
    envelope = signing.sign(b"for openssl", "t", [key])
    (tmp_path / "signed").write_bytes(signing.pre_authentication_encoding("t", b"for openssl"))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope.signatures[0].sig))
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pub", "-rawin", "-in", "signed"]
    done = subprocess.run([*command, "-sigfile", "sig"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
