"""The page is whole in one file, says everything in words, and treats every name as data."""

from __future__ import annotations

from html.parser import HTMLParser

from contextbenchmark.trust.observation import ListRow, Observations, PassRow, list_hash
from contextbenchmark.trust.outputs.divergence import first_divergence
from contextbenchmark.trust.outputs.page import html_page
from contextbenchmark.trust.record import Families
from tests.golden.sample import QUERIES, rows, sample

VOID = {"meta", "link", "br", "hr", "img", "input"}
HOSTILE = '"><script>x()</script><img src=x onerror=x()>\x1b{{ 7*7 }}'


class Reader(HTMLParser):
    """Collects tags and attributes, and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_it_is_well_formed_loads_nothing_and_runs_nothing() -> None:
    reader = _read(html_page(*sample()))
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & set(reader.tags)
    for name, value in reader.attributes:
        assert not name.startswith("on") and name not in ("src", "srcset", "action", "style")
        assert name != "href" or value.startswith("#")
    identities = [value for name, value in reader.attributes if name == "id"]
    assert len(set(identities)) == len(identities)
    labels = {
        part for name, value in reader.attributes if name == "aria-labelledby" for part in value.split()
    }
    assert labels <= set(identities)


def test_tables_have_headings_and_plots_have_words() -> None:
    reader = _read(html_page(*sample()))
    assert reader.tags.count("svg") == reader.tags.count("desc") > 0
    scopes = [value for name, value in reader.attributes if name == "scope"]
    assert len(scopes) == reader.tags.count("th") and set(scopes) == {"row", "col"}


def test_it_shows_what_every_system_showed() -> None:
    text = " ".join(_read(html_page(*sample())).text.split())
    for words in (
        "VACUOUS", "ERROR", "UNAVAILABLE", "not exercised", "absent", "FAIL 0.351", "Where answers first diverge",
        "build 1, pass 1", "build 1, pass 2, reopening a used copy", "<b>notes</b>.txt", "\\x1b[31mwaiting for <lock>",
        "its default embedder must be fetched", "glibc 2.36", "says nothing about the model",
    ):  # fmt: skip
        assert words in text


def test_hostile_names_stay_text_everywhere() -> None:
    report, times, observations = sample()
    system = report.systems[2]
    query = system.families.query
    per_query = tuple(row.model_copy(update={"query": HOSTILE}) for row in query.per_query)
    rebuild = system.families.rebuild
    files = tuple(file.model_copy(update={"path": HOSTILE}) for file in rebuild.differing_files)
    families = Families(
        rebuild=rebuild.model_copy(update={"differing_files": files}),
        query=query.model_copy(update={"per_query": per_query}),
        drift=system.families.drift,
    )
    evil = system.model_copy(
        update={"families": families, "reference": HOSTILE, "summary": HOSTILE, "reasons": (HOSTILE,),
                "distributions": (HOSTILE,), "deviations": (HOSTILE,)}
    )  # fmt: skip
    other = report.systems[0].model_copy(update={"name": HOSTILE})
    corpus = report.corpus.model_copy(update={"name": HOSTILE, "warnings": (HOSTILE,)})
    timed = times.systems[0].model_copy(update={"name": HOSTILE})
    page = html_page(
        report.model_copy(
            update={"systems": (evil, other), "corpus": corpus, "versions": {HOSTILE: HOSTILE}}
        ),
        times.model_copy(update={"systems": (timed,)}),
        observations,
    )
    reader = _read(page)
    assert not {"script", "img"} & set(reader.tags) and "\x1b" not in page
    assert HOSTILE.replace("\x1b", "\\x1b") in reader.text


def test_the_first_divergence_is_the_first_query_of_the_first_pass_that_differs() -> None:
    _, _, observations = sample()
    texts = [query.text for query in QUERIES]
    assert first_divergence(observations, "steady", texts, 10) is None
    assert first_divergence(observations, "hangs", texts, 10) is None
    found = first_divergence(observations, "graph-ann@0.9.1", texts, 10)
    assert found is not None and found.query == texts[1]
    assert (found.first, found.second) == ("build 1, pass 1", "build 1, pass 2, reopening a used copy")
    assert [entry.same for entry in found.entries[:4]] == [True] * 4 and found.first_rank == 5
    left, right = ({getattr(entry, side) for entry in found.entries} for side in ("left", "right"))
    assert {entry.left for entry in found.entries if entry.only_left} == left - right
    assert {entry.right for entry in found.entries if entry.only_right} == right - left


def test_an_answer_that_changes_only_when_asked_again_is_found() -> None:
    changed = []
    for row in rows():
        if isinstance(row, PassRow) and row.id == "steady/base-001/pass-002":
            row = row.model_copy(update={"again": (list_hash(["new"]), *row.again[1:])})
        changed.append(row)
    observations = Observations([*changed, ListRow(hash=list_hash(["new"]), files=("new",))])
    found = first_divergence(observations, "steady", [query.text for query in QUERIES], 10)
    assert found is not None and found.second == "build 2, pass 3, asked again"
    assert len(found.entries) == 10 and found.entries[0].right == "new" and found.entries[1].right is None
