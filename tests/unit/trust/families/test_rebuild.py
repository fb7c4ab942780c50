"""RI on planted artifacts."""

from __future__ import annotations

import pytest

from contextbenchmark.trust.families.rebuild import measure_rebuild
from contextbenchmark.trust.observation import Failure
from tests.unit.trust.families.planted_rows import artifact, build_row, builds_of


def test_equal_folders_are_one_hash_with_the_bound_of_two_comparisons() -> None:
    family = measure_rebuild(builds_of(*[{"a": b"1"}] * 3), artifact_file_suffices=None, requested=True)
    assert (family.status, family.identity, family.distinct_hashes, family.builds) == (
        "ok",
        "directory",
        1,
        3,
    )
    assert family.rate is not None
    assert (family.rate.flips, family.rate.n) == (0, 2)
    assert family.rate.upper95 == pytest.approx(0.776, abs=0.001)
    assert family.differing_files_total == 0


def test_the_colliding_trees_of_the_specification_are_two() -> None:
    builds = builds_of({"a.md": b"x\0b.md\0y"}, {"a.md": b"x", "b.md": b"y"})
    family = measure_rebuild(builds, artifact_file_suffices=None, requested=True)
    assert len(set(family.hashes)) == 1  # the tree hash cannot tell them apart
    assert family.distinct_hashes == 2
    assert family.rate is not None
    assert family.rate.flips == 1
    assert "tree digest" in family.reason


def test_which_files_differ() -> None:
    builds = builds_of(
        {"a": b"1", "same": b"s"}, {"a": b"2", "same": b"s"}, {"a": b"1", "same": b"s", "new": b"n"}
    )
    family = measure_rebuild(builds, artifact_file_suffices=None, requested=True)
    assert family.distinct_hashes == 3
    assert [file.path for file in family.differing_files] == ["a", "new"]
    assert family.differing_files[1].hashes[:2] == (None, None)


def test_the_list_of_differing_files_is_capped_and_its_total_kept() -> None:
    builds = builds_of(*({f"f{i:03}": b"%d" % n for i in range(50)} for n in range(2)))
    family = measure_rebuild(builds, artifact_file_suffices=None, requested=True)
    assert (len(family.differing_files), family.differing_files_total) == (20, 50)


@pytest.mark.parametrize(
    "folder", [{}, {"index.bin": b""}, {"a": b"", "b": b""}], ids=["none", "empty", "two"]
)
def test_no_bytes_are_no_artifact(folder: dict[str, bytes]) -> None:
    family = measure_rebuild(builds_of(folder, folder), artifact_file_suffices=None, requested=True)
    assert (family.status, family.identity, family.rate) == ("absent", "absent", None)
    assert (family.distinct_hashes, family.hashes) == (0, ())


def test_an_artifact_missing_in_one_build_differs() -> None:
    family = measure_rebuild(builds_of({"a": b"1"}, {}), artifact_file_suffices=None, requested=True)
    assert (family.status, family.identity, family.distinct_hashes) == ("ok", "directory", 2)


class TestDeclaredFile:
    folders = ({"index.bin": b"i", "log": b"1"}, {"index.bin": b"i", "log": b"2"})

    def test_counts_alone_where_it_suffices(self) -> None:
        builds = builds_of(*self.folders, declared="index.bin")
        family = measure_rebuild(builds, artifact_file_suffices=True, requested=True)
        assert (family.identity, family.distinct_hashes) == ("file", 1)
        assert family.hashes == (artifact({"index.bin": b"i"}).files[0].sha256,) * 2
        assert family.differing_files_total == 1

    @pytest.mark.parametrize("suffices", [False, None])
    def test_is_the_directory_where_that_is_not_shown(self, suffices: bool | None) -> None:
        builds = builds_of(*self.folders, declared="index.bin")
        family = measure_rebuild(builds, artifact_file_suffices=suffices, requested=True)
        assert (family.identity, family.distinct_hashes) == ("directory", 2)
        assert "index.bin" in family.reason

    def test_is_the_directory_where_the_file_is_missing(self) -> None:
        builds = builds_of(*self.folders, declared="other.bin")
        family = measure_rebuild(builds, artifact_file_suffices=True, requested=True)
        assert family.identity == "directory"
        assert "missing" in family.reason

    def test_an_empty_file_that_suffices_is_an_artifact_kept_elsewhere(self) -> None:
        builds = builds_of(
            {"index.bin": b"", "log": b"1"}, {"index.bin": b"", "log": b"1"}, declared="index.bin"
        )
        assert measure_rebuild(builds, artifact_file_suffices=True, requested=True).identity == "absent"


def test_a_failed_build_is_an_error() -> None:
    failure = Failure(phase="build", kind="raised", message="It broke.")
    builds = [*builds_of({"a": b"1"}), build_row(1, None, failure=failure)]
    family = measure_rebuild(builds, artifact_file_suffices=None, requested=True)
    assert family.status == "error"
    assert "1 of 2" in family.reason


def test_one_build_or_none_or_not_asked_for() -> None:
    one = measure_rebuild(builds_of({"a": b"1"}), artifact_file_suffices=None, requested=True)
    none = measure_rebuild([], artifact_file_suffices=None, requested=True)
    unasked = measure_rebuild(
        builds_of({"a": b"1"}, {"a": b"1"}), artifact_file_suffices=None, requested=False
    )
    assert (one.status, one.rate, one.identity) == ("absent", None, "directory")
    assert none.status == "absent"
    assert (unasked.status, unasked.rate, len(unasked.hashes)) == ("not-requested", None, 2)
