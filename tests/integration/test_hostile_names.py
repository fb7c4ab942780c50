"""File names, query texts and adapter names are data from strangers. Through a whole run they stay data: nothing acts
on them, on a terminal, in a browser, in a spreadsheet or in a parser."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

NAMES = [
    "<script>document.title='PWNED'<∕script>.md", "<img src=x onerror=document.title='PWNED'>.md",
    "=cmd|' ∕C calc'!A0.md",
    "[red]bold[∕red].md", "\x1b[31mred.md", "\x1b]0;title\x07.md", "new\nline.md", "tab\t.md", "a\"b'c&.md",
    "\u202eltr.md", "x" * 251 + ".md", " blank.md", "-rf.md", "%s%n%00.md", "..md", "ü漢😀.md", "a,b;c.md",
    "@SUM(1).md",
    "\u200b.md", "]]>.md", "+1.md", "back\\slash.md", "\x07.md", "{{7*7}}{% x %}.md", "javascript:alert(1).md",
]  # fmt: skip
QUERIES = [
    "=1+1 zebra1", "<script>document.title='PWNED'</script> zebra2", "[red]zebra3[/red]",
    "\x1b]0;title\x07\x1b[2J zebra4",
    "line one\nline two zebra5", "\"quoted, comma\" zebra6", "\u202ezebra7", "@SUM(A1) zebra8", "-- zebra9",
    "AND OR NOT NEAR( \" * zebra10", "\x00nul zebra11", "]]> &amp; zebra12", "x" * 5_000 + " zebra13", "zebra14\ttab",
    "\u2028sep zebra15", "😀 zebra16 𝒳", "</title></style><svg onload=\"document.title='PWNED'\"> zebra17",
    "\\ud800 zebra18",
    "'; DROP TABLE documents;-- zebra19", "{{7*7}} {% zebra20 %}", "+zebra21", "\ufeffzebra22", "title:zebra23^2 (a",
]  # fmt: skip
ADAPTER = """
import json, os
name = "\\x1b[31m[red]<script>document.title='PWNED'</script>=1+1\\n../../x, \\"q\\""
summary = "<script>document.title='PWNED'</script>\\x1b[2J"
deviations = ["<script>document.title='PWNED'</script>", "=1+1", "[/red]"]
def version(): return {"id": "<script>document.title='PWNED'</script>\\x1b[2J", "source": "declared"}
def build(c, o):
    json.dump(sorted(os.listdir(c)), open(os.path.join(o, "<script>=1.json"), "w"))
def query(o, t, k):
    found = json.load(open(os.path.join(o, "<script>=1.json")))
    start = (sum(map(ord, t)) + ord(os.urandom(1))) % len(found)
    return [{"file": f, "score": None} for f in (found[start:] + found[:start])[:k]]
"""
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xc2[\x80-\x9f]")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results folder of a run over all of these, with what was printed beside it."""
    place = tmp_path_factory.mktemp("hostile")
    corpus = place / "<b>corpus\n=1+1"
    corpus.mkdir()
    for number, name in enumerate(NAMES):
        (corpus / name).write_text(f"hostile zebra{number} common\n")
    for number in range(40):
        (corpus / f"d{number}.md").write_text(f"word{number} zebra{number % 24} common\n")
    (corpus / "queries.json").write_text(
        json.dumps([{"query": text, "relevant": [NAMES[0]]} for text in QUERIES])
    )
    (place / "hostile.py").write_text(ADAPTER)
    (place / "raises.py").write_text(
        'name = "raises"\ndef query(o, t, k): return []\n'
        "def build(c, o): raise ValueError(\"<script>document.title='PWNED'</script>\\x1b[2J\\ud800 ]]>\")\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "contextbenchmark", "run", "--adapters", "bm25,fts5,hostile.py,raises.py",
         "--corpus", corpus,
         "--rebuilds", "2", "--trials", "2", "--out", "results", "--require", "CTL-3"],
        cwd=place, capture_output=True, check=False, timeout=120,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(place / "summary.md"), "TERM": "dumb", "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == 1 and b'Traceback (most recent call last):\n  File "/' not in done.stderr, (
        done.stderr
    )
    (place / "printed").write_bytes(done.stdout + done.stderr)
    return place / "results"


