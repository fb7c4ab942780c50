"""``bm25``, the reference baseline: a lexical index without dependencies, pinned byte for byte.

The rules are written down (documents, tokens, artifact, scores) so exactly that an implementation in another
language writes the same ``index.json``. Scoring is Okapi BM25 (Robertson & Zaragoza 2009, "The Probabilistic
Relevance Framework: BM25 and Beyond") with the never negative inverse document frequency
ln(1 + (N - df + 0.5) / (df + 0.5)).
"""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

name = "bm25"
summary = "Okapi BM25 over whole files, without dependencies: the determinism floor"
requirements: list[str] = []

# Not declared as artifact_file: the published hashes of this artifact are those of its folder.
INDEX = "index.json"
K1 = 1.2
B = 0.75
DECIMALS = 8
SUFFIXES = frozenset((".ts", ".tsx", ".js", ".mjs", ".py", ".md", ".json", ".txt"))
SKIPPED_FOLDERS = frozenset(("node_modules", ".git"))
QUERIES_FILE = "queries.json"
ARRAY_INDEX_LIMIT = 4294967295

# Tokens are runs of [a-z0-9] in the lower-cased text, so on the bytes of UTF-8 everything else separates:
# a byte of 128 or more is never part of one, and an invalid sequence never swallows an ASCII byte. Only two
# other characters have ASCII letters in their lower case; their first byte starts a character wherever it
# stands, so replacing their bytes is the same as decoding first (checked over all code points by a test).
_TO_TOKENS = bytes(
    byte
    if chr(byte).isascii() and (chr(byte).isdigit() or chr(byte).islower())
    else byte + 32
    if 65 <= byte <= 90
    else 32
    for byte in range(256)
)
_KELVIN_SIGN, _CAPITAL_I_WITH_DOT = "\u212a".encode(), "\u0130".encode()


def available() -> bool:
    """Return True: nothing is needed."""
    return True


def version() -> dict[str, str]:
    """Return the hash of this file, which is all of the system: ``sha256:`` and 16 hexadecimal digits."""
    import hashlib

    with builtins.open(__file__, "rb") as stream:
        digest = hashlib.sha256(stream.read()).hexdigest()
    return {"id": f"sha256:{digest[:16]}", "source": "content-hash"}


def build(corpus_dir: str, out_dir: str) -> None:
    """Index the documents of ``corpus_dir`` into ``out_dir/index.json``."""
    from collections import Counter

    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
    frequencies: Counter[str] = Counter()
    documents: dict[str, str] = {}
    total = 0
    for path, full in _documents(corpus_dir):
        with builtins.open(full, "rb", buffering=0) as stream:
            words = _words(stream.read())
        counts = Counter(words)
        short = [word for word in counts if len(word) == 1]
        length = len(words) - sum([counts.pop(word) for word in short])
        frequencies.update(counts.keys())
        total += length
        ordered = {term: counts[term] for term in _key_order(counts)}
        documents[path] = f'{{"len":{length},"tf":{encode(ordered)}}}'
    average = _number(total / len(documents)) if documents else "0"
    counted = encode({term: frequencies[term] for term in _key_order(frequencies)})
    os.makedirs(out_dir, exist_ok=True)
    with builtins.open(os.path.join(out_dir, INDEX), "w", encoding="utf-8", newline="") as stream:
        stream.write(f'{{"version":1,"N":{len(documents)},"avgLen":{average},"df":{counted},"docs":{{')
        between = ""
        for path in _key_order(documents):
            stream.write(f"{between}{encode(path)}:{documents[path]}")
            between = ","
        stream.write("}}")


