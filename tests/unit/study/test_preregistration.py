"""The text for people says what was registered, and nothing in it can pass for something else."""

from __future__ import annotations

from pathlib import Path

from contextbenchmark.study.register import register

RULE_BOOK_WEIGHTS = {
    "accuracy": "0.3",
    "code quality": "0.2",
    "systems knowledge": "0.15",
    "stakeholder communication": "0.1",
    "control": "0.25",
    "cost: wall time": "0.5",
    "cost: tokens": "0.5",
}


def table(text: str, heading: str) -> list[list[str]]:
    """The rows of the first table under a heading, cell by cell, its head left out."""
    part = text.split(f"## {heading}", 1)[1]
    rows = [line for line in part.split("\n\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.replace("\\|", "\0").strip("|").split("|")] for row in rows[2:]]


def test_the_formula_is_the_rule_books(study_file: Path) -> None:
    text = register(study_file).text.read_text()
    assert {row[0]: row[2] for row in table(text, "Formula")} == RULE_BOOK_WEIGHTS
    assert "lambda = 0.5" in text and "0.1 x cache reads" in text
    assert "fewer than 80 % of cc sessions" in text and "10,000 times" in text


def test_each_task_has_its_weight_and_repeats(study_file: Path) -> None:
    tasks = {row[0]: (row[2], row[3]) for row in table(register(study_file).text.read_text(), "Tasks")}
    assert tasks == {"T1": ("3", "0.5"), "T2": ("3", "0.15"), "T3": ("3", "0.1"), "T4": ("3", "0.25")}


def test_what_only_cc_has_stands_in_its_column(study_file: Path) -> None:
    arms = {row[0]: row[1:] for row in table(register(study_file).text.read_text(), "Arms")}
    assert arms["Context server"] == ["none", "search: `search-server --index '{index}'`"]
    assert arms["Allowed"] == ["`Read`, `Edit`", "`Read`, `Edit`, `mcp__search__find`"]
    assert arms["Workspace"][0].endswith("at `0123456789abcdef0123456789abcdef01234567`")


def test_texts_stand_verbatim_inside_a_fence_that_they_cannot_close(study_file: Path) -> None:
    text = register(study_file).text.read_text()
    prompt = (study_file.parent / "t1" / "prompt.md").read_text()
    assert f"````text\n{prompt.rstrip()}\n````\n" in text


def test_no_cell_breaks_a_table_or_acts_on_a_terminal(study_file: Path) -> None:
    text = study_file.read_text()
    text = text.replace('"Does the server help?"', '"# Verdict: <b>KEEP</b>\\n\\u001b[2J\\n## Versions"')
    study_file.write_text(text.replace('model = "replay"', 'model = "a|b\\nc"'))
    made = register(study_file, reason="one | two\n\n## Versions\n| 9 |")
    out = made.text.read_text()
    assert "\x1b" not in out and out.count("\n## Versions") == 1 and "\n# Verdict" not in out
    assert "<b>" not in out.split("## Texts")[0]
    assert len(table(out, "Versions")) == 1
    assert table(out, "Arms")[1][1] == "a\0b c (none)"


def test_the_digest_stands_in_the_headline_and_every_file_in_the_table(study_file: Path) -> None:
    made = register(study_file)
    out = made.text.read_text()
    assert made.version.sha256 in out.split("## Versions")[0]
    files = {row[0].strip("`"): row for row in table(out, "Files")}
    assert set(files) == {file.path for file in made.version.registration.files}
    assert files["t2/key.toml"][2] == "yes" and files["t2/prompt.md"][2] == ""


def test_an_a_a_study_and_a_placebo_say_so(study_file: Path) -> None:
    text = study_file.read_text()
    study_file.write_text('kind = "placebo"\n' + text)
    assert "whose answers are empty" in register(study_file).text.read_text()
    without = text.replace('server = ["search-server", "--index", "{index}"]\nrule = "rule.md"\n', "")
    study_file.write_text('kind = "a-a"\n' + without)
    assert "every difference is noise" in register(study_file, reason="Noise first.").text.read_text()
