"""Reading a fingerprint file. It is data from a stranger: size, depth, types and hashes are checked first."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import rfc8785
from pydantic import ValidationError

from contextbenchmark.core.names import printable
from contextbenchmark.core.reading import read_regular
from contextbenchmark.errors import FingerprintError
from contextbenchmark.trust.fingerprint import Fingerprint, ReadFingerprint, content_digest

LARGEST_FILE = 64 * 1024 * 1024
FORMAT_KEY = "contextbenchmarkFingerprint"
# What the seed's tool called it before the tool was renamed; such files are of format 1.
FORMER_KEY = "detbenchFingerprint"
# Only a writer that writes a digest too writes these.
_OUR_KEYS = frozenset(("methodVersion", "adapterSource", "evidence", "artifactFiles"))


def read_fingerprint(path: Path) -> ReadFingerprint:
    """Read a fingerprint file of format 1 or 2.

    :raises FingerprintError: it cannot be read or is no fingerprint; the message names the file, what is wrong and
        where.
    """
    shown = printable(str(path))
    content = _parse(_read(path, shown), shown)
    try:
        fingerprint = Fingerprint.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = printable(".".join(str(part) for part in first["loc"]))[:120]
        raise _no_fingerprint(shown, f"{where}: {first['msg']}") from error
    return ReadFingerprint(
        path=str(path), fingerprint=fingerprint, altered=_altered(content, fingerprint.digest)
    )


def _read(path: Path, shown: str) -> str:
    try:
        data = read_regular(path, LARGEST_FILE)
    except IsADirectoryError as error:
        raise FingerprintError(f"{shown} is a folder.", "Name a *.fingerprint.json file in it.") from error
    except OSError as error:
        raise FingerprintError(
            f"{shown} cannot be read: {error.strerror}.", "Name a *.fingerprint.json file."
        ) from error
    if not data.strip():
        raise FingerprintError(f"{shown} is empty.", "Run again to write it, or fetch it again.")
    try:
        return data.decode("utf-8-sig")  # some editors put a mark before the text
    except UnicodeDecodeError as error:
        raise _no_fingerprint(shown, f"byte {error.start} is not UTF-8") from error


def _parse(text: str, shown: str) -> dict[str, Any]:
    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is not a JSON number")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise ValueError(f"the key {printable(twice)[:80]!r} stands twice")
        return found

    try:
        content = json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
        # A lone surrogate, which JSON can spell, is no text.
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except RecursionError as error:
        raise _no_fingerprint(shown, "it is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise _no_fingerprint(shown, "it holds half a surrogate pair") from error
    except ValueError as error:
        raise _no_fingerprint(shown, f"it is not JSON ({error})") from error
    if isinstance(content, dict) and FORMAT_KEY not in content and FORMER_KEY in content:
        content[FORMAT_KEY] = content.pop(FORMER_KEY)
    if not isinstance(content, dict) or FORMAT_KEY not in content:
        raise _no_fingerprint(shown, f"it has no {FORMAT_KEY} key")
    return content


def _no_fingerprint(shown: str, why: str) -> FingerprintError:
    return FingerprintError(
        f"{shown} is not a fingerprint: {why}.", "Name a *.fingerprint.json file that a run has written."
    )


def _altered(content: dict[str, Any], digest: str | None) -> bool:
    """Say whether the digest does not fit; taking it out of a file that was written with one does not help."""
    if digest is None:
        return not _OUR_KEYS.isdisjoint(content)
    try:
        return content_digest(content) != digest
    except (rfc8785.CanonicalizationError, RecursionError):
        return True