class Index:
    """A loaded ``index.json``."""

    def __init__(self, out_dir: str) -> None:
        import gc

        with builtins.open(os.path.join(out_dir, INDEX), "rb") as stream:
            data = stream.read()
        # Loading makes one dictionary a document and no cycles; to look for cycles meanwhile is time lost.
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._index: dict[str, Any] = json.loads(data)
        finally:
            if collecting:
                gc.enable()

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return the ``k`` best documents for ``text``: scores rounded to 8 decimals, equal ones by path."""
        from math import log

        count, average = self._index["N"], self._index["avgLen"]
        documents: dict[str, Any] = self._index["docs"]
        scores: dict[str, float] = {}
        for term in tokens(text):
            df = self._index["df"].get(term)
            if df is None:
                continue
            weight = log(1 + (count - df + 0.5) / (df + 0.5))
            for path, document in documents.items():
                tf = document["tf"].get(term)
                if tf is not None:
                    norm = K1 * (1 - B + B * document["len"] / average)
                    scores[path] = scores.get(path, 0.0) + weight * tf * (K1 + 1) / (tf + norm)
        ranked = sorted(
            ((round(score, DECIMALS), path) for path, score in scores.items() if score > 0),
            key=lambda item: (-item[0], item[1]),
        )
        return [{"file": path, "score": score} for score, path in ranked[:k]]


def open(out_dir: str) -> Index:
    """Return the index in ``out_dir``, loaded once for a whole pass."""
    return Index(out_dir)


def query(out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
    """Return the ``k`` best documents for ``text`` from the index in ``out_dir``."""
    return Index(out_dir).query(text, k)


def tokens(text: str) -> list[str]:
    """Return the runs of ``[a-z0-9]`` of length 2 or more in the lower-cased ``text``, in order."""
    return [word for word in _words(text.encode("utf-8", "replace")) if len(word) > 1]


def _words(data: bytes) -> list[str]:
    """Return all runs of ``[a-z0-9]`` in the lower-cased text whose UTF-8 bytes are ``data``."""
    if not data.isascii():
        data = data.replace(_KELVIN_SIGN, b"k").replace(_CAPITAL_I_WITH_DOT, b"i ")
    return data.translate(_TO_TOKENS).decode("ascii").split()


def _documents(corpus_dir: str) -> Iterator[tuple[str, str]]:
    """Yield ``(path, full path)`` of every document, in no particular order: the artifact is sorted."""
    waiting = [("", corpus_dir)]
    while waiting:
        prefix, folder = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in SKIPPED_FOLDERS:
                        waiting.append((f"{prefix}{entry.name}/", entry.path))
                elif _suffix(entry.name) in SUFFIXES and entry.is_file():
                    path = prefix + entry.name
                    if path != QUERIES_FILE:
                        yield path, entry.path


def _suffix(file_name: str) -> str:
    dot = file_name.rfind(".")
    return file_name[dot:] if dot >= 0 else ""


def _key_order(keys: Iterable[str]) -> list[str]:
    """Return ``keys`` as ECMAScript lists them of an object filled in UTF-16 order: array indices first."""
    from bisect import bisect_left

    known = list(keys)
    ordered = sorted(known) if all(map(str.isascii, known)) else sorted(known, key=_utf16)
    # In either order, the keys that begin with a digit stand together.
    start, end = bisect_left(ordered, "0"), bisect_left(ordered, ":")
    indices = sorted(filter(_is_array_index, ordered[start:end]), key=int)
    if indices:
        first = set(indices)
        ordered = indices + [key for key in ordered if key not in first]
    return ordered


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _is_array_index(key: str) -> bool:
    if not (key.isascii() and key.isdigit()) or (key[0] == "0" and key != "0") or len(key) > 10:
        return False
    return int(key) < ARRAY_INDEX_LIMIT


def _number(value: float) -> str:
    """Return a finite ``value`` >= 0 as ECMAScript prints it (ECMA-262, Number::toString)."""
    mantissa, _, exponent = repr(float(value)).partition("e")
    mantissa = mantissa.removesuffix(".0")
    if not exponent:
        return mantissa
    power, digits = int(exponent), mantissa.replace(".", "")
    if -7 < power < 0:
        return f"0.{'0' * (-power - 1)}{digits}"
    if len(digits) <= power + 1 <= 21:
        return digits.ljust(power + 1, "0")
    return f"{mantissa}e{power:+d}"
