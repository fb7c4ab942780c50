"""The Markdown report discloses what the standard asks for, and treats every name as data."""

from __future__ import annotations

from markdown_it import MarkdownIt

from contextbenchmark.trust.outputs.markdown import markdown_report, markdown_summary
from tests.golden.sample import sample

HOSTILE = "<script>x()</script> `a` | [b](javascript:c) \n# d \x1b"


def _html(markdown: str) -> str:
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)


def test_it_discloses_all_that_a_published_figure_must_be_told_with() -> None:
    report, times, _ = sample()
    html = _html(markdown_report(report, times))
    machine, corpus = report.machine, report.corpus
    for words in (
        corpus.name, corpus.hash, corpus.tree_digest, machine.os, machine.cpu, machine.libc, machine.python,
        "its default embedder must be fetched", "k 10, builds 3, passes 5, seed 0", "numpy", "2.1.0",
        report.systems[0].adapter_source, "time 60 s, memory no limit", times.run, "says nothing about the model",
    ):  # fmt: skip
        assert words in html


def test_hostile_names_stay_text() -> None:
    report, times, _ = sample()
    evil = report.systems[2].model_copy(
        update={"name": HOSTILE, "reference": HOSTILE, "reasons": (HOSTILE,), "deviations": (HOSTILE,)}
    )
    corpus = report.corpus.model_copy(update={"name": HOSTILE, "warnings": (HOSTILE,)})
    changed = report.model_copy(
        update={
            "systems": (evil,),
            "corpus": corpus,
            "versions": {HOSTILE: HOSTILE},
            "deviations": (HOSTILE,),
        }
    )
    for text in (markdown_report(changed, times), markdown_summary(changed, times)):
        html = _html(text)
        assert "<script" not in html and "<a " not in html and "\x1b" not in html
        assert html.count("<h1>") == text.startswith("# ")
        overview = html[html.index("<tbody>") : html.index("</tbody>")]
        assert overview.count("<td>") == 9
