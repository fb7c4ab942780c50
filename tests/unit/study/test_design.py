"""The study file: what is wrong in it is named by its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark.errors import StudyError
from contextbenchmark.study.design_file import named_files, read_design, read_study_name


def test_the_defaults_are_the_rule_books(study_file: Path) -> None:
    design = read_design(study_file)
    weights, plan = design.weights, design.analysis
    quality = (weights.accuracy, weights.code_quality, weights.systems_knowledge, weights.communication)
    assert (*quality, weights.control) == (0.30, 0.20, 0.15, 0.10, 0.25)
    assert (weights.wall, weights.tokens, plan.lambda_, plan.alpha) == (0.5, 0.5, 0.5, 0.05)
    assert (plan.cache_read_weight, plan.validity_threshold, plan.resamples, plan.cap) == (
        0.1,
        0.8,
        10_000,
        None,
    )


def test_tests_keys_and_solutions_are_hidden_prompts_and_rubrics_are_not(study_file: Path) -> None:
    hidden = {file.role: file.hidden for file in named_files(read_design(study_file))}
    assert [role for role, is_hidden in hidden.items() if is_hidden] == [
        "tasks.T1.hidden_tests",
        "tasks.T1.reference",
        "tasks.T2.answer_key",
        "tasks.T4.hidden_tests",
        "tasks.T4.reference",
    ]
    assert {"arms.cc.rule", "tasks.T2.prompt", "tasks.T4.change", "judging.communication"} <= hidden.keys()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "small"', 'nam = "small"', r"nam: is not a key of this table"),
        ('name = "small"', 'name = "../x"', r"name: "),
        ('driver = "scripted"\n', "", r"agent\.driver: is missing"),
        ("T1 = 3", "T1 = -3", r"repeats\.T1"),
        ("T1 = 3", 'T1 = "three"', r"repeats\.T1"),
        ('"t1/prompt.md"', '"../prompt.md"', r"tasks\.T1\.prompt: must be a path inside"),
        ('"t1/prompt.md"', '"/etc/passwd"', r"tasks\.T1\.prompt: must be a path inside"),
        ('"t1/prompt.md"', '"C:/x"', r"tasks\.T1\.prompt: must be a path inside"),
        ("0123456789abcdef0123456789abcdef01234567", "main", r"repository\.commit"),
        ("https://alpha.example/v1", "alpha", r"judging\.judges\[1\]\.endpoint"),
        ("[repeats]", "[analysis]\nlambda = nan\n[repeats]", r"analysis\.lambda"),
        ("[repeats]", "[analysis]\nalpha = 0.5\n[repeats]", r"analysis\.alpha"),
        ("[repeats]", '[analysis]\nestimator = "median"\n[repeats]', r"analysis\.estimator"),
        ("contextbenchmark.study/1", "contextbenchmark.study/2", r"schema"),
        (
            'rule = "rule.md"',
            'environment = {API_KEY = "sk-123"}',
            r"arms\.cc\.environment: API_KEY would be published",
        ),
    ],
)
def test_what_cannot_be_meant_is_named_by_its_place(study_file: Path, old: str, new: str, said: str) -> None:
    text = study_file.read_text()
    assert old in text
    study_file.write_text(text.replace(old, new, 1))
    with pytest.raises(StudyError, match=rf"study\.toml: .*{said}"):
        read_design(study_file)


def test_a_secret_is_taken_from_the_environment(study_file: Path) -> None:
    study_file.write_text(
        study_file.read_text().replace('rule = "rule.md"', 'environment = {API_KEY = "$API_KEY"}')
    )
    assert read_design(study_file).arms.cc.environment == {"API_KEY": "$API_KEY"}


@pytest.mark.parametrize("content", [b"[[", b"\xff", b"a = [" * 5000])
def test_what_is_not_toml_is_said(study_file: Path, content: bytes) -> None:
    study_file.write_bytes(content)
    assert read_study_name(study_file) is None
    with pytest.raises(StudyError, match="is not TOML"):
        read_design(study_file)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert read_study_name(tmp_path / "study.toml") is None
    with pytest.raises(StudyError, match="study init"):
        read_design(tmp_path / "study.toml")
