"""Numbers as people read them, and text from data made harmless for the place where it will stand."""

from __future__ import annotations

import math
import re

from contextbenchmark.core.names import printable

UNDEFINED = "undefined"

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")
# A leading one would make a list, a heading or a rule of the line.
_MARKDOWN_START = re.compile(r"\A(\s*)(#|=|[+-](?=[\s-]|\Z)|\d{1,9}[.)](?=\s|\Z))")
# Bare addresses become links by themselves.
_MARKDOWN_LINK = re.compile(r"(://|www\.|@)", re.IGNORECASE)
# A spreadsheet takes a cell that starts so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "＝", "＋", "－", "＠")


def number(value: float | None, decimals: int = 3, *, up: bool = False) -> str:
    """Return ``value`` with so many decimals, or ``undefined``.

    It is cut, not rounded, so that what lies below a threshold is never printed as reaching it; where less is
    better, as with drift and upper bounds, ``up`` rounds away from zero for the same reason. Only zero prints as
    zero: a smaller value than the last decimal can hold is ``<0.001``, or ``>-0.001`` below zero.
    """
    if value is None:
        return UNDEFINED
    scale = 10**decimals
    # 0.57 * 100 is 56.99999999999999: what is off by rounding alone counts as met.
    steps = math.ceil(abs(value) * scale - 1e-9) if up else math.floor(abs(value) * scale + 1e-9)
    if steps == 0 and value:
        return f"<{1 / scale:.{decimals}f}" if value > 0 else f">-{1 / scale:.{decimals}f}"
    return f"{math.copysign(steps / scale, value) if steps else 0.0:.{decimals}f}"


def interval(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return ``[low, high]`` with both ends rounded outwards, or nothing where there is none."""
    if low is None or high is None:
        return ""
    scale = 10**decimals
    ends = math.floor(low * scale + 1e-9) / scale, math.ceil(high * scale - 1e-9) / scale
    return f"[{', '.join(f'{end + 0.0:.{decimals}f}' for end in ends)}]"


def seconds(value: float | None) -> str:
    """Return a duration given in seconds with the unit that suits it and about three figures."""
    if value is None:
        return UNDEFINED
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size * 0.9995:
            return f"{_figures(value / size)} {unit}"
    return f"{_figures(value / 1e-6)} µs"


def size(value: float) -> str:
    """Return a size given in bytes with the unit that suits it: kB is 1,000 bytes."""
    for unit, step in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= step * 0.9995:
            return f"{_figures(value / step)} {unit}"
    return f"{value:.0f} B"


def _figures(value: float) -> str:
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: ``1 build``, ``3 builds``, ``2 passes``, ``2 queries``."""
    if count == 1:
        return f"{count:,} {noun}"
    if noun.endswith("y"):
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}{'es' if noun.endswith(('s', 'x', 'h')) else 's'}"


def markdown_text(text: str) -> str:
    """Return ``text`` as Markdown that reads as the text does, on one line, in a table too."""
    escaped = _MARKDOWN.sub(r"\\\1", printable(text))
    escaped = _MARKDOWN_START.sub(lambda m: f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", escaped)
    return _MARKDOWN_LINK.sub(lambda m: f"{m[1][:-1]}\\{m[1][-1]}" if m[1] != "@" else "&#64;", escaped)


def markdown_code(text: str) -> str:
    """Return ``text`` as a Markdown code span that holds in a table too."""
    shown = printable(text).replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if not shown or shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{padding}{shown or ' '}{padding}{fence}"


def csv_text(text: str) -> str:
    """Return ``text`` for a CSV cell: on one line, and with ``'`` before what a spreadsheet would calculate."""
    shown = printable(text)
    return f"'{shown}" if text.startswith(_FORMULA) or shown.startswith(_FORMULA) else shown


def xml_text(text: str) -> str:
    """Return ``text`` with what XML 1.0 does not allow made visible (line ends and tabs stay); not escaped."""
    return "".join(
        character if character in "\n\t" or _xml_allows(character) else printable(character)
        for character in text
    )


def _xml_allows(character: str) -> bool:
    code = ord(character)
    if 0x7F <= code <= 0x9F:
        return False
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or (code >= 0x10000 and code & 0xFFFE != 0xFFFE)
