"""The report: verdict first, the same numbers everywhere, plots that another reader can read, hostile names."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from rich.console import Console

from contextbenchmark.render.forest import ForestRow, forest, lane, scale_end
from contextbenchmark.study.analysis_record import Analysis, Imported, Look, Refused
from contextbenchmark.study.report.content import content
from contextbenchmark.study.report.markdown import markdown
from contextbenchmark.study.report.page import page
from contextbenchmark.study.report.terminal import plot_lines, print_report
from contextbenchmark.study.report.words import probability, share, signed
from tests.unit.study.studies import random_study

SVG = "{http://www.w3.org/2000/svg}"


def analysis(name: str = "made-up") -> Analysis:
    found = random_study(5).analyse()
    refused = Refused(file="<s>.csv", reason="it is | wrong", rows=3, lines=(2, 3))
    return found.model_copy(
        update={
            "study": name,
            "imported": Imported(
                sessions=10, judgements=5, refused=(refused,), notes=("s.csv: not used: x",)
            ),
            "looks": (Look(verdict="KEEP", nv=0.1, lo=0.01, hi=0.2, sessions=8, planned=40),),
        }
    )


def printed(found: Analysis, width: int = 80, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    print_report(content(found), Console(file=stream, width=width, color_system=None))
    stream.flush()
    data = stream.buffer.getvalue() if isinstance(stream.buffer, io.BytesIO) else b""
    return data.decode(encoding)


def test_the_verdicts_sentence_stands_first_everywhere() -> None:
    found = analysis()
    flat = re.sub(r"\s+", " ", printed(found))
    assert flat.startswith(found.sentence)
    assert markdown(content(found)).split("\n\n")[1].startswith("**INCONCLUSIVE: NV")
    text = re.sub(r"<[^>]+>", " ", page(content(found)).split("</style>")[1])
    assert text.split("INCONCLUSIVE: NV")[0].count("Net value") == 0


def test_every_part_is_there() -> None:
    headings = [section.heading for section in content(analysis()).sections]
    assert headings == [
        "Net value",
        "Criteria",
        "Cost",
        "Treatment",
        "Missing data",
        "Done another way",
        "Error rates at this n and spread",
        "Judges",
        "Rows",
        "Looks before this one",
        "What this does not show",
    ]


def test_the_terminal_needs_80_columns_and_no_unicode() -> None:
    assert max(len(line.rstrip()) for line in printed(analysis()).splitlines()) <= 80
    assert "NV" in printed(analysis(), encoding="ascii")


def test_the_forest_plot_draws_every_interval_where_it_belongs() -> None:
    rows = [ForestRow(label="a", value=0.5, low=-0.5, high=1.0, note="n"), ForestRow(label="b", value=None)]
    root = ET.fromstring(forest(rows, title="t", description="d", identity="p", left="less", right="more"))
    assert scale_end(rows) == 1.0
    circles = root.findall(f".//{SVG}circle")
    spans = [line for line in root.findall(f".//{SVG}line") if line.get("class") == "span"]
    axis = next(line for line in root.findall(f".//{SVG}line") if line.get("class") == "axis")
    zero = float(axis.get("x1", ""))
    assert len(circles) == 1
    assert len(spans) == 3
    unit = float(circles[0].get("cx", "")) - zero
    assert float(spans[0].get("x1", "")) - zero == pytest.approx(-unit, abs=0.02)
    assert float(spans[0].get("x2", "")) - zero == pytest.approx(2 * unit, abs=0.02)
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {"less", "more", "-1", "+1", "0"} <= set(texts)


def test_a_lane_of_plain_text_marks_zero_value_and_bounds() -> None:
    row = ForestRow(label="a", value=0.0, low=-1.0, high=0.5)
    assert lane(row, 1.0, 21) == "[---------o----]     "
    assert lane(ForestRow(label="a", value=0.5), 1.0, 21) == "          |    o     "
    assert lane(ForestRow(label="a", value=None), 1.0, 21) == "          |          "


@pytest.mark.parametrize(("largest", "end"), [(0.0, 0.1), (0.11, 0.2), (0.3, 0.5), (0.51, 1.0), (7.0, 10.0)])
def test_the_scale_is_a_round_number(largest: float, end: float) -> None:
    assert scale_end([ForestRow(label="a", value=largest)]) == pytest.approx(end)


def test_plots_hold_nv_the_quality_criteria_and_apart_from_them_the_costs() -> None:
    plots = [section.plot for section in content(analysis()).sections if section.plot]
    assert [row.label for row in plots[0].rows] == [
        "NV",
        "Accuracy",
        "Code quality",
        "Systems knowledge",
        "Communication",
        "Control",
    ]
    assert [row.label for row in plots[1].rows] == ["Wall time", "Tokens"]
    assert all(len(line) <= 79 for plot in plots for line in plot_lines(plot))


class Reader(HTMLParser):
    """Counts what is open: every element is closed, and none loads anything."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {"src", "onload", "onerror", "style"} & {name for name, _ in attrs}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_takes_hostile_text_for_text() -> None:
    made = page(content(analysis('<script>alert(1)</script>"\x1b[31m')))
    reader = Reader()
    reader.feed(made.split("<!doctype html>")[1])
    assert reader.open == []
    assert "script" not in reader.seen
    assert reader.seen.count("svg") == 2
    assert "\x1b" not in made


def test_markdown_takes_hostile_text_for_text() -> None:
    made = markdown(content(analysis("a|b *c* <d>")))
    assert "# a\\|b \\*c\\* \\<d\\>: is the context worth it?" in made
    assert "it is \\| wrong" in made
    for table in re.findall(r"(?:^\|.*\n)+", made, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_numbers_are_never_told_better_than_they_are() -> None:
    assert signed(0.00119999) == "+0.0011"
    assert signed(-0.00119999) == "-0.0011"
    assert signed(0.0000001) == "+1.0e-07"
    assert signed(0.0) == "0"
    assert signed(None) == "not known"
    assert share(0.79999) == "79.9 %"
    assert share(0.8) == "80.0 %"
    assert share(0.57) == "57.0 %"
    assert probability(0.0004) == "<.001"
