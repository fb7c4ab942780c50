"""``study import``, ``analyse`` and ``power`` as a person types them: exit codes, files, ledger, one edited byte."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from contextbenchmark.__main__ import run
from contextbenchmark.study.ledger_reading import read_rows, verify
from tests.unit.study.studies import Study, level_study, random_study

Captured = pytest.CaptureFixture[str]


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    columns = sorted({key for row in rows for key in row})
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


def files(folder: Path, study: Study) -> list[str]:
    (folder / "plan.json").write_text(json.dumps(study.plan), encoding="utf-8")
    write(folder / "sessions.csv", study.sessions)
    write(folder / "judges.csv", study.judgements)
    return [
        "--plan",
        str(folder / "plan.json"),
        "--sessions",
        str(folder / "sessions.csv"),
        "--judges",
        str(folder / "judges.csv"),
        "--out",
        str(folder / "out"),
    ]


def better(repeats: int, sign: float = 1.0) -> Study:
    study = level_study(repeats)
    for repeat in range(1, repeats + 1):
        study.session("T2", repeat, "cc")["t2_score"] = 0.5 + sign * (0.2 + repeat / 100)
    return study


def test_each_verdict_has_its_exit_code(tmp_path: Path, capsys: Captured) -> None:
    invalid = better(6)
    for repeat in range(1, 7):
        invalid.session("T1", repeat, "cc")["server_calls_called"] = 0
        invalid.session("T2", repeat, "cc")["server_calls_called"] = 0
    cases = {"KEEP": (better(6), 0), "DROP": (better(6, -1), 10), "INCONCLUSIVE": (level_study(3), 11),
             "INVALID": (invalid, 12)}  # fmt: skip
    for verdict, (study, exit_code) in cases.items():
        options = files(tmp_path, study)
        assert run(["study", "import", *options]) == exit_code
        out = capsys.readouterr().out
        assert out.startswith(f"{verdict}: NV")
        assert json.loads((tmp_path / "out" / "study.json").read_bytes())["verdict"] == verdict


def test_the_json_has_the_names_of_the_spec(tmp_path: Path, capsys: Captured) -> None:
    assert run(["study", "import", *files(tmp_path, random_study(5)), "--json"]) == 11
    found = json.loads(capsys.readouterr().out)
    assert {"nv", "q", "c", "welch", "y", "criteria", "verdict", "reasons", "treatment", "sensitivities",
            "missing", "s5", "calibration"} <= set(found)  # fmt: skip
    for name in ("nv", "q", "c"):
        assert set(found[name]) == {"value", "lo", "hi"}
    assert set(found["y"]) == {"T1", "T2", "T3", "T4"}
    assert {"delta", "lo", "hi", "wilcoxon", "holm", "r"} <= set(found["criteria"]["accuracy"])
    assert {"called", "answered"} <= set(found["treatment"])
    assert found["plan"]["lambda"] == 0.5
    assert json.loads((tmp_path / "out" / "study.json").read_bytes()) == found
    page = (tmp_path / "out" / "study.html").read_text()
    assert page.count("<svg") == 2
    assert (tmp_path / "out" / "study.md").read_text().startswith("# made-up: is the context worth it?")


def test_a_gate_is_open_only_for_a_keep_that_nothing_qualifies(tmp_path: Path, capsys: Captured) -> None:
    assert run(["study", "import", *files(tmp_path, better(20)), "--gate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["qualifications"] == []
    doubtful = better(20)
    for repeat in range(1, 21):
        doubtful.session("T2", repeat, "cc")["server_calls_successful"] = 0
        doubtful.session("T1", repeat, "cc")["server_calls_successful"] = 0
    options = files(tmp_path, doubtful)
    assert run(["study", "import", *options]) == 0
    assert run(["study", "import", *options, "--gate"]) == 11


def test_refused_rows_are_told_and_a_mistake_is_4(tmp_path: Path, capsys: Captured) -> None:
    study = random_study(5)
    study.sessions[0]["wall_s"] = "fast"
    options = files(tmp_path, study)
    run(["study", "import", *options])
    assert "Rows refused" in capsys.readouterr().out
    assert run(["study", "import", "--sessions", str(tmp_path / "sessions.csv")]) == 4
    assert "--plan PLAN.json" in capsys.readouterr().err
    assert run(["study", "import", *options, "--map", "x=y"]) == 4
    (tmp_path / "plan.json").write_text("{}")
    assert run(["study", "import", *options]) == 4
    assert "planned_repeats: is missing" in capsys.readouterr().err


def registered(study_file: Path) -> Study:
    """Register the small study and return rows for it."""
    assert run(["study", "register", str(study_file)]) == 0
    study = random_study(8, absent=0, failures=0)
    study.plan["planned_repeats"] = dict.fromkeys(("T1", "T2", "T3", "T4"), 3)
    study.sessions = [row for row in study.sessions if row["repeat"] <= 3]
    study.judgements = [row for row in study.judgements if row["repeat"] <= 3]
    for row in (*study.sessions, *study.judgements):
        row["study"] = "small"
    return study


def test_rows_go_into_the_ledger_and_every_look_is_written_down(
    study_file: Path, tmp_path: Path, capsys: Captured
) -> None:
    study, folder = registered(study_file), study_file.parent
    out = ["--out", str(tmp_path / "out")]
    judges = str(write(tmp_path / "j.csv", study.judgements))
    early = str(write(tmp_path / "early.csv", study.sessions[:8]))
    late = str(write(tmp_path / "late.csv", study.sessions[8:]))
    assert run(["study", "import", "--study", str(folder), "--sessions", early, "--judges", judges]) == 0
    capsys.readouterr()
    assert run(["study", "analyse", str(folder), *out, "--json"]) == 11
    first = json.loads(capsys.readouterr().out)
    assert (
        first["reasons"][0] == f"{24 - 8} planned sessions are still to come: this is a look, not a verdict"
    )
    assert run(["study", "import", "--study", str(folder), "--sessions", late]) == 0
    capsys.readouterr()
    run(["study", "analyse", str(folder), *out, "--json"])
    second = json.loads(capsys.readouterr().out)
    assert second["looks"] == [
        {"verdict": "INCONCLUSIVE", "nv": first["nv"]["value"], "lo": first["nv"]["lo"],
         "hi": first["nv"]["hi"], "sessions": 8, "planned": 24}
    ]  # fmt: skip
    assert not any("still to come" in reason for reason in second["reasons"])
    # The same rows, analysed from the files by the same plan, give the same numbers.
    plan = {**second["plan"], "cap": None}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    whole = str(write(tmp_path / "all.csv", study.sessions))
    run(["study", "import", "--plan", str(tmp_path / "plan.json"), "--sessions", whole, "--judges", judges,
         *out, "--json"])  # fmt: skip
    direct = json.loads(capsys.readouterr().out)
    for name in ("nv", "q", "c", "welch", "criteria", "calibration"):
        assert direct[name] == second[name]
    ledger = folder / "ledger.jsonl"
    assert verify(ledger).holds
    assert [row.event for row in read_rows(ledger)].count("analysed") == 2


@pytest.mark.parametrize("verb", ["analyse", "import"])
def test_one_byte_of_a_registered_prompt_stops_the_analysis(
    study_file: Path, tmp_path: Path, capsys: Captured, verb: str
) -> None:
    study, folder = registered(study_file), study_file.parent
    sessions = str(write(tmp_path / "s.csv", study.sessions))
    prompt = folder / "t1" / "prompt.md"
    before = hashlib.sha256(prompt.read_bytes()).hexdigest()
    prompt.write_bytes(prompt.read_bytes()[:-1] + b"!")
    after = hashlib.sha256(prompt.read_bytes()).hexdigest()
    head = verify(folder / "ledger.jsonl").head
    arguments = {
        "analyse": ["study", "analyse", str(folder), "--out", str(tmp_path / "out")],
        "import": ["study", "import", "--study", str(folder), "--sessions", sessions],
    }
    assert run(arguments[verb]) == 4
    said = capsys.readouterr().err
    for words in ("t1/prompt.md", before, after):
        assert words in said
    assert verify(folder / "ledger.jsonl").head == head
    assert not (tmp_path / "out").exists()


def test_rows_of_an_earlier_version_are_not_in_the_analysis_and_that_is_told(
    study_file: Path, tmp_path: Path, capsys: Captured
) -> None:
    study, folder = registered(study_file), study_file.parent
    sessions = str(write(tmp_path / "s.csv", study.sessions))
    assert run(["study", "import", "--study", str(folder), "--sessions", sessions]) == 0
    (folder / "rule.md").write_text("Use search before you read, always.\n")
    assert run(["study", "register", str(folder), "--reason", "A clearer rule."]) == 0
    capsys.readouterr()
    assert run(["study", "analyse", str(folder), "--out", str(tmp_path / "out"), "--json"]) == 11
    found = json.loads(capsys.readouterr().out)
    assert found["other_versions"] == {"1": 24}
    assert found["missing"]["pairs"] == 0


def test_power_from_an_assumed_spread_and_from_rows(tmp_path: Path, capsys: Captured) -> None:
    assert run(["study", "power", "--effect", "0.5", "--spread", "0.3", "--spread", "0.1"]) == 0
    out = capsys.readouterr().out
    assert "Welch's t needs" in out
    options = files(tmp_path, random_study(5, absent=0))[:-2]
    assert run(["study", "power", "--effect", "2", *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][0]["n"] == 3
    assert run(["study", "power", "--effect", "0.5"]) == 4
    assert run(["study", "power", *files(tmp_path, level_study(3))[:-2]]) == 4
    assert "no spread" in capsys.readouterr().err
