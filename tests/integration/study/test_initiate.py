"""A study proposed from a real history: tests hidden as the change left them, the source before it, a true patch."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.errors import StudyError
from contextbenchmark.study.check import check
from contextbenchmark.study.initiate import initiate
from contextbenchmark.study.propose import package_url
from contextbenchmark.study.register import register
from tests.integration.study.conftest import Git

SERVER = 'npx -y "my server"@1.2 --quiet'


def commit(folder: Path, git: Git, message: str, **files: str) -> str:
    for name, content in files.items():
        place = folder / name.replace("__", "/").replace("_py", ".py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    git(folder, "add", "--", ":!draft.txt")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def history(repository: Path, git: Git) -> dict[str, str]:
    """Changes of several sizes; only one, merged from a branch, is of the rule book's size."""
    found = {}
    found["small"] = commit(repository, git, "A small fix", app_py="x = 2\n", tests__test_app_py="assert 1\n")
    found["before"] = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-qb", "feature")
    parts = {f"{folder}__{name}_py": "new = 1\n" for folder in ("a", "b", "c") for name in ("one", "two")}
    commit(repository, git, "half of it", **parts)
    commit(
        repository,
        git,
        "tests of it",
        tests__test_feature_py="from a.one import new\n\n\ndef test(): assert new\n",
    )
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "--no-ff", "-m", "Add the feature\n\nAs users asked.", "feature")
    found["merge"] = git(repository, "rev-parse", "HEAD")
    found["docs"] = commit(repository, git, "Only source", app_py="x = 3\n")
    found["later"] = commit(repository, git, "A later fix", app_py="x = 4\n", tests__test_app_py="assert 2\n")
    return found


def test_the_change_of_the_rule_books_size_is_proposed(
    tmp_path: Path, repository: Path, history: dict[str, str], git: Git
) -> None:
    made = initiate(tmp_path / "study", server=SERVER, clone=repository)
    assert made.change is not None
    assert (made.change.commit, made.change.before) == (history["merge"], history["before"])
    assert (made.change.subject, made.change.tests) == ("Add the feature", ("tests/test_feature.py",))
    folder = tmp_path / "study" / "tasks" / "T1"
    assert (folder / "hidden/tests/test_feature.py").read_text().startswith("from a.one import new")
    assert "As users asked." in (folder / "prompt.md").read_text()
    # The patch applies to the pinned commit, brings the source and none of the tests.
    tree = tmp_path / "tree"
    git(tmp_path, "clone", "-q", str(repository), str(tree))
    git(tree, "checkout", "-q", history["before"])
    git(tree, "apply", str(folder / "reference.patch"))
    assert (tree / "c" / "two.py").read_text() == "new = 1\n"
    git(tree, "add", "-A")
    assert git(tree, "diff", "--cached", "--name-only", history["merge"]) == "tests/test_feature.py"


def test_what_is_written_is_a_study_that_lacks_its_authors_words_alone(
    tmp_path: Path, repository: Path, history: dict[str, str]
) -> None:
    made = initiate(tmp_path / "my study", server=SERVER, clone=repository)
    checked = check(made.study_file, repository)
    assert {finding.place for finding in checked.errors} == {"arms.cc.rule", "tasks.T1.prompt"}
    design = checked.design
    assert design.repository.commit == history["before"] and design.name == "my-study"
    assert design.tasks.T1 is not None and "--junitxml={report}" in design.tasks.T1.test_command
    assert design.arms.cc.server == ("npx", "-y", "my server@1.2", "--quiet")
    assert not any(finding.place.endswith("reference") for finding in checked.findings)
    for name in ("rule.md", "tasks/T1/prompt.md"):
        (made.study_file.parent / name).write_text("Written by its author.\n")
    assert register(made.study_file).version.registration.version == 1


def test_a_study_is_never_overwritten(tmp_path: Path, repository: Path, history: dict[str, str]) -> None:
    made = initiate(tmp_path / "study", server="serve", clone=repository)
    before = made.study_file.read_bytes()
    with pytest.raises(StudyError, match="is there already"):
        initiate(tmp_path / "study", server="serve", clone=repository)
    assert made.study_file.read_bytes() == before


def test_a_history_without_tests_needs_a_task_of_ones_own(tmp_path: Path, repository: Path, git: Git) -> None:
    with pytest.raises(StudyError, match="--no-task"):
        initiate(tmp_path / "study", server="serve", clone=repository)
    made = initiate(tmp_path / "study", server="serve", clone=repository, task=False)
    checked = check(made.study_file)
    assert checked.design.repository.commit == git(repository, "rev-parse", "HEAD")
    assert {finding.place for finding in checked.errors} == {
        "arms.cc.rule",
        "tasks.T1.prompt",
        "tasks.T1.hidden_tests",
    }


@pytest.mark.parametrize("server", ["", "   ", 'open "quote'])
def test_a_command_that_is_none_is_refused(tmp_path: Path, repository: Path, server: str) -> None:
    with pytest.raises(StudyError):
        initiate(tmp_path / "study", server=server, clone=repository, task=False)
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("https://github.com/django/django.git", "pkg:github/django/django"),
        ("git@github.com:django/django.git", "pkg:github/django/django"),
        ("https://gitlab.com/group/thing", "pkg:gitlab/group/thing"),
        ("/srv/git/thing.git", "pkg:generic/repository"),
        (None, "pkg:generic/repository"),
    ],
)
def test_the_package_url_is_the_remotes(
    repository: Path, git: Git, remote: str | None, expected: str
) -> None:
    if remote is not None:
        git(repository, "remote", "add", "origin", remote)
    assert package_url(repository) == expected
