"""Publishing with real git: the working tree stays, published rows cannot be changed, a head is printed to keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.errors import LedgerError, StudyError
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import verify
from contextbenchmark.study.publish import publish
from tests.integration.study.conftest import Git

PLACE = "studies/small/ledger.jsonl"


def append(ledger: Path, rows: int) -> None:
    with Ledger(ledger) as opened:
        for _ in range(rows):
            opened.append(Event(kind="session"))


def published(git: Git, repository: Path, branch: str = "bench-results") -> bytes:
    return (git(repository, "cat-file", "blob", f"{branch}:{PLACE}") + "\n").encode()


def test_the_branch_gets_the_ledger_and_nothing_else_changes(
    tmp_path: Path, repository: Path, git: Git
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 3)
    before = git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")
    done = publish(ledger, repository, PLACE)
    assert (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")) == before
    assert git(repository, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert published(git, repository) == ledger.read_bytes()
    assert done.commit == git(repository, "rev-parse", "bench-results") and done.new
    assert done.head == verify(ledger).head
    # The head stands in the commit's message too, and the branch has no file of main.
    assert str(done.head) in git(repository, "log", "-1", "--format=%B", "bench-results")
    assert git(repository, "ls-tree", "-r", "--name-only", "bench-results") == PLACE


def test_what_is_appended_becomes_a_commit_on_top_and_nothing_new_makes_none(
    tmp_path: Path, repository: Path, git: Git
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 3)
    first = publish(ledger, repository, PLACE)
    again = publish(ledger, repository, PLACE)
    assert (again.commit, again.new) == (first.commit, False)
    append(ledger, 2)
    second = publish(ledger, repository, PLACE)
    assert git(repository, "rev-parse", f"{second.commit}^") == first.commit
    other = publish(ledger, repository, "studies/other/ledger.jsonl")
    assert git(repository, "rev-parse", f"{other.commit}^") == second.commit
    listing = git(repository, "ls-tree", "-r", "--name-only", "bench-results").splitlines()
    assert listing == ["studies/other/ledger.jsonl", PLACE]


def test_published_rows_are_never_rewritten(tmp_path: Path, repository: Path, git: Git) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 5)
    done = publish(ledger, repository, PLACE)
    whole = ledger.read_bytes()
    # A shorter one, and another one that is a whole chain of its own.
    ledger.write_bytes(b"".join(whole.splitlines(keepends=True)[:4]))
    assert verify(ledger).holds
    with pytest.raises(LedgerError, match="does not begin with what was published"):
        publish(ledger, repository, PLACE)
    ledger.unlink()
    append(ledger, 6)
    # Same length of history or longer, but other rows (their times differ at least in the study's name).
    with Ledger(tmp_path / "forged.jsonl", clock=lambda: "2020-01-01T00:00:00Z") as forged:
        forged.append(*(Event(kind="session") for _ in range(6)))
    with pytest.raises(LedgerError, match="rows were changed or removed"):
        publish(tmp_path / "forged.jsonl", repository, PLACE)
    assert git(repository, "rev-parse", "bench-results") == done.commit
    assert published(git, repository) == whole


def test_a_broken_ledger_is_not_published_and_a_torn_line_stays_at_home(
    tmp_path: Path, repository: Path, git: Git
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 3)
    whole = ledger.read_bytes()
    ledger.write_bytes(whole + b'{"row":{"bo')
    publish(ledger, repository, PLACE)
    assert published(git, repository) == whole
    ledger.write_bytes(whole.replace(b'"index":1', b'"index":7'))
    with pytest.raises(LedgerError, match="is not published: Line 2 was changed"):
        publish(ledger, repository, PLACE)


def test_a_branch_that_is_checked_out_is_left_alone(tmp_path: Path, repository: Path, git: Git) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 1)
    git(repository, "branch", "bench-results")
    git(repository, "worktree", "add", "-q", str(tmp_path / "second"), "bench-results")
    with pytest.raises(StudyError, match="is checked out"):
        publish(ledger, repository, PLACE)


def test_a_remote_gets_it_and_what_others_published_comes_first(
    tmp_path: Path, repository: Path, git: Git
) -> None:
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", str(remote))
    ledger, clone = tmp_path / "ledger.jsonl", tmp_path / "clone"
    append(ledger, 2)
    git(repository, "remote", "add", "origin", str(remote))
    first = publish(ledger, repository, PLACE, remote="origin")
    assert git(remote, "rev-parse", "bench-results") == first.commit
    git(tmp_path, "clone", "-q", str(remote), str(clone))
    append(ledger, 1)
    second = publish(ledger, clone, PLACE, remote="origin")
    assert git(remote, "rev-parse", "bench-results^") == first.commit
    append(ledger, 1)
    # This clone has not seen the second commit: it is fetched and built upon, never pushed over.
    third = publish(ledger, repository, PLACE, remote="origin")
    assert git(remote, "rev-parse", "bench-results") == third.commit
    assert git(remote, "rev-parse", "bench-results^") == second.commit
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:3]))
    with pytest.raises(LedgerError, match="does not begin"):
        publish(shorter, clone, PLACE, remote="origin")


def test_branches_that_have_grown_apart_are_left_alone(tmp_path: Path, repository: Path, git: Git) -> None:
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", str(remote))
    git(repository, "remote", "add", "origin", str(remote))
    git(repository, "push", "-q", "origin", "main:bench-results")
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 1)
    publish(ledger, repository, PLACE)
    with pytest.raises(StudyError, match="have grown apart"):
        publish(ledger, repository, PLACE, remote="origin")


def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    append(ledger, 1)
    with pytest.raises(StudyError, match="git"):
        publish(ledger, tmp_path, PLACE)
