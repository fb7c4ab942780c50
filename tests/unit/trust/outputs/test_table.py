"""The terminal's table fits where it is printed, and no name in it acts on the terminal."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from contextbenchmark.trust.outputs.table import print_table
from contextbenchmark.trust.record import Report
from tests.golden.sample import sample


def _printed(report: Report, width: int, *, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=colour, color_system="truecolor" if colour else None,
        legacy_windows=False,
    )  # fmt: skip
    print_table(report, sample()[1], console)
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 80, 140])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    assert max(cell_len(line) for line in _printed(sample()[0], width).splitlines()) <= width


@pytest.mark.parametrize("width", [80, 140])
def test_everything_a_reader_needs_is_there_without_colour(width: int) -> None:
    text = " ".join(_printed(sample()[0], width).split())
    for words in (
        "CTL-3", "CTL-2", "CTL-0", "VACUOUS", "ERROR", "UNAVAILABLE", "not exercised", "absent", "1 hash / 3 builds",
        "PASS 0.000", "noise 0/30", "nDCG@10", "412 kB", "622 µs", "says nothing about the model", "\x1b",
    ):  # fmt: skip
        assert (words in text) == (words != "\x1b")


def test_colour_is_used_where_there_is_any() -> None:
    assert "\x1b[" in _printed(sample()[0], 80, colour=True)


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    report = sample()[0]
    evil = report.systems[0].model_copy(
        update={"name": "[red]x[/red]\x1b]0;t\x07", "reasons": ("\x9b2J[bold]", "[/nothing]")}
    )
    corpus = report.corpus.model_copy(update={"name": "\x1b[2J[link=x]", "warnings": ("\x1bc",)})
    text = _printed(report.model_copy(update={"systems": (evil,), "corpus": corpus}), 200)
    assert "\x1b" not in text and "\x9b" not in text and "\x07" not in text
    assert "[red]x[/red]\\x1b]0;t\\x07" in text and "\\x9b2J[bold]" in text and "\\x1b[2J[link=x]" in text


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_terminal_that_cannot_hold_a_name_still_shows_the_table(encoding: str) -> None:
    report, times, _ = sample()
    named = report.systems[0].model_copy(update={"name": "größe中文"})
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    console = Console(file=stream, width=140, color_system=None, legacy_windows=False)
    print_table(report.model_copy(update={"systems": (named, *report.systems[1:])}), times, console)
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    text = stream.buffer.getvalue().decode(encoding)
    expected = {"ascii": "gr\\xf6\\xdfe\\u4e2d\\u6587", "cp1252": "größe\\u4e2d\\u6587", "utf-8": "größe中文"}
    assert expected[encoding] in text and ("15.6 us" if encoding == "ascii" else "15.6 µs") in text
