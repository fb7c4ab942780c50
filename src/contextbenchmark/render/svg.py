"""A small helper for SVG: elements whose text is always escaped, and the few plots that we draw.

Colours are CSS classes of the page (``render/templates/frame.html.j2``), so that plots follow its light and dark
forms; a stand-alone picture brings its own. Every plot has a ``<title>`` and a ``<desc>`` that say what it shows, and
each mark a ``<title>`` with its value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from contextbenchmark.render.text import xml_text

_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 520.0, 150.0, 74.0, 8.0, 26.0


def element(name: str, *children: str, text: str = "", **attributes: str | float) -> str:
    """Return ``<name ...>text children</name>``; ``_`` in an attribute's name is ``-``, at the end it is dropped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"' for key, value in attributes.items()
    )
    inner = escape(xml_text(text)) + "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    return xml_text(value) if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def picture(
    width: float, height: float, children: Iterable[str], *, title: str, description: str, identity: str
) -> str:
    """Return an ``<svg>`` that scales to the width of its place; ``identity`` is unique on the page."""
    return element(
        "svg",
        element("title", text=title, id=f"{identity}-title"),
        element("desc", text=description, id=f"{identity}-desc"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{identity}-title {identity}-desc",
        class_="plot",
    )


@dataclass(frozen=True, kw_only=True)
class Column:
    """One item of a column plot: ``value`` in [0, 1] or None where undefined; ``beside`` is a second mark."""

    label: str
    value: float | None
    beside: float | None = None
    marked: bool = False
    title: str = ""


def columns(
    items: Sequence[Column], *, title: str, description: str, identity: str, first: str = "Query"
) -> str:
    """Return a column for each item on a scale from 0 to 1.

    ``beside`` is drawn as a short line across the column, ``marked`` as a triangle above it, an undefined value
    as a cross on the base line.
    """
    width, height, left, top, base = _WIDTH, 190.0, 34.0, 16.0, 156.0
    step = (width - left - 6) / max(1, len(items))
    bar = max(1.0, min(18.0, step * 0.72))
    drawn = [_scale(left, width, top, base)]
    for number, item in enumerate(items):
        drawn.append(_column(item, left + step * (number + 0.5), bar, top, base))
    every = max(1, math.ceil(len(items) / 12))
    for number in range(0, len(items), every):
        x = left + step * (number + 0.5)
        drawn.append(
            element("text", text=items[number].label, x=x, y=base + 14, class_="tick", text_anchor="middle")
        )
    drawn.append(
        element("text", text=first, x=(left + width) / 2, y=height - 2, class_="tick", text_anchor="middle")
    )
    return picture(width, height, drawn, title=title, description=description, identity=identity)


def _scale(left: float, width: float, top: float, base: float) -> str:
    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = base - value * (base - top)
        parts.append(
            element("line", x1=left, x2=width - 4, y1=y, y2=y, class_="axis" if value == 0 else "grid")
        )
        parts.append(
            element("text", text=f"{value:g}", x=left - 5, y=y + 3.5, class_="tick", text_anchor="end")
        )
    return "".join(parts)


def _column(item: Column, x: float, bar: float, top: float, base: float) -> str:
    parts = [element("title", text=item.title or item.label)]
    # The whole height answers the pointer, so that a short column can be asked too.
    parts.append(element("rect", x=x - bar / 2, y=top, width=bar, height=base - top, class_="touch"))
    if item.value is None:
        for sign in (-1, 1):
            parts.append(
                element(
                    "line",
                    x1=x - 3,
                    x2=x + 3,
                    y1=base - 5 - 3 * sign,
                    y2=base - 5 + 3 * sign,
                    class_="undefined",
                )
            )
    else:
        high = item.value * (base - top)
        look = "bar" if item.value == 1 else "bar less"
        parts.append(element("rect", x=x - bar / 2, y=base - high, width=bar, height=high, class_=look))
    if item.beside is not None:
        y = base - item.beside * (base - top)
        parts.append(element("line", x1=x - bar / 2 - 2, x2=x + bar / 2 + 2, y1=y, y2=y, class_="beside"))
    if item.marked:
        parts.append(element("path", d=f"M{x:.2f} {top - 3:.2f} l-4 -8 h8 z", class_="mark"))
    return element("g", *parts)


@dataclass(frozen=True, kw_only=True)
class Span:
    """One row of a logarithmic plot: ``points`` are positive values in rising order, each with its words."""

    label: str
    points: tuple[tuple[float, str], ...]
    note: str = ""


def spans(
    rows: Sequence[Span], *, title: str, description: str, identity: str, ticks: Sequence[tuple[float, str]]
) -> str:
    """Return a row for each span on a logarithmic scale: a line over its points, the first of them filled.

    ``ticks`` are the marks of the scale, in rising order, and span it.
    """
    width, bottom = _WIDTH, _TOP + _ROW * len(rows)
    low, high = math.log10(ticks[0][0]), math.log10(ticks[-1][0])

    def place(value: float) -> float:
        share = (math.log10(value) - low) / (high - low)
        return _LEFT + min(1.0, max(0.0, share)) * (width - _LEFT - _RIGHT)

    drawn = []
    for value, text in ticks:
        x = place(value)
        drawn.append(element("line", x1=x, x2=x, y1=_TOP, y2=bottom, class_="grid"))
        drawn.append(element("text", text=text, x=x, y=bottom + 14, class_="tick", text_anchor="middle"))
    for number, row in enumerate(rows):
        drawn.append(
            _span(row, _TOP + _ROW * (number + 0.5), [place(value) for value, _ in row.points], width)
        )
    return picture(width, bottom + 20, drawn, title=title, description=description, identity=identity)


def _span(row: Span, y: float, places: Sequence[float], width: float) -> str:
    parts = [
        element("text", text=shorten(row.label, 22), x=_LEFT - 10, y=y + 4, class_="label", text_anchor="end")
    ]
    if places:
        parts.append(element("line", x1=places[0], x2=places[-1], y1=y, y2=y, class_="span"))
    for number, (x, (_, words)) in enumerate(zip(places, row.points, strict=True)):
        look = "dot" if number == 0 else "ring"
        parts.append(
            element(
                "circle", element("title", text=words), cx=x, cy=y, r=5 if number == 0 else 4, class_=look
            )
        )
    parts.append(element("text", text=row.note, x=width, y=y + 4, class_="note", text_anchor="end"))
    return element("g", element("title", text=row.label), *parts)


def decades(values: Sequence[float], unit: float = 1.0) -> list[float]:
    """Return the powers of ten (times ``unit``) that enclose the positive ``values``, at least two."""
    positive = [value / unit for value in values if value > 0] or [1.0]
    low = math.floor(math.log10(min(positive)) + 1e-9)
    high = math.ceil(math.log10(max(positive)) - 1e-9)
    return [unit * 10.0**power for power in range(low, max(high, low + 1) + 1)]


def shorten(text: str, length: int) -> str:
    """Return ``text`` with its middle left out where it is longer than ``length``."""
    if len(text) <= length:
        return text
    head = (length - 1) // 2
    return f"{text[:head]}…{text[len(text) - (length - 1 - head) :]}"
