"""Numbers as people read them, and text from data made harmless for the place where it will stand."""

from __future__ import annotations

import re

from contextbenchmark.core.names import printable

UNDEFINED = "undefined"

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")
# A leading one would make a list, a heading or a rule of the line.
_MARKDOWN_START = re.compile(r"\A(\s*)([#+\-=:]|\d+[.)])")
# Bare addresses become links by themselves.
_MARKDOWN_LINK = re.compile(r"(://|www\.|@)", re.IGNORECASE)
# A spreadsheet takes a cell that starts so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "＝", "＋", "－", "＠")


def number(value: float | None, decimals: int = 3) -> str:
    """Return ``value`` with so many decimals, or ``undefined``.

    Rounding never turns a value into the whole number beside it: 0.9999 is ``>0.999``, 0.0001 ``<0.001``, so
    that 1.000 and 0.000 always mean exactly that.
    """
    if value is None:
        return UNDEFINED
    shown = f"{value:.{decimals}f}"
    if float(shown) == value or float(shown) != round(float(shown)):
        return shown
    whole, step = round(float(shown)), 10.0**-decimals
    return f">{whole - step:.{decimals}f}" if value < whole else f"<{whole + step:.{decimals}f}"


def interval(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return ``[low, high]``, or nothing where there is none."""
    return "" if low is None or high is None else f"[{low:.{decimals}f}, {high:.{decimals}f}]"


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
