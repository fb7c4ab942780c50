"""What the rule book demands is found by figures known from it; what is right is left alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from contextbenchmark.errors import StudyError
from contextbenchmark.study.check import Checked, check
from contextbenchmark.study.register import register
from tests.unit.study.conftest import TOUCHED, patch


def said(checked: Checked, severity: str) -> list[str]:
    return [f"{item.place}: {item.problem}" for item in checked.findings if item.severity == severity]


def change(study_file: Path, old: str, new: str) -> None:
    text = study_file.read_text()
    assert old in text
    study_file.write_text(text.replace(old, new, 1))


def rule_book(study_file: Path) -> None:
    study_file.write_text('preset = "rule-book"\n' + study_file.read_text())


def test_a_study_as_the_rule_book_has_it_has_no_error_and_no_warning(study_file: Path) -> None:
    rule_book(study_file)
    checked = check(study_file)
    assert said(checked, "error") == [] and said(checked, "warning") == []
    assert len(checked.not_checked) == 2 and "clone" in checked.not_checked[0]


def test_the_most_that_it_costs(study_file: Path) -> None:
    """3 repeats x 4 tasks x 2 arms; 2 judges x 2 orders x 3 repeats x 2 judged tasks; 100 + 20 s a session."""
    change(
        study_file,
        "[repeats]",
        "[limits.session]\nwall_s = 100\ncost_usd = 2\n[schedule]\nparallel = 2\n[repeats]",
    )
    cost = check(study_file).estimate
    assert (cost.sessions, cost.judge_calls, cost.wall_s, cost.cost_usd) == (24, 24, 24 * 120 / 2, 48)
    change(study_file, "[limits.session]", "[limits.run]\ncost_usd = 30\n[limits.session]")
    assert check(study_file).estimate.cost_usd == 30


def test_a_sequence_counts_each_step(study_file: Path) -> None:
    steps = '[[tasks.S5.steps]]\nprompt = "t1/prompt.md"\nhidden_tests = "t1/hidden"\n' * 5
    change(study_file, "[repeats]", f"{steps}\n[repeats]\nS5 = 2")
    checked = check(study_file)
    assert said(checked, "error") == [] and checked.estimate.sessions == 24 + 2 * 2 * 5


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (TOUCHED, []),
        ((*TOUCHED, "c/3.py", "c/4.py", "c/5.py", "c/6.py"), []),
        (TOUCHED[:5], ["touches 5 files"]),
        ((*TOUCHED, *(f"c/{n}.py" for n in range(5))), ["touches 11 files"]),
        (tuple(f"{f}/{n}.py" for f in "ab" for n in range(3)), ["touches 2 modules"]),
        (("a/one.py",), ["touches 1 files", "touches 1 modules"]),
    ],
)
@pytest.mark.parametrize("task", ["T1", "T4"])
def test_the_size_of_t1_and_t4(
    study_file: Path, task: str, paths: tuple[str, ...], expected: list[str]
) -> None:
    (study_file.parent / task.lower() / "reference.patch").write_text(patch(*paths))
    found = [text for text in said(check(study_file), "warning") if "touches" in text and "rule book" in text]
    assert len(found) == len(expected)
    for text, part in zip(found, expected, strict=True):
        assert text.startswith(f"tasks.{task}.reference: {part}")
    if expected:
        rule_book(study_file)
        assert said(check(study_file), "error") == found
        with pytest.raises(StudyError, match=rf"tasks\.{task}\.reference"):
            register(study_file)


def test_a_task_that_needs_no_context_is_warned_of(study_file: Path) -> None:
    (study_file.parent / "t1" / "prompt.md").write_text(f"Change {', '.join(TOUCHED)}.\n")
    (study_file.parent / "t4" / "reference.patch").write_text(patch("a/one.py"))
    change(study_file, 'prompt = "t1/prompt.md"\nchange', 'prompt = "t3/prompt.md"\nchange')
    found = [text for text in said(check(study_file), "warning") if "may need no context" in text]
    assert found[0].startswith("tasks.T1: ") and "names every file" in found[0]
    assert found[1].startswith("tasks.T4: ") and "touches one file" in found[1]


@pytest.mark.parametrize(
    ("key", "severity", "part"),
    [
        ('[[question]]\nid = "1"\nfiles = ["a", "b", "b"]', "warning", "question 1 needs 2 files"),
        ('[[question]]\nid = "1"', "warning", "question 1 needs 0 files"),
        ('[[question]]\nid = "1"\nfiles = ["a", "b", "c"]\n' * 2, "error", "an id of its own"),
        ("question = 3", "error", "has no [[question]]"),
        ("", "error", "t2/key.toml is empty"),
        ("[[", "error", "is not TOML"),
    ],
)
def test_every_question_needs_three_files(study_file: Path, key: str, severity: str, part: str) -> None:
    (study_file.parent / "t2" / "key.toml").write_text(key)
    assert any(
        text.startswith("tasks.T2.answer_key: ") and part in text
        for text in said(check(study_file), severity)
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('hidden_tests = "t1/hidden"\n', "", "tasks.T1.hidden_tests: is missing"),
        ('test_command = ["pytest", "--junitxml={report}"]\n', "", "tasks.T1.test_command: is missing"),
        ('change = "t4/change.md"\n', "", "tasks.T4.change: is missing"),
        ('rubric = "t3/rubric.md"\n', "", "tasks.T3.rubric: is missing"),
        ('server = ["search-server", "--index", "{index}"]\n', "", "arms.cc.server: is missing"),
        ("T1 = 3\n", "T1 = 1\n", "repeats.T1: fewer than 2 pairs"),
        ("T3 = 3\n", "T3 = 4\n", "tasks.T3: T3 reports on T1"),
        ("T4 = 3\n", "T4 = 3\nS5 = 1\n", "repeats.S5: there is no task S5"),
        ("[repeats]", "[weights]\naccuracy = 0.4\n[repeats]", "weights: the quality weights add up to 1.1"),
        ("[repeats]", "[weights]\nwall = 0.4\n[repeats]", "weights: wall and tokens add up to 0.9"),
        ('family = "alpha"', 'family = "None"', "judging.judges[1]: a is of the agent's own family"),
        ('name = "b"', 'name = "a"', "judging.judges: two judges have one name"),
        ('communication = "judges/update.md"\n', "", "judging.communication: is missing"),
        ('"judges/answers.md"', '"judges/none.md"', "judging.answers: there is no judges/none.md"),
        ("[arms.cc]", 'kind = "a-a"\n[arms.cc]', "kind"),
    ],
)
def test_what_cannot_be_measured_is_an_error(study_file: Path, old: str, new: str, expected: str) -> None:
    if expected == "kind":
        study_file.write_text('kind = "a-a"\n' + study_file.read_text())
        expected = "arms.cc: an A/A study has no server"
    else:
        change(study_file, old, new)
    assert any(text.startswith(expected) for text in said(check(study_file), "error")), said(
        check(study_file), "error"
    )
    with pytest.raises(StudyError):
        register(study_file)


def test_a_study_with_fewer_tasks_needs_weights_for_them(study_file: Path) -> None:
    text = study_file.read_text()
    start, end = text.index("[tasks.T2]"), text.index("[repeats]")
    study_file.write_text(text[:start] + "[repeats]\nT1 = 3\n" + text[text.index("[judging]") :])
    assert end > start
    found = said(check(study_file), "error")
    assert [item.split(":")[0] for item in found] == [
        "weights.systems_knowledge",
        "weights.communication",
        "weights.control",
    ]
    weights = "accuracy = 1\ncode_quality = 0\nsystems_knowledge = 0\ncommunication = 0\ncontrol = 0\n"
    change(study_file, "[repeats]", f"[weights]\n{weights}[repeats]")
    assert said(check(study_file), "error") == []


def test_what_is_to_be_hidden_must_be_named(study_file: Path) -> None:
    study_file.write_text('hidden = ["t2/promt.md", "t2/prompt.md"]\n' + study_file.read_text())
    assert said(check(study_file), "error") == [
        "hidden: t2/promt.md is named nowhere else, so it hides nothing"
    ]


def test_one_family_of_judges_is_what_the_rule_book_forbids(study_file: Path) -> None:
    change(study_file, 'family = "beta"', 'family = "Alpha"')
    assert any("two model families" in text for text in said(check(study_file), "warning"))
    rule_book(study_file)
    assert any("two model families" in text for text in said(check(study_file), "error"))


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("[analysis]\nlambda = 0.4", "analysis.lambda: is 0.4, the rule book has 0.5"),
        ("[analysis]\ncap = 1.0", "analysis.cap: is 1.0, the rule book has none"),
        ('[analysis]\nestimator = "ratio_of_means"', "analysis.estimator: is ratio_of_means"),
        ("[analysis]\nvalidity_threshold = 0.5", "analysis.validity_threshold: is 0.5"),
        ("[weights]\naccuracy = 0.2\ncode_quality = 0.3", "weights.accuracy: is 0.2, the rule book has 0.3"),
    ],
)
def test_the_preset_holds_to_the_rule_books_figures(study_file: Path, table: str, expected: str) -> None:
    change(study_file, "[repeats]", f"{table}\n[repeats]")
    assert said(check(study_file), "error") == []
    rule_book(study_file)
    assert any(text.startswith(expected) for text in said(check(study_file), "error"))


def test_few_pairs_are_noted_with_what_they_can_show(study_file: Path) -> None:
    change(study_file, "T1 = 3\n", "T1 = 6\n")
    change(study_file, "T2 = 3\n", "T2 = 9\n")
    notes = said(check(study_file), "note")
    assert "repeats.T1: with 6 pairs a signed-rank test can reach .05 before Holm, not after" in notes
    assert "repeats.T4: with 3 pairs a signed-rank test can reach .05 neither before Holm nor after" in notes
    assert not any(text.startswith("repeats.T2") for text in notes)


def test_a_text_that_was_left_to_write_stops_the_registration(study_file: Path) -> None:
    (study_file.parent / "t1" / "prompt.md").write_text("TO WRITE: all of it\n")
    with pytest.raises(StudyError, match=r"t1/prompt\.md still says"):
        register(study_file)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository of one commit with three Python files and a text."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for name in ("a.py", "b.py", "deep/c.py", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x\n")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *command], cwd=folder, env=environment, check=True, capture_output=True)
    return folder


def test_the_pinned_tree_is_counted_not_the_working_tree(study_file: Path, clone: Path) -> None:
    (clone / "later.py").write_text("x\n")
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True, check=True)
    change(study_file, "0123456789abcdef0123456789abcdef01234567", done.stdout.strip())
    warnings = said(check(study_file, clone), "warning")
    assert warnings == ["repository: has 3 source files, the rule book asks for 2,000 to 5,000"]
    rule_book(study_file)
    assert said(check(study_file, clone), "error") == warnings


def test_a_clone_that_lacks_the_commit_is_an_error(study_file: Path, clone: Path) -> None:
    assert any("does not hold 0123456789" in text for text in said(check(study_file, clone), "error"))


def test_reference_solutions_are_run_by_whoever_can(study_file: Path, clone: Path) -> None:
    from collections.abc import Iterable

    from contextbenchmark.study.demands import Finding
    from contextbenchmark.study.design import Design

    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True, check=True)
    change(study_file, "0123456789abcdef0123456789abcdef01234567", done.stdout.strip())

    def solutions(design: Design, folder: Path, clone: Path) -> Iterable[Finding]:
        yield Finding(
            severity="error", place="tasks.T1.reference", problem=f"{design.name} fails in {folder.name}"
        )

    checked = check(study_file, clone, solutions)
    assert (
        said(checked, "error") == ["tasks.T1.reference: small fails in study"] and checked.not_checked == ()
    )
