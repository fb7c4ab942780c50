"""Evidence that was damaged or edited is refused, naming the file; what a run wrote is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextbenchmark.__main__ import run as command_line
from contextbenchmark.errors import ContextBenchmarkError, RunFolderError
from contextbenchmark.trust.evidence import newest_run
from contextbenchmark.trust.journal import read_manifest, read_observations
from contextbenchmark.trust.pipeline import derive_run
from tests.unit.trust.test_fingerprint import mutated

Line = dict[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Line]]:
    """A real run of ``bm25`` over a few documents: its manifest and its rows."""
    place = tmp_path_factory.mktemp("finished")
    corpus = place / "corpus"
    corpus.mkdir()
    for number in range(60):
        (corpus / f"d{number}.md").write_text(f"word{number} alpha{number % 5} beta{number % 3}\n")
    (corpus / "queries.json").write_text('["alpha1 word3", "beta2 word9", "alpha4 beta0", "word7 beta1"]')
    asked = ["run", "--adapters", "bm25", "--corpus", str(corpus), "--out", str(place / "results")]
    assert command_line([*asked, "--rebuilds", "2", "--trials", "2", "-k", "3"]) == 0
    (folder,) = (place / "results" / "runs").iterdir()
    rows = [json.loads(line) for line in (folder / "observations.jsonl").read_text().splitlines()]
    return (folder / "run.json").read_bytes(), rows


def place(folder: Path, manifest: bytes, rows: list[Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_bytes(manifest)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "observations.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
    return folder


def the(rows: list[Line], kind: str, number: int = 0) -> Line:
    return [row for row in rows if row["kind"] == kind][number]


def test_what_a_run_wrote_is_whole(finished: tuple[bytes, list[Line]], tmp_path: Path) -> None:
    folder = place(tmp_path / "run", *finished)
    assert read_observations(folder, read_manifest(folder)).builds("bm25")
    (system,) = derive_run(folder, tmp_path / "out").report.systems
    assert system.level == "CTL-3"


def other_list(rows: list[Line]) -> None:
    the(rows, "list")["files"].reverse()


def other_list_hash(rows: list[Line]) -> None:
    the(rows, "pass")["lists"][0] = "0" * 64


def other_scores(rows: list[Line]) -> None:
    the(rows, "scores")["scores"][0] += 1


def lost_pass(rows: list[Line]) -> None:
    rows.remove(the(rows, "pass", 1))


def lost_build(rows: list[Line]) -> None:
    rows.remove(the(rows, "build"))


def pass_twice(rows: list[Line]) -> None:
    rows.append(the(rows, "pass"))


def one_list_less(rows: list[Line]) -> None:
    the(rows, "pass")["lists"].pop()


def all_reopened(rows: list[Line]) -> None:
    the(rows, "pass")["copyKind"] = "reopened"


def artifact_of_other_files(rows: list[Line]) -> None:
    the(rows, "build")["artifact"]["files"][0]["sha256"] = "0" * 64


def neither_artifact_nor_failure(rows: list[Line]) -> None:
    the(rows, "build")["artifact"] = None


def a_cell_more(rows: list[Line]) -> None:
    rows.append({**the(rows, "cell"), "cell": "base-007"})


def a_system_more(rows: list[Line]) -> None:
    rows.append({**the(rows, "build"), "system": "bm26"})


EDITS: list[Callable[[list[Line]], None]] = [
    other_list, other_list_hash, other_scores, lost_pass, lost_build, pass_twice, one_list_less, all_reopened,
    artifact_of_other_files, neither_artifact_nor_failure, a_cell_more, a_system_more,
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_shows(
    edit: Callable[[list[Line]], None], finished: tuple[bytes, list[Line]], tmp_path: Path
) -> None:
    manifest, rows = finished[0], json.loads(json.dumps(finished[1]))
    edit(rows)
    with pytest.raises(RunFolderError, match=r"observations\.jsonl: .*changed or damaged"):
        derive_run(place(tmp_path / "run", manifest, rows), tmp_path / "out")


def test_a_run_stopped_at_a_happy_moment_has_no_level(
    finished: tuple[bytes, list[Line]], tmp_path: Path
) -> None:
    """All rows of the second build gone, its mark included: as a run that was killed after the first."""
    rows = [row for row in finished[1] if row.get("cell") != "base-001"]
    asked = json.loads(finished[0])
    (system,) = derive_run(place(tmp_path / "run", finished[0], rows), tmp_path / "out").report.systems
    assert asked["parameters"]["rebuilds"] == 2
    assert system.level is None
    asked["parameters"]["rebuilds"] = 3
    (system,) = derive_run(
        place(tmp_path / "run3", json.dumps(asked).encode(), finished[1]), tmp_path / "out3"
    ).report.systems
    assert system.level is None and "2 of 3 builds" in " ".join(system.reasons)


@given(data=st.data())
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_change_to_the_evidence_ends_in_anything_but_a_report_or_a_clear_error(
    data: st.DataObject, finished: tuple[bytes, list[Line]], tmp_path: Path
) -> None:
    rows: Any = list(finished[1])
    number = data.draw(st.integers(0, len(rows) - 1))
    rows[number] = mutated(rows[number], data.draw)
    try:
        derive_run(place(tmp_path / "run", finished[0], rows), tmp_path / "out")
    except ContextBenchmarkError as error:
        assert error.problem and error.remedy


@given(data=st.data())
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_nor_does_a_change_to_the_manifest(
    data: st.DataObject, finished: tuple[bytes, list[Line]], tmp_path: Path
) -> None:
    manifest = mutated(json.loads(finished[0]), data.draw)
    text = json.dumps(manifest).encode("utf-8", "surrogatepass")
    try:
        derive_run(place(tmp_path / "run", text, finished[1]), tmp_path / "out")
    except ContextBenchmarkError as error:
        assert error.problem and error.remedy


def test_the_newest_run_is_the_one_that_began_last_whatever_the_clock_said(tmp_path: Path) -> None:
    for name in ("20300101T000000Z-aaaaaaaa", "20200101T000000Z-bbbbbbbb"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "run.json").write_text("{}")
    assert newest_run(tmp_path / "none") is None
    later, earlier = sorted((tmp_path / "runs").iterdir(), reverse=True)
    assert newest_run(tmp_path) == later, "without a mark, ids decide"
    (tmp_path / ".newest-run").write_text(f"{earlier.name}\n")
    assert newest_run(tmp_path) == earlier
    for mark in (b"../../etc", b"", b"\xff", b"x" * 5_000):
        (tmp_path / ".newest-run").write_bytes(mark)
        assert newest_run(tmp_path) == later
