"""A forest plot: one row a value with its interval, on one scale around zero; as SVG and as plain text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextbenchmark.render.svg import element, picture, shorten

_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 640.0, 150.0, 194.0, 8.0, 26.0


@dataclass(frozen=True, kw_only=True)
class ForestRow:
    """``value`` with ``low`` and ``high``, each None where not known; ``strong``: drawn larger; ``note``: in words."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    strong: bool = False
    note: str = ""


def scale_end(rows: Sequence[ForestRow]) -> float:
    """Return the end of a scale around zero that holds every bound: 1, 2 or 5 times a power of ten, 0.1 at least."""
    ends = [
        abs(bound)
        for row in rows
        for bound in (row.value, row.low, row.high)
        if bound is not None and math.isfinite(bound)
    ]
    largest = max([0.1, *ends])
    power = 10.0 ** math.floor(math.log10(largest))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= largest * (1 - 1e-9))


def forest(
    rows: Sequence[ForestRow], *, title: str, description: str, identity: str, left: str = "", right: str = ""
) -> str:
    """Return the plot as SVG; ``left`` and ``right`` say what lies on either side of zero."""
    end = scale_end(rows)
    bottom = _TOP + _ROW * len(rows)

    def place(value: float) -> float:
        share = (value + end) / (2 * end)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    drawn = []
    for value in (-end, -end / 2, 0.0, end / 2, end):
        x = place(value)
        look = "axis" if value == 0 else "grid"
        drawn.append(element("line", x1=x, x2=x, y1=_TOP, y2=bottom, class_=look))
        drawn.append(
            element(
                "text",
                text=f"{value:+g}" if value else "0",
                x=x,
                y=bottom + 14,
                class_="tick",
                text_anchor="middle",
            )
        )
    for words, x, anchor in ((left, place(-end), "start"), (right, place(end), "end")):
        if words:
            drawn.append(element("text", text=words, x=x, y=bottom + 28, class_="tick", text_anchor=anchor))
    for number, row in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        drawn.append(_row(row, y, place))
    return picture(_WIDTH, bottom + 34, drawn, title=title, description=description, identity=identity)


def _row(row: ForestRow, y: float, place: Callable[[float], float]) -> str:
    parts = [
        element("title", text=f"{row.label}: {row.note}"),
        element(
            "text", text=shorten(row.label, 22), x=_LEFT - 12, y=y + 4, class_="label", text_anchor="end"
        ),
    ]
    if row.low is not None and row.high is not None:
        first, last = place(row.low), place(row.high)
        parts.append(element("line", x1=first, x2=last, y1=y, y2=y, class_="span"))
        for x in (first, last):
            parts.append(element("line", x1=x, x2=x, y1=y - 4, y2=y + 4, class_="span"))
    if row.value is not None:
        parts.append(element("circle", cx=place(row.value), cy=y, r=6 if row.strong else 4, class_="dot"))
    parts.append(element("text", text=row.note, x=_WIDTH, y=y + 4, class_="note", text_anchor="end"))
    return element("g", *parts)


def lane(row: ForestRow, end: float, width: int = 41) -> str:
    """Return a row as plain text of ``width`` characters: ``|`` zero, ``[---o---]`` the interval and its value."""
    middle = width // 2
    cells = [" "] * width
    cells[middle] = "|"

    def place(value: float) -> int:
        return max(0, min(width - 1, round(middle + value / end * middle)))

    if row.low is not None and row.high is not None:
        first, last = place(row.low), place(row.high)
        for number in range(first, last + 1):
            cells[number] = "+" if number == middle else "-"
        cells[first], cells[last] = "[", "]"
    if row.value is not None:
        cells[place(row.value)] = "o"
    return "".join(cells)
