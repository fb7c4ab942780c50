"""Each kind of nothing has its own word and its own look, and no figure stands without what it is over."""

from __future__ import annotations

import re

from contextbenchmark.trust.outputs.disclosure import warnings
from contextbenchmark.trust.outputs.glance import Glance, glance, level_cell, median, sentences
from contextbenchmark.trust.record import Families, Report, SystemReport
from tests.golden.sample import sample


def _rows() -> dict[str, Glance]:
    report, times, _ = sample()
    return {row.name: row for row in glance(report, times)}


def _with_family(report: Report, **families: object) -> SystemReport:
    system = report.systems[0]
    changed = Families.model_validate({**dict(system.families), **families})
    return system.model_copy(update={"families": changed})


def test_six_words_six_looks() -> None:
    rows = _rows()
    cells = {
        "absent": rows["hosted"].rebuild,
        "VACUOUS": rows["constant"].level,
        "ERROR": rows["hangs"].level,
        "FAIL 0.351": rows["graph-ann@0.9.1"].drift,
        "UNAVAILABLE": rows["needs-a-key"].level,
        "not exercised": rows["hosted"].drift,
    }
    assert {word: cell.text for word, cell in cells.items()} == {word: word for word in cells}
    assert len({cell.look for cell in cells.values()}) == 6


def test_what_was_not_measured_is_neither_a_zero_nor_an_error() -> None:
    rows = _rows()
    for name in ("hangs", "needs-a-key"):
        assert {cell.text for cell in rows[name].cells[1:]} == {"-"}


def test_a_figure_stands_with_its_n() -> None:
    for row in _rows().values():
        for cell in (row.answers, row.quality, row.drift):
            if re.search(r"\d", cell.text):
                assert re.search(r"n = \d|\d/\d", cell.detail)
    assert "[0." in _rows()["steady"].quality.text


def test_the_weakest_kind_of_repetition_is_shown() -> None:
    report, _, _ = sample()
    shaky = next(system for system in report.systems if system.name.startswith("graph"))
    kinds = shaky.families.query
    assert kinds.across_reopenings is not None and kinds.within_build is not None
    assert kinds.within_build.emr == 1.0 and kinds.across_reopenings.emr == 120 / 360
    query = kinds.model_copy(update={"across_builds": kinds.within_build})
    row = next(
        iter(glance(report.model_copy(update={"systems": (_with_family(report, query=query),)}), sample()[1]))
    )
    assert row.answers.text == "0.333" and "after reopening" in row.answers.detail


def test_no_level_is_not_an_error() -> None:
    report, _, _ = sample()
    system = report.systems[0].model_copy(update={"level": None, "level_line": "no level: one build"})
    assert level_cell(system).text == "none"


def test_a_reason_is_said_once() -> None:
    report, _, _ = sample()
    for system in report.systems:
        said = sentences(system)
        assert len(set(said)) == len(said) and said[0].endswith(".")
    constant = next(system for system in report.systems if system.name == "constant")
    assert len(sentences(constant)) == 1


def test_a_verdict_that_is_withheld_says_why() -> None:
    report, times, _ = sample()
    drift = report.systems[0].families.drift.model_copy(
        update={"verdict": None, "reason": "No verdict: few files."}
    )
    system = _with_family(report, drift=drift)
    row = glance(report.model_copy(update={"systems": (system,)}), times)[0]
    assert row.drift.text == "no verdict 0.000" and "Drift: no verdict: few files." in row.sentences


def test_warnings_hold_chance_deviations_and_what_was_not_varied() -> None:
    said = " ".join(warnings(sample()[0]))
    assert "Jaccard of 0.09" in said and "default embedder" in said and "CPU affinity" in said


def test_median_of_an_even_number_is_a_value_that_occurred() -> None:
    assert median([3.0, 1.0, 2.0, 9.0]) == 2.0 and median([]) is None
