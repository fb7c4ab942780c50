"""Names that come from data: made safe as file names, made harmless on a screen."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_NAME = 80
_HASH_DIGITS = 8
_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]")
# Names that Windows keeps for devices, whatever extension follows.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)
# What a safe name that was changed ends in; a name that looks so by itself gets a hash too.
_HASHED = re.compile(r"-[0-9a-f]{8}\Z")


def safe_name(text: str) -> str:
    """Return ``text`` as one file name that leads nowhere: 1 to 80 of the ASCII letters, digits, ``._-@``.

    Any other character becomes ``_``, a leading dot and a trailing dot too. When anything was changed, 8 hex
    digits of the SHA-256 of ``text`` are appended, so that two texts do not meet in one name; for the same
    reason a text that looks as if it had been changed gets them too.
    """
    name = _UNSAFE.sub("_", text)
    if name.startswith("."):
        name = "_" + name[1:]
    if name.endswith("."):
        name = name[:-1] + "_"
    if name == text and 0 < len(name) <= MAX_NAME and _plain(name):
        return name
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    if _DEVICE.match(name):
        name = "_" + name
    return f"{name[: MAX_NAME - _HASH_DIGITS - 1] or '_'}-{digest}"


def _plain(name: str) -> bool:
    return _DEVICE.match(name) is None and _HASHED.search(name) is None


def fingerprint_name(adapter: str, corpus: str, os: str, arch: str) -> str:
    """Return the file name of a fingerprint: ``<adapter>.<corpus>.<os>-<arch>.fingerprint.json``.

    Of ``os`` (``linux 6.1.0``) only the first word counts. Every part is made safe by :func:`safe_name`, so the
    name never leads out of its folder.
    """
    machine = f"{safe_name(os.partition(' ')[0])}-{safe_name(arch)}"
    return f"{safe_name(adapter)}.{safe_name(corpus)}.{machine}.fingerprint.json"


def printable(text: str) -> str:
    """Return ``text`` on one line with nothing in it that a terminal acts on.

    Control characters (also line ends and tabs), surrogates, private-use and unassigned code points, and the
    marks that turn the direction of writing become ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN``; the separators of
    lines and paragraphs too. Everything else stays as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _harmless(character) else _escaped(character) for character in text)


def _harmless(character: str) -> bool:
    return character == " " or unicodedata.category(character) not in (
        "Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp",
    )  # fmt: skip


def _escaped(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
