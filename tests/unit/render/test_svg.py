"""Plots are well-formed, say in words what they show, and keep hostile labels as text."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.render.svg import Column, Span, columns, decades, element, shorten, spans

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</title><script>x()</script>"\x1b\x00'


def test_columns_draw_one_group_an_item_in_proportion() -> None:
    items = [
        Column(label="1", value=1.0),
        Column(label="2", value=0.5, beside=0.25, marked=True, title=HOSTILE),
    ]
    root = ElementTree.fromstring(columns([*items, Column(label="3", value=None)], title=HOSTILE, description="d",
                                          identity="i"))  # fmt: skip
    groups = root.findall(f"{SVG}g")
    assert len(groups) == 3
    bars = [g.find(f"{SVG}rect[@class='bar']") for g in groups] + [
        groups[1].find(f"{SVG}rect[@class='bar less']")
    ]
    assert bars[0] is not None and bars[3] is not None
    assert float(bars[0].attrib["height"]) == 2 * float(bars[3].attrib["height"])
    assert groups[1].find(f"{SVG}path") is not None and groups[0].find(f"{SVG}path") is None
    assert not groups[2].findall(f"{SVG}rect[@class='bar']") and groups[2].find(f"{SVG}line") is not None
    assert root.find(f".//{SVG}script") is None
    assert root.findtext(f"{SVG}title") == '</title><script>x()</script>"\\x1b\\x00'


def test_spans_stand_where_their_logarithm_is() -> None:
    ticks = [(value, "t") for value in decades([0.002, 0.2])]
    rows = [Span(label=HOSTILE, points=((0.01, "a"), (0.1, "b"))), Span(label="n", points=())]
    root = ElementTree.fromstring(spans(rows, title="t", description="d", identity="i", ticks=ticks))
    lines = [float(line.attrib["x1"]) for line in root.findall(f"{SVG}line")]
    dots = [float(dot.attrib["cx"]) for dot in root.findall(f".//{SVG}circle")]
    assert [value for value, _ in ticks] == [0.001, 0.01, 0.1, 1.0]
    assert dots == lines[1:3]


@given(st.lists(st.floats(min_value=0, max_value=1e12, allow_subnormal=False), max_size=5))
def test_decades_enclose_what_is_positive(values: list[float]) -> None:
    scale = decades(values)
    assert len(scale) >= 2 and scale == sorted(scale)
    for value in values:
        assert not value or (scale[0] <= value * 1.00001 and value <= scale[-1] * 1.00001)


def test_no_nothing_and_no_long_label() -> None:
    ElementTree.fromstring(columns([], title="t", description="d", identity="i"))
    assert element("a", b_c="<", class_="x", d=1.50) == '<a b-c="&lt;" class="x" d="1.5"/>'
    assert shorten("abcdefghij", 5) == "ab…ij" and shorten("abc", 5) == "abc"
