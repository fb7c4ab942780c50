"""Everything derived from a run is written, twice the same bytes, and the evidence is not touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.derive import derive_report
from contextbenchmark.trust.fingerprint_reader import read_fingerprint
from contextbenchmark.trust.observation import ListRow, Observations, ScoresRow
from contextbenchmark.trust.record import Report, Times
from contextbenchmark.trust.report import output_files, write_outputs
from tests.golden.make import FOLDER, golden
from tests.golden.sample import QUERIES, SYSTEMS, manifest, rows, sample

HOLDS_TIMES = {"report.md", "report.html", "times.json", "tables/times.csv"}


def test_the_files_are_the_golden_ones() -> None:
    made = golden()
    kept = {str(path.relative_to(FOLDER).as_posix()) for path in FOLDER.rglob("*") if path.is_file()}
    assert kept == set(made)
    for name, content in made.items():
        assert content.encode() == (FOLDER / name).read_bytes(), f"{name}: see python -m tests.golden.make"


def test_equal_observations_give_equal_bytes_whatever_the_times() -> None:
    report, times, observations = sample()
    other = times.model_copy(
        update={"systems": (), "run": "another", "started": "later", "seconds": 1.0, "jobs": 4}
    )
    first = dict(output_files(report, times, observations, QUERIES))
    second = dict(output_files(report, other, observations, QUERIES))
    assert {name for name in first if first[name] != second[name]} == HOLDS_TIMES
    assert first == dict(output_files(*sample(), QUERIES))


def test_all_is_written_and_can_be_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    report, times, observations = sample()
    evidence = tmp_path / "runs" / "x" / "observations.jsonl"
    evidence.parent.mkdir(parents=True)
    evidence.write_bytes(b"untouched")
    written = write_outputs(report, times, observations, QUERIES, tmp_path)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {*written, evidence}
    assert evidence.read_bytes() == b"untouched"
    text = (tmp_path / "report.json").read_text("utf-8")
    assert Report.model_validate_json(text) == report and text.endswith("}\n")
    assert json.loads(text)["schema"] == "contextbenchmark.report/1"
    assert Times.model_validate_json((tmp_path / "times.json").read_text("utf-8")) == times
    assert {path.stem for path in (tmp_path / "badges").iterdir()} == set(SYSTEMS)
    for system in report.systems:
        measured = system.status in ("ok", "vacuous")
        assert (system.fingerprint is not None) == measured
        if system.fingerprint is not None:
            found = read_fingerprint(tmp_path / system.fingerprint)
            assert found.fingerprint.adapter == system.adapter and not found.altered


def test_a_name_never_leads_outside_the_folder(tmp_path: Path) -> None:
    asked = manifest()
    plan = asked.systems[0].model_copy(update={"name": "../../x"})
    corpus = asked.corpus.model_copy(update={"name": "/etc/../x"})
    asked = asked.model_copy(update={"systems": (plan,), "corpus": corpus})
    observations = Observations(
        row if isinstance(row, ListRow | ScoresRow) else row.model_copy(update={"system": "../../x"})
        for row in rows()
        if isinstance(row, ListRow | ScoresRow) or row.system == "steady"
    )
    report = derive_report(asked, observations)
    assert report.systems[0].level == "CTL-3"
    for name, _ in output_files(report, sample()[1], observations, QUERIES):
        assert (tmp_path / name).resolve().is_relative_to(tmp_path.resolve())
        assert len(Path(name).parts) <= 2 and ".." not in Path(name).parts


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "results"
    blocked.write_text("a file")
    with pytest.raises(RunFolderError, match="a file stands where a folder is needed"):
        write_outputs(*sample(), QUERIES, blocked)