def test_the_systems_are_measured_all_the_same(results: Path) -> None:
    report = json.loads((results / "report.json").read_text())
    assert [system["status"] for system in report["systems"]] == ["ok", "ok", "ok", "error"]
    assert report["systems"][0]["level"] == "CTL-3" and report["systems"][2]["level"] == "CTL-0"
    assert report["corpus"]["queries"] == len(QUERIES)


def test_nothing_leads_out_of_the_results_folder(results: Path) -> None:
    assert sorted(path.name for path in results.parent.iterdir()) == sorted(
        ["<b>corpus\n=1+1", "hostile.py", "raises.py", "printed", "results", "summary.md"]
    )
    for path in results.rglob("*"):
        assert re.fullmatch(r"[A-Za-z0-9._@-]{1,255}", path.name), path


@pytest.mark.parametrize("name", ["../printed", "../summary.md", "report.md"])
def test_no_terminal_acts_on_what_is_printed(name: str, results: Path) -> None:
    assert CONTROL.search((results / name).read_bytes()) is None


@pytest.mark.parametrize("name", ["../summary.md", "report.md"])
def test_markdown_shows_markup_and_does_not_take_it(name: str, results: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", (results / name).read_text())
    assert not re.search(r"(?<!\\)<(script|img|svg|b)\b", text)


class Page(HTMLParser):
    """Collects tags and attributes as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loads: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for key, value in attrs:
            if key in ("src", "href", "xlink:href", "action", "data") and not (value or "").startswith("#"):
                self.loads.append(f"{tag} {key}={value}")
            if key.startswith("on"):
                self.handlers.append(f"{tag} {key}={value}")


def test_the_page_holds_no_script_and_loads_nothing(results: Path) -> None:
    page = Page()
    page.feed((results / "report.html").read_text())
    assert not page.tags & {"script", "img", "iframe", "object", "embed", "base", "form"}, page.tags
    assert (page.loads, page.handlers) == ([], [])


@pytest.mark.slow
def test_a_browser_runs_nothing_of_it(results: Path, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here")
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", (results / "report.html").as_uri()],
        capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    page = Page()
    page.feed(done.stdout.decode())
    title = re.search(rb"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title is not None and b"PWNED" not in title[1]
    assert "script" not in page.tags and page.loads == []


def test_no_spreadsheet_takes_a_cell_for_a_formula(results: Path) -> None:
    for path in (results / "tables").glob("*.csv"):
        with open(path, newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
        assert len({len(row) for row in rows}) == 1, path
        for cell in (cell for row in rows for cell in row):
            assert not cell.startswith(("=", "@", "\t", "\r")), (path, cell)
            assert not re.match(r"[+-](?![0-9.]*(e[+-]?[0-9]+)?$)", cell), (path, cell)


def test_xml_is_well_formed(results: Path) -> None:
    suites = ElementTree.parse(results / "junit.xml").getroot()
    assert len(list(suites.iter("testcase"))) >= 4 and list(suites.iter("error"))
    for badge in (results / "badges").iterdir():
        assert not {"script", "image", "foreignObject"} & {
            element.tag.rpartition("}")[2] for element in ElementTree.parse(badge).iter()
        }


def test_trec_files_have_their_columns(results: Path) -> None:
    """Six white-space separated columns in a run, four in judgements: no name breaks a line or a column."""
    for path in (results / "trec").glob("*.run"):
        lines = path.read_bytes().decode().split("\n")
        assert lines.pop() == "" and all(len(line.split()) == 6 for line in lines)
    for path in (results / "trec").glob("*.qrels"):
        lines = path.read_bytes().decode().split("\n")
        assert lines.pop() == "" and all(len(line.split()) == 4 for line in lines)


def test_fingerprints_of_it_compare(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from contextbenchmark.__main__ import run as command_line

    found = sorted(results.glob("*.fingerprint.json"))
    assert len(found) == 3
    for path in found:
        if path.name.startswith(("bm25", "fts5")):
            assert command_line(["compare", str(path), str(path)]) == 0
    assert command_line(["compare", *map(str, found)]) == 2
    assert CONTROL.search(capsys.readouterr().out.encode()) is None


def test_a_dry_run_shows_it_harmlessly(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from contextbenchmark.__main__ import run as command_line

    adapter = str(results.parent / "hostile.py")
    assert command_line(["run", "--adapters", adapter, "--dry-run"]) == 0
    said = capsys.readouterr()
    assert CONTROL.search((said.out + said.err).encode()) is None
