"""Rows from elsewhere: what is taken, what is refused and why, in both formats and under other names."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from contextbenchmark.errors import StudyError
from contextbenchmark.study.analyse import analyse
from contextbenchmark.study.importer import Rows, column_names, import_rows, read_plan, unused_keys
from contextbenchmark.study.record import Plan
from tests.unit.study.studies import Study, random_study


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]], delimiter: str = ",") -> Path:
    columns = sorted({key for row in rows for key in row})
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def plan_of(study: Study) -> Plan:
    return Plan.model_validate(study.plan)


def said(rows: Rows) -> dict[str, tuple[int, tuple[int, ...]]]:
    return {item.reason: (item.rows, item.lines) for item in rows.imported.refused}


def told(rows: Rows) -> str:
    found = analyse(rows.measured, rows.judged, studies=2, resamples=10)
    return found.to_json()


def test_csv_and_json_lines_give_the_same_bytes(tmp_path: Path) -> None:
    study = random_study(3)
    direct = study.analyse(studies=2, resamples=10).to_json()
    as_csv = import_rows(
        plan_of(study),
        write_csv(tmp_path / "s.csv", study.sessions),
        write_csv(tmp_path / "j.csv", study.judgements),
    )
    lines = import_rows(
        plan_of(study),
        write_lines(tmp_path / "s.jsonl", study.sessions),
        write_lines(tmp_path / "j.jsonl", study.judgements),
    )
    assert told(as_csv) == told(lines) == direct
    assert as_csv.imported.refused == ()
    assert as_csv.imported.sessions == len(study.sessions)
    assert as_csv.imported.judgements == len(study.judgements)


def test_semicolons_a_byte_order_mark_and_blank_lines_are_understood(tmp_path: Path) -> None:
    study = random_study(3)
    path = write_csv(tmp_path / "s.csv", study.sessions, delimiter=";")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\r\n\r\n")
    found = import_rows(plan_of(study), path)
    assert found.imported.sessions == len(study.sessions)
    assert found.imported.refused == ()


def test_other_names_of_columns_are_mapped_either_way_round(tmp_path: Path) -> None:
    study = random_study(3)
    renamed = [
        {{"wall_s": "seconds", "class": "ended"}.get(key, key): value for key, value in row.items()}
        for row in study.sessions
    ]
    path = write_csv(tmp_path / "s.csv", renamed)
    judges = write_csv(tmp_path / "j.csv", study.judgements)
    names = column_names(["wall_s=seconds", "ended=class"])
    assert names == {"wall_s": "seconds", "class": "ended"}
    direct = study.analyse(studies=2, resamples=10).to_json()
    assert told(import_rows(plan_of(study), path, judges, names)) == direct


def test_a_column_that_every_row_needs_is_asked_for_once(tmp_path: Path) -> None:
    study = random_study(3)
    renamed = [
        {{"class": "ended"}.get(key, key): value for key, value in row.items()} for row in study.sessions
    ]
    with pytest.raises(StudyError, match=r"has no column class.*--map class=NAME"):
        import_rows(plan_of(study), write_csv(tmp_path / "s.csv", renamed))


def test_a_row_that_is_wrong_anywhere_is_refused_with_its_reason_and_line(tmp_path: Path) -> None:
    study = random_study(3, absent=0)
    rows = study.sessions
    rows[0]["wall_s"] = "fast"
    rows[1]["hidden_pass_rate"] = 1.5
    rows[2]["arm"] = "placebo"
    rows[3]["class"] = "finished"
    rows[4]["study"] = "another"
    rows[5]["repeat"] = 99
    rows[6]["task"] = "S5"
    rows[7]["input"] = -1
    rows[8]["wall_s"] = "inf"
    rows[9]["step"] = 2
    found = import_rows(plan_of(study), write_csv(tmp_path / "s.csv", rows))
    reasons = said(found)
    assert sum(count for count, _ in reasons.values()) == 10
    assert found.imported.sessions == len(rows) - 10
    lines = sorted(line for _, named in reasons.values() for line in named)
    assert lines == list(range(2, 12))
    text = "\n".join(reasons)
    for words in (
        "wall_s: input should be a valid number",
        "hidden_pass_rate: input should be less than or equal to 1",
        "arm: input should be 'vanilla' or 'cc'",
        "class: input should be 'completed'",
        "it belongs to another study",
        "the repeat was not planned: T1 has",
        "step is 1 to 5 for S5 and empty for every other task",
        "input: input should be greater than or equal to 0",
        "wall_s: input should be a finite number",
    ):
        assert words in text
    # What was refused is missing, not forgotten.
    assert analyse(found.measured, found.judged, studies=2, resamples=10).missing.missing > 0


def test_lines_that_are_no_rows_are_refused(tmp_path: Path) -> None:
    study = random_study(3)
    path = write_lines(tmp_path / "s.jsonl", study.sessions)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write('{"task": "T1"\n[1, 2]\n')
    reasons = said(import_rows(plan_of(study), path))
    assert set(reasons) == {"the line is not JSON", "the line is not a JSON object"}
    table = write_csv(tmp_path / "s.csv", study.sessions)
    with open(table, "a", encoding="utf-8") as stream:
        stream.write("1,2,3\r\n")
    assert any("cells as the header has" in reason for reason in said(import_rows(plan_of(study), table)))


def test_refused_rows_are_counted_in_bounded_memory(tmp_path: Path) -> None:
    study = random_study(3)
    wrong = [dict(study.sessions[0], study=f"x{number}") for number in range(300)]
    for number, row in enumerate(wrong):
        row["class"] = "completed"
        row["task"] = f"T{number + 10}"
    found = import_rows(plan_of(study), write_csv(tmp_path / "s.csv", [*study.sessions, *wrong]))
    assert sum(item.rows for item in found.imported.refused) == 300
    assert all(len(item.lines) <= 5 for item in found.imported.refused)


def test_blank_and_nan_are_not_known_rather_than_zero(tmp_path: Path) -> None:
    study = random_study(3, absent=0, failures=0)
    study.session("T1", 1, "cc")["wall_s"] = ""
    study.session("T2", 1, "cc")["t2_score"] = "NaN"
    rows = import_rows(
        plan_of(study),
        write_csv(tmp_path / "s.csv", study.sessions),
        write_csv(tmp_path / "j.csv", study.judgements),
    )
    found = analyse(rows.measured, rows.judged, studies=2, resamples=10)
    assert found.imported is None
    assert found.reasons == (
        "T1: the wall time is not known for repeat 1",
        "T2: the score is not known for repeat 1",
    )


def test_repeats_from_zero_are_understood(tmp_path: Path) -> None:
    study = random_study(3, absent=0)
    direct = study.analyse(studies=2, resamples=10)
    for row in (*study.sessions, *study.judgements):
        row["repeat"] -= 1
    rows = import_rows(
        plan_of(study),
        write_csv(tmp_path / "s.csv", study.sessions),
        write_csv(tmp_path / "j.csv", study.judgements),
    )
    found = analyse(rows.measured, rows.judged, studies=2, resamples=10)
    assert found.nv == direct.nv
    assert found.missing.missing == 0


def test_columns_and_keys_that_nobody_reads_are_told(tmp_path: Path) -> None:
    study = random_study(3)
    for row in study.sessions:
        row["mood"] = "good"
    found = import_rows(plan_of(study), write_csv(tmp_path / "s.csv", study.sessions))
    assert found.imported.notes == ("s.csv: not used: mood",)
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({**study.plan, "weigths": {}}), encoding="utf-8")
    assert unused_keys(plan) == ("weigths",)
    assert read_plan(plan).study == "made-up"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "valid dictionary"),
        ('{"study": "x"}', "planned_repeats: is missing"),
        ('{"study": "x", "planned_repeats": {"T9": 1}}', "planned_repeats"),
        ('{"study": "x", "planned_repeats": {"T1": 0}}', "plans no repeat"),
        ('{"study": "x", "planned_repeats": {"T1": 3}, "alpha": 2}', "alpha"),
        ('{"study": "x", "planned_repeats": {"T1": 3}, "estimator": "median"}', "estimator"),
        ('{"study": "x", "planned_repeats": {"T1": 3}, "cap": -1}', "cap"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused_where_it_is_wrong(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message):
        read_plan(path)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    plan = plan_of(random_study(3))
    with pytest.raises(StudyError, match=r"Cannot read .*nowhere\.csv"):
        import_rows(plan, tmp_path / "nowhere.csv")
    empty = tmp_path / "empty.csv"
    empty.touch()
    with pytest.raises(StudyError, match="is empty"):
        import_rows(plan, empty)
    (tmp_path / "latin.csv").write_bytes("task;repeat\nT1;\xe9\n".encode("latin-1"))
    with pytest.raises(StudyError, match="is not UTF-8"):
        import_rows(plan, tmp_path / "latin.csv")
    (tmp_path / "twice.csv").write_text("task,task\nT1,T1\n", encoding="utf-8")
    with pytest.raises(StudyError, match="two columns 'task'"):
        import_rows(plan, tmp_path / "twice.csv")


@pytest.mark.parametrize("text", ["wall_s", "=x", "x=", "a=b"])
def test_a_mapping_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(StudyError, match="--map"):
        column_names([text])
