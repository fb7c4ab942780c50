"""When answers say nothing about a retriever."""

from __future__ import annotations

import pytest

from contextbenchmark.trust.families.vacuity import vacuous_reason
from contextbenchmark.trust.observation import EMPTY_LIST_HASH, PassRow


def of(*lists: str) -> PassRow:
    hashes = tuple(EMPTY_LIST_HASH if name == "-" else name for name in lists)
    return PassRow(
        id="s/base-000/pass-000", system="s", cell="base-000", seed=0, copy_kind="pristine", lists=hashes
    )


@pytest.mark.parametrize(
    ("lists", "reason"),
    [
        ("abcdefghij", ""),
        ("abcdefgh--", ""),
        ("abcdefg---", "7 of 10"),
        ("----------", "0 of 10"),
        ("a---------", "1 of 10"),
        ("aaaaaaaaaa", "1 distinct list "),
        ("ababababab", "2 distinct lists"),
        ("abababab--", "2 distinct lists"),
        ("abcccccccc", ""),
        ("ab", ""),
        ("aa", "1 distinct list "),
        ("a-", "1 of 2"),
        ("aab", "2 distinct lists"),
        ("abc", ""),
        ("a", "one query"),
        ("-", "0 of 1"),
        ("", "0 of 0"),
    ],
)
def test_one_pass(lists: str, reason: str) -> None:
    said = vacuous_reason([of(*lists)], len(lists))
    assert reason in said
    assert bool(said) is bool(reason)


def test_the_worst_pass_decides() -> None:
    assert vacuous_reason([of(*"abcde"), of(*"abcde")], 5) == ""
    assert "3 of 5" in vacuous_reason([of(*"abcde"), of(*"abc--")], 5)


def test_a_constant_that_changes_from_pass_to_pass_is_a_constant() -> None:
    assert "1 distinct" in vacuous_reason([of(*"aaaaa"), of(*"bbbbb"), of(*"ccccc")], 5)


def test_no_pass_is_vacuous() -> None:
    assert vacuous_reason([], 10)
