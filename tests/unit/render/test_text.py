"""Numbers do not say more than they know; text from data stays text wherever it is put."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from contextbenchmark.core.names import printable
from contextbenchmark.render.text import (
    csv_text,
    interval,
    markdown_code,
    markdown_text,
    number,
    plural,
    seconds,
    size,
    xml_text,
)

ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("`*_[]()<>|~&$#+-=.:!\\@ \n1")))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "undefined"), (0.0, "0.000"), (1.0, "1.000"), (0.57, "0.570"), (0.8999, "0.899"), (0.99999, "0.999"),
        (0.0001, "<0.001"), (-0.0001, ">-0.001"), (-0.25, "-0.250"), (2 / 3, "0.666"),
    ],
)  # fmt: skip
def test_a_number_is_cut_so_that_it_never_reaches_what_it_is_below(value: float | None, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.2501, "0.251"), (0.1, "0.100"), (0.00001, "0.001"), (0.0, "0.000")]
)
def test_where_less_is_better_it_is_rounded_up(value: float, shown: str) -> None:
    assert number(value, up=True) == shown


@given(st.floats(min_value=0, max_value=1))
def test_only_what_is_whole_is_shown_whole(value: float) -> None:
    if number(value) == "1.000":
        assert value > 1 - 1e-11
    assert number(value) != "0.000" or value == 0


def test_an_interval_is_rounded_outwards() -> None:
    assert interval(0.4659, 0.5901) == "[0.46, 0.60]"
    assert interval(-0.031, 0.0) == "[-0.04, 0.00]"
    assert interval(None, 1.0) == ""


def test_units() -> None:
    assert [seconds(v) for v in (0.000012, 0.0009996, 0.0421, 1.5, 93.2, 2400.0)] == [
        "12.0 µs", "1.00 ms", "42.1 ms", "1.50 s", "93.2 s", "2,400 s",
    ]  # fmt: skip
    assert [size(v) for v in (0, 999, 1000, 412_118, 999_900, 2.5e9)] == [
        "0 B", "999 B", "1.00 kB", "412 kB", "1.00 MB", "2.50 GB",
    ]  # fmt: skip
    assert [plural(n, noun) for n, noun in ((1, "query"), (2, "query"), (0, "pass"), (1200, "file"))] == [
        "1 query", "2 queries", "0 passes", "1,200 files",
    ]  # fmt: skip


def _rendered(markdown: str) -> str:
    """Return the text that a Markdown reader shows, and refuse anything but plain text in one paragraph."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").parse(markdown)
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
    children = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special", "code_inline"}
    return "".join(child.content for child in children)


@given(ANY_TEXT)
@example("<script>alert(1)</script>")
@example("[a](b) ![c](d) **e** _f_ ~~g~~ `h` | i &amp; 1. j")
@example("---")
def test_markdown_shows_the_text_itself(text: str) -> None:
    assert _rendered(markdown_text(text)).strip() == printable(text).strip()


@given(ANY_TEXT)
@example("a `b` ``c`` d")
def test_a_code_span_shows_the_text_itself(text: str) -> None:
    shown = _rendered(markdown_code(text)).replace("\\|", "|")
    assert shown.strip() == printable(text).strip()


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_a_table_keeps_its_cells(texts: list[str]) -> None:
    head = "| " + " | ".join("h" for _ in texts) + " |\n|" + " --- |" * len(texts)
    for escape in (markdown_text, markdown_code):
        row = "| " + " | ".join(escape(text) for text in texts) + " |"
        html = MarkdownIt("commonmark").enable("table").render(f"{head}\n{row}")
        assert html.count("<td>") == len(texts)


@given(ANY_TEXT)
@example('=HYPERLINK("x")')
@example("\t=1+1")
@example("-1")
def test_a_csv_cell_is_one_cell_and_no_formula(text: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow([csv_text(text), "end"])
    stream.seek(0)
    (row,) = csv.reader(stream)
    assert row[1] == "end" and not row[0].startswith(("=", "+", "-", "@", "\t", "\r", "|"))


@given(ANY_TEXT)
@example("\x00\x08\x0b\ufffe\ud800\x9b")
def test_xml_takes_any_text(text: str) -> None:
    element = ElementTree.Element("a", {"b": xml_text(text)})
    element.text = xml_text(text)
    assert ElementTree.fromstring(ElementTree.tostring(element, encoding="utf-8")).tag == "a"
