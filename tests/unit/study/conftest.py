"""A whole small study in a folder, ready to be registered."""

from __future__ import annotations

from pathlib import Path

import pytest

STUDY = """
schema = "contextbenchmark.study/1"
name = "small"
question = "Does the server help?"

[repository]
purl = "pkg:github/example/code"
commit = "0123456789abcdef0123456789abcdef01234567"
extensions = [".py"]

[agent]
driver = "scripted"
family = "none"
model = "replay"
allow = ["Read", "Edit"]

[arms.cc]
name = "search"
server = ["search-server", "--index", "{index}"]
rule = "rule.md"
tools = ["mcp__search__find"]

[tasks.T1]
prompt = "t1/prompt.md"
hidden_tests = "t1/hidden"
test_command = ["pytest", "--junitxml={report}"]
reference = "t1/reference.patch"

[tasks.T2]
prompt = "t2/prompt.md"
answer_key = "t2/key.toml"
rubric = "t2/rubric.md"

[tasks.T3]
prompt = "t3/prompt.md"
rubric = "t3/rubric.md"

[tasks.T4]
prompt = "t1/prompt.md"
change = "t4/change.md"
hidden_tests = "t4/hidden"
reference = "t4/reference.patch"

[repeats]
T1 = 3
T2 = 3
T3 = 3
T4 = 3

[judging]
code_quality = "judges/quality.md"
communication = "judges/update.md"
answers = "judges/answers.md"

[[judging.judges]]
name = "a"
family = "alpha"
model = "alpha-1"
endpoint = "https://alpha.example/v1"
key = "ALPHA_KEY"

[[judging.judges]]
name = "b"
family = "beta"
model = "beta-1"
endpoint = "https://beta.example/v1"
"""


def patch(*paths: str) -> str:
    return "".join(
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n"
        for path in paths
    )


TOUCHED = ("a/one.py", "a/two.py", "b/one.py", "b/two.py", "c/one.py", "c/two.py")
FILES = {
    "rule.md": "Use search before you read.\n",
    "t1/prompt.md": "Build the feature. Answer in `text` with ```fences```.\n",
    "t1/hidden/test_feature.py": "def test_feature():\n    assert secret_of_t1\n",
    "t1/hidden/deep/test_more.py": "def test_more():\n    pass\n",
    "t1/reference.patch": patch(*TOUCHED),
    "t2/prompt.md": "1. What breaks?\n",
    "t2/key.toml": '[[question]]\nid = "1"\nfiles = ["a/one.py", "b/one.py", "c/one.py"]\nanswer = ["secret"]\n',
    "t2/rubric.md": "0, 0.5 or 1.\n",
    "t3/prompt.md": "Write to the manager.\n",
    "t3/rubric.md": "Clarity, risk, timeline.\n",
    "t4/change.md": "Now do it otherwise.\n",
    "t4/hidden/test_change.py": "def test_change():\n    pass\n",
    "t4/reference.patch": patch(*TOUCHED),
    "judges/quality.md": "Which is better?\n",
    "judges/update.md": "Which is clearer?\n",
    "judges/answers.md": "Grade by the rubric.\n",
}


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    """The path of ``study.toml`` of a study with tasks T1 to T4, all of its files beside it."""
    folder = tmp_path / "study"
    for name, content in {**FILES, "study.toml": STUDY}.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode())
    return folder / "study.toml"
