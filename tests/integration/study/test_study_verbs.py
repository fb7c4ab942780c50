"""The verbs as a person types them: exit codes, what is printed, and the one byte that stops everything."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run
from contextbenchmark.study.ledger_reading import verify
from tests.integration.study.conftest import Git

Captured = pytest.CaptureFixture[str]


def test_from_check_to_published_head(study_file: Path, repository: Path, git: Git, capsys: Captured) -> None:
    folder = study_file.parent
    assert run(["study", "check", str(folder)]) == 0
    assert "small can be registered." in capsys.readouterr().out
    assert run(["study", "register", str(folder)]) == 0
    head = str(verify(folder / "ledger.jsonl").head)
    assert f"Keep this head elsewhere: {head}" in capsys.readouterr().out
    assert run(["study", "publish", str(folder), "--repo", str(repository)]) == 0
    assert head in capsys.readouterr().out
    blob = git(repository, "cat-file", "blob", "bench-results:studies/small/ledger.jsonl")
    assert blob.encode() + b"\n" == (folder / "ledger.jsonl").read_bytes()
    assert run(["ledger", "verify", str(folder / "ledger.jsonl"), "--head", head]) == 0
    assert "leads through the head" in capsys.readouterr().out


def test_check_tells_a_failed_check_from_a_mistake(study_file: Path, capsys: Captured) -> None:
    (study_file.parent / "t3" / "rubric.md").unlink()
    assert run(["study", "check", str(study_file)]) == 1
    assert "error    tasks.T3.rubric: there is no t3/rubric.md" in capsys.readouterr().out
    assert run(["study", "check", str(study_file), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False and told["estimate"]["sessions"] == 24
    study_file.write_text("[[")
    assert run(["study", "check", str(study_file)]) == 4
    assert "is not TOML" in capsys.readouterr().err


def test_reveal_proves_or_disproves(study_file: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = study_file.parent
    run(["study", "register", str(folder)])
    told = tmp_path / "key.toml"
    told.write_bytes((folder / "t2" / "key.toml").read_bytes())
    assert run(["study", "reveal", str(told), "--study", str(folder)]) == 0
    assert "is t2/key.toml as registered in version 1" in capsys.readouterr().out
    told.write_bytes(b"# nicer\n" + told.read_bytes())
    assert run(["study", "reveal", str(told), "--study", str(folder)]) == 1
    out = capsys.readouterr().out
    assert (
        "is no registered file" in out
        and hashlib.sha256((folder / "t2/key.toml").read_bytes()).hexdigest() in out
    )


def test_a_second_version_without_a_reason_is_a_mistake(study_file: Path, capsys: Captured) -> None:
    run(["study", "register", str(study_file)])
    (study_file.parent / "rule.md").write_text("Other.\n")
    assert run(["study", "register", str(study_file)]) == 4
    assert "needs a reason" in capsys.readouterr().err
    assert run(["study", "register", str(study_file), "--reason", "Clearer."]) == 0


def test_ledger_verify_finds_what_was_done(study_file: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = study_file.parent
    run(["study", "register", str(folder)])
    ledger = folder / "ledger.jsonl"
    run(["study", "reveal", str(folder / "rule.md"), "--study", str(folder)])
    head = str(verify(ledger).head)
    whole = ledger.read_bytes()
    capsys.readouterr()
    ledger.write_bytes(whole.splitlines(keepends=True)[0])
    assert run(["ledger", "verify", str(ledger)]) == 0
    assert "Complete to row 1 as far as this file tells" in capsys.readouterr().out
    assert run(["ledger", "verify", str(ledger), "--head", head]) == 1
    assert "The end was cut off" in capsys.readouterr().out
    ledger.write_bytes(whole.replace(b"First registration.", b"First registration!"))
    assert run(["ledger", "verify", str(ledger), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["breaks"][0]["line"]) == (False, 1)
    assert run(["ledger", "verify", str(ledger), "--head", "nonsense"]) == 4
    assert run(["ledger", "verify", str(tmp_path / "none")]) == 4
    capsys.readouterr()


def test_a_signed_checkpoint_from_keygen_to_verify(
    study_file: Path, tmp_path: Path, capsys: Captured
) -> None:
    run(["study", "register", str(study_file)])
    ledger, key, kept = (
        study_file.parent / "ledger.jsonl",
        tmp_path / "k" / "key",
        tmp_path / "checkpoint.json",
    )
    assert run(["keygen", str(key)]) == 0 and run(["keygen", str(key)]) == 4
    assert run(["ledger", "checkpoint", str(ledger), "--key", str(key), "--out", str(kept)]) == 0
    check = ["ledger", "verify", str(ledger), "--checkpoint", str(kept)]
    assert run([*check, "--key", f"{key}.pub"]) == 0
    assert run(check) == 4
    assert run(["keygen", str(tmp_path / "other")]) == 0
    assert run([*check, "--key", str(tmp_path / "other.pub")]) == 4
    ledger.write_bytes(b"")
    assert run([*check, "--key", f"{key}.pub"]) == 1
    capsys.readouterr()


def test_ledger_show_tells_rows_in_order_and_harmlessly(study_file: Path, capsys: Captured) -> None:
    text = study_file.read_text()
    study_file.write_text(text.replace("Does the server help?", "Does it \\u001b[31m help?"))
    run(["study", "register", str(study_file)])
    run(["study", "reveal", str(study_file.parent / "rule.md"), "--study", str(study_file)])
    capsys.readouterr()
    ledger = str(study_file.parent / "ledger.jsonl")
    assert run(["ledger", "show", ledger]) == 0
    out = capsys.readouterr().out
    assert [line.split()[2] for line in out.splitlines()] == ["registered", "revealed"] and "\x1b" not in out
    assert run(["ledger", "show", ledger, "--json", "--last", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["body"]["path"] == "rule.md"
    assert run(["ledger", "show", ledger, "--event", "registered"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_init_then_check(tmp_path: Path, repository: Path, capsys: Captured) -> None:
    out = tmp_path / "mine"
    command = ["study", "init", "--server", "serve", "--repo", str(repository), "--out", str(out)]
    assert run(command) == 4
    assert "--no-task" in capsys.readouterr().err
    assert run([*command, "--no-task"]) == 0
    assert run(["study", "check", str(out)]) == 1
    capsys.readouterr()
