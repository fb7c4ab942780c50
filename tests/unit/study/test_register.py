"""A registration freezes every byte; what differs is named with both digests; a disclosure can be proved."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import rfc8785

from contextbenchmark.errors import LedgerError, StudyError
from contextbenchmark.study.frozen import in_force, require_unchanged
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import Head, read_rows, verify
from contextbenchmark.study.ledger_row import Provenance
from contextbenchmark.study.register import register, reveal


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def all_files(study_file: Path) -> list[str]:
    folder = study_file.parent
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_every_named_file_is_registered_with_its_digest(study_file: Path) -> None:
    expected = {name: sha256(study_file.parent / name) for name in all_files(study_file)}
    made = register(study_file)
    assert {file.path: file.sha256 for file in made.version.registration.files} == expected
    assert (made.version.registration.version, made.version.registration.parent) == (1, None)


def test_the_digest_is_that_of_the_documents_canonical_json(study_file: Path) -> None:
    made = register(study_file)
    stored = study_file.parent / "registrations" / "v1.json"
    assert sha256(stored) == made.version.sha256
    assert rfc8785.dumps(json.loads(stored.read_bytes())) == stored.read_bytes()
    row = next(read_rows(study_file.parent / "ledger.jsonl"))
    assert rfc8785.dumps(row.body["document"]) == stored.read_bytes()
    assert (row.event, row.study, row.version, row.sha256) == ("registered", "small", 1, made.version.sha256)
    assert row.commit == "0123456789abcdef0123456789abcdef01234567" and row.agent == "scripted"
    assert verify(study_file.parent / "ledger.jsonl", [made.head]).holds


def test_defaults_are_registered_too(study_file: Path) -> None:
    analysis = register(study_file).version.registration.design["analysis"]
    assert isinstance(analysis, dict)
    assert (analysis["lambda"], analysis["alpha"], analysis["cap"]) == (0.5, 0.05, None)
    assert (analysis["estimator"], analysis["resamples"], analysis["validity_threshold"]) == (
        "pairwise",
        10_000,
        0.8,
    )


def test_hidden_files_leave_nothing_but_digests(study_file: Path) -> None:
    made = register(study_file)
    written = [study_file.parent / "ledger.jsonl", study_file.parent / "registrations" / "v1.json", made.text]
    for place in written:
        text = place.read_text()
        assert "secret" not in text and "assert" not in text
        for hidden in (
            "t1/hidden/test_feature.py",
            "t2/key.toml",
            "t1/reference.patch",
            "t4/hidden/test_change.py",
        ):
            assert sha256(study_file.parent / hidden) in text
    headline = made.text.read_text().split("## Versions")[0]
    assert sha256(study_file.parent / "t2/key.toml") in headline and made.version.sha256 in headline
    assert "Use search before you read." in made.text.read_text()


def test_a_file_can_be_hidden_by_name(study_file: Path) -> None:
    study_file.write_text('hidden = ["t2/prompt.md"]\n' + study_file.read_text())
    made = register(study_file)
    assert "What breaks?" not in made.text.read_text()
    assert "What breaks?" not in (study_file.parent / "ledger.jsonl").read_text()


def test_what_was_registered_is_accepted(study_file: Path) -> None:
    made = register(study_file)
    assert require_unchanged(study_file)[-1] == made.version


def test_one_byte_of_any_file_is_refused_with_its_name_and_both_digests(study_file: Path) -> None:
    names = all_files(study_file)
    register(study_file)
    for name in names:
        place = study_file.parent / name
        content, before = place.read_bytes(), sha256(place)
        place.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(StudyError) as refused:
            require_unchanged(study_file)
        said = str(refused.value)
        assert name in said and before in said and sha256(place) in said and "register the change" in said
        place.write_bytes(content)
    require_unchanged(study_file)


def test_a_file_that_is_gone_or_was_added_is_refused(study_file: Path) -> None:
    register(study_file)
    hidden = study_file.parent / "t1" / "hidden" / "deep" / "test_more.py"
    content, digest = hidden.read_bytes(), sha256(hidden)
    hidden.unlink()
    with pytest.raises(
        StudyError, match=rf"t1/hidden/deep/test_more\.py is not there \(registered {digest}\)"
    ):
        require_unchanged(study_file)
    require_unchanged(study_file, hidden_may_be_absent=True)
    hidden.write_bytes(content + b"#")
    with pytest.raises(StudyError, match="was changed"):
        require_unchanged(study_file, hidden_may_be_absent=True)
    hidden.write_bytes(content)
    added = hidden.with_name("conftest.py")
    added.write_text("skip = 1\n")
    with pytest.raises(
        StudyError, match=rf"conftest\.py was added \(registered: nothing, now {sha256(added)}\)"
    ):
        require_unchanged(study_file)
    added.unlink()
    (study_file.parent / "rule.md").unlink()
    with pytest.raises(StudyError, match=r"rule\.md is not there"):
        require_unchanged(study_file, hidden_may_be_absent=True)


def test_a_study_file_that_no_longer_reads_or_has_another_name_is_refused_by_its_digests(
    study_file: Path,
) -> None:
    register(study_file)
    content, before = study_file.read_text(), sha256(study_file)
    for changed in (content.replace('"small"', '"other"'), content + "[[", ""):
        study_file.write_text(changed)
        with pytest.raises(StudyError) as refused:
            require_unchanged(study_file)
        assert "study.toml was changed" in str(refused.value)
        assert before in str(refused.value) and sha256(study_file) in str(refused.value)


def test_a_change_is_a_new_version_with_a_reason_and_its_parent(study_file: Path) -> None:
    first = register(study_file)
    with pytest.raises(StudyError, match="Nothing has changed since version 1"):
        register(study_file, reason="again")
    (study_file.parent / "t1" / "prompt.md").write_text("Build another feature.\n")
    with pytest.raises(StudyError, match="Version 2 of small needs a reason"):
        register(study_file, reason="  ")
    second = register(study_file, reason="T1 was at the ceiling.")
    assert second.version.registration.parent == first.version.sha256
    assert second.version.registration.reason == "T1 was at the ceiling."
    assert [version.registration.version for version in require_unchanged(study_file)] == [1, 2]
    text = second.text.read_text()
    assert first.version.sha256 in text and second.version.sha256 in text and "T1 was at the ceiling." in text
    assert (study_file.parent / "PREREGISTRATION-v1.md").read_text() != text
    assert first.version.sha256 in (study_file.parent / "PREREGISTRATION-v1.md").read_text()


def test_registering_again_after_a_look_shows(study_file: Path) -> None:
    first = register(study_file)
    with Ledger(study_file.parent / "ledger.jsonl") as ledger:
        for _ in range(4):
            ledger.append(Event(kind="session", provenance=first.version.provenance()))
        ledger.append(Event(kind="look", provenance=first.version.provenance()))
        ledger.append(Event(kind="session", provenance=Provenance(study="another")))
    (study_file.parent / "rule.md").write_text("Please.\n")
    second = register(study_file, reason="Reworded.")
    assert {(item.event, item.rows) for item in second.before} == {
        ("registered", 1),
        ("session", 4),
        ("look", 1),
    }
    assert "1 x look, 1 x registered, 4 x session" in second.text.read_text()


def test_an_edited_ledger_is_refused_before_anything_else(study_file: Path) -> None:
    register(study_file)
    ledger = study_file.parent / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace("First registration.", "Last registration!."))
    for call in (require_unchanged, register, in_force):
        with pytest.raises(LedgerError, match="was changed"):
            call(study_file)


def test_a_row_whose_document_is_not_its_digests_is_refused(study_file: Path) -> None:
    made = register(study_file)
    place = study_file.parent / "ledger.jsonl"
    body = next(read_rows(place)).body
    document = body["document"]
    assert isinstance(document, dict)
    document["reason"] = "Another."
    other = study_file.parent / "forged.jsonl"
    from contextbenchmark.study.registration import RegisteredBody

    with Ledger(other) as ledger:
        forged = RegisteredBody.model_validate({**body, "document": document})
        ledger.append(Event(kind="registered", provenance=made.version.provenance(), body=forged))
    assert verify(other).holds
    with pytest.raises(LedgerError, match="Row 1 registers a document of digest"):
        require_unchanged(study_file, other)


def test_what_was_never_registered_is_refused(study_file: Path) -> None:
    with pytest.raises(StudyError, match="is not registered"):
        require_unchanged(study_file)


def test_several_studies_share_a_ledger(study_file: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared.jsonl"
    register(study_file, ledger=shared)
    study_file.write_text(study_file.read_text().replace('"small"', '"other"'))
    register(study_file, ledger=shared)
    assert in_force(study_file, shared)[-1].registration.study == "other"
    assert verify(shared).head.rows == 2
    study_file.write_text("[[")
    with pytest.raises(StudyError, match="several studies: other, small"):
        in_force(study_file, shared)


def test_a_disclosed_file_is_proved_or_disproved(study_file: Path, tmp_path: Path) -> None:
    register(study_file)
    key = study_file.parent / "t2" / "key.toml"
    told = tmp_path / "disclosed" / "key.toml"
    told.parent.mkdir()
    told.write_bytes(key.read_bytes())
    key.unlink()
    found = reveal(study_file, told)
    assert (found.path, found.versions, found.sha256) == ("t2/key.toml", (1,), sha256(told))
    row = list(read_rows(study_file.parent / "ledger.jsonl"))[-1]
    assert (row.event, row.body["path"], row.body["sha256"]) == ("revealed", "t2/key.toml", sha256(told))
    told.write_bytes(told.read_bytes() + b" ")
    lie = reveal(study_file, told)
    assert (lie.path, lie.versions, lie.registered) == (None, (), found.sha256)
    assert verify(study_file.parent / "ledger.jsonl").head.rows == 2


def test_a_disclosure_says_in_which_versions_it_stood(study_file: Path, tmp_path: Path) -> None:
    register(study_file)
    old = tmp_path / "test_feature.py"
    hidden = study_file.parent / "t1" / "hidden" / "test_feature.py"
    old.write_bytes(hidden.read_bytes())
    hidden.write_text("def test_feature():\n    assert harder\n")
    register(study_file, reason="Harder.")
    found = reveal(study_file, old)
    assert (found.path, found.versions, found.registered) == ("t1/hidden/test_feature.py", (1,), sha256(old))
    assert reveal(study_file, hidden).versions == (2,)
    with pytest.raises(StudyError, match="is not a file of small"):
        reveal(study_file, old, registered_as="t9/nothing.py")
    assert reveal(study_file, old, registered_as="t2/key.toml").path is None


def test_a_named_file_that_is_not_there_stops_the_registration(study_file: Path) -> None:
    (study_file.parent / "t2" / "rubric.md").unlink()
    with pytest.raises(StudyError, match=r"tasks\.T2\.rubric: there is no t2/rubric\.md"):
        register(study_file)
    assert not (study_file.parent / "ledger.jsonl").exists()


def test_the_head_that_is_returned_is_the_ledgers(study_file: Path) -> None:
    made = register(study_file)
    assert Head.parse(str(made.head)) == verify(study_file.parent / "ledger.jsonl").head
