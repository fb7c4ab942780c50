"""Names from data lead nowhere and do nothing to a screen."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.core.names import MAX_NAME, fingerprint_name, printable, safe_name

ANY_TEXT = st.text(alphabet=st.characters())


@pytest.mark.parametrize("name", ["bm25", "tantivy@0.27.0", "emb-minilm", "a_b.c", "Docs", "x" * MAX_NAME])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../../x", "a/b", "a\\b", ".hidden", "nul", "COM1.txt", "a\0b", "x" * 81, "é", "a."],
)
def test_any_other_name_is_changed_and_says_so(name: str) -> None:
    assert safe_name(name) != name
    assert re.search(r"-[0-9a-f]{8}\Z", safe_name(name))


@given(ANY_TEXT)
def test_a_safe_name_is_one_plain_part_of_a_path(text: str) -> None:
    name = safe_name(text)
    assert re.fullmatch(r"[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,79}", name)
    assert Path(name).name == name and not name.endswith(".")
    assert name.partition(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt9")


@given(st.lists(ANY_TEXT, unique=True, max_size=20))
def test_two_names_do_not_meet(texts: list[str]) -> None:
    assert len({safe_name(text) for text in texts}) == len(texts)


@given(ANY_TEXT)
def test_a_changed_name_never_meets_a_text_that_stays(text: str) -> None:
    changed = safe_name(text)
    if changed != text:
        assert safe_name(changed) != changed


def test_a_fingerprint_is_named_as_in_the_published_files() -> None:
    name = fingerprint_name("bm25", "micro-app", "win32 10.0.19045", "x64")
    assert name == "bm25.micro-app.win32-x64.fingerprint.json"
    assert "/" not in fingerprint_name("../a", "../../x", "../linux", "/x64")


def test_terminal_escapes_become_visible() -> None:
    assert printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07"
    assert printable("\x9b2Jx\r\n\t") == "\\x9b2Jx\\x0d\\x0a\\x09"
    assert printable("a\u202eb\ud800\u2028") == "a\\u202eb\\ud800\\u2028"
    assert printable("größe 中文 😀 e\u0301") == "größe 中文 😀 e\u0301"


@given(ANY_TEXT)
def test_nothing_printable_is_acted_on(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    shown.encode("utf-8")
