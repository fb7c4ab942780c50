"""The verdicts of comparing fingerprints. The matrix is the rule book's; what ours adds is marked so."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextbenchmark.errors import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_NOT_COMPARABLE, EXIT_PASS
from contextbenchmark.trust.compare import Pair, compare, compare_pair
from contextbenchmark.trust.fingerprint import Fingerprint, ReadFingerprint
from contextbenchmark.trust.fingerprint_reader import read_fingerprint
from contextbenchmark.trust.observation import EMPTY_LIST_HASH

REFERENCE = Path(__file__).parents[2] / "reference"

# A seed file of format 2 with every controlled variable known.
KNOWN: dict[str, Any] = {
    "contextbenchmarkFingerprint": 2,
    "benchmarkVersion": "0.1.0",
    "adapter": "bm25",
    "system": {"id": "sha256:1234", "source": "content-hash"},
    "corpus": {"name": "micro-app", "hash": "1" * 64},
    "k": 10,
    "env": {"os": "win32 10.0", "arch": "x64", "node": "v20"},
    "artifactHash": "a" * 64,
    "queryHashes": {f"query {n}": f"{n:064x}" for n in range(1, 6)},
}
# One of ours, in full.
OURS: dict[str, Any] = {
    **KNOWN,
    "corpus": {"name": "micro-app", "hash": "1" * 64, "treeDigest": "2" * 64, "files": 12},
    "env": {"os": "linux 6.1", "arch": "x64", "python": "CPython 3.12.1", "cpu": "Intel Xeon", "libc": "glibc 2.36",
            "locale": "C.UTF-8"},
    "methodVersion": "1",
    "adapterSource": "sha256:5678",
    "distributions": ["numpy 2.0"],
    "evidence": {
        "status": "ok", "level": "CTL-3", "reasons": [], "builds": 3, "passes": 15, "distinctArtifacts": 1, "emr": 1.0,
        "queries": 5, "answered": 5, "distinctLists": 5, "artifactIdentity": "directory",
    },
}  # fmt: skip
ELSEWHERE = {
    "os": "darwin 23.1",
    "arch": "arm64",
    "python": "CPython 3.12.1",
    "cpu": "Apple M2",
    "libc": "libSystem 14",
    "locale": "de_DE.UTF-8",
}


def read(content: dict[str, Any], path: str = "a.json", *, altered: bool = False) -> ReadFingerprint:
    return ReadFingerprint(path=path, fingerprint=Fingerprint.model_validate(content), altered=altered)


def pair(first: dict[str, Any], second: dict[str, Any]) -> Pair:
    return compare_pair(read(first, "a.json"), read(second, "b.json"))


def other_results(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "queryHashes": {**content["queryHashes"], "query 1": "f" * 64}}


UNKNOWN: dict[str, dict[str, Any]] = {
    "system": {"system": None},
    "corpus hash": {"corpus": {"name": "micro-app", "hash": None}},
    "benchmark version": {"benchmarkVersion": None},
    "k (ours)": {"k": None},
}
DIFFERENT: dict[str, dict[str, Any]] = {
    "adapter": {"adapter": "tantivy"},
    "corpus name": {"corpus": {"name": "django", "hash": "1" * 64}},
    "corpus hash": {"corpus": {"name": "micro-app", "hash": "3" * 64}},
    "benchmark version": {"benchmarkVersion": "0.2.0"},
    "system identity": {"system": {"id": "sha256:9999", "source": "content-hash"}},
    "k (ours)": {"k": 5},
}


def test_identical_with_all_known_is_a_pass() -> None:
    found = pair(KNOWN, KNOWN)
    assert (found.outcome, found.verdict) == ("PASS", "PASS")
    assert (found.query_matches, found.query_total) == (5, 5)


@pytest.mark.parametrize("what", UNKNOWN)
def test_identical_with_an_unknown_is_unverified(what: str) -> None:
    found = pair(KNOWN, {**KNOWN, **UNKNOWN[what]})
    assert (found.outcome, found.verdict) == ("PASS", "PASS (UNVERIFIED)")


@pytest.mark.parametrize("what", UNKNOWN)
def test_different_with_an_unknown_is_inconclusive(what: str) -> None:
    found = pair(KNOWN, other_results({**KNOWN, **UNKNOWN[what]}))
    assert found.outcome == "INCONCLUSIVE" and found.unknowns


@pytest.mark.parametrize("what", DIFFERENT)
@pytest.mark.parametrize("same", [True, False])
def test_a_controlled_variable_that_differs_blocks(what: str, same: bool) -> None:
    other = {**KNOWN, **DIFFERENT[what]}
    found = pair(KNOWN, other if same else other_results(other))
    assert found.outcome == "NOT COMPARABLE"
    assert what.removesuffix(" (ours)") in found.blockers[0]


def test_different_with_all_known_fails() -> None:
    found = pair(KNOWN, other_results(KNOWN))
    assert (found.outcome, found.differing_queries) == ("FAIL", ("query 1",))
    assert found.query_matches == 4


def test_a_different_artifact_with_equal_results_fails_and_says_so() -> None:
    found = pair(KNOWN, {**KNOWN, "artifactHash": "b" * 64})
    assert (found.outcome, found.verdict) == ("FAIL", "FAIL (artifact only)")


def test_a_declared_identity_alone_proves_nothing() -> None:
    """Ours: a name and version say nothing about the bytes that ran; sources and packages do."""
    declared = {"system": {"id": "x 1.0", "source": "declared"}}
    assert pair({**KNOWN, **declared}, other_results({**KNOWN, **declared})).outcome == "INCONCLUSIVE"
    found = pair({**KNOWN, **declared}, other_results({**KNOWN, **declared}))
    assert any("declared only" in unknown for unknown in found.unknowns)
    assert pair({**KNOWN, **declared}, {**KNOWN, **declared}).verdict == "PASS", (
        "nothing differs, so nothing is asked"
    )
    assert pair({**OURS, **declared}, other_results({**OURS, **declared})).outcome == "FAIL"


def test_a_source_nobody_knows_is_no_proof() -> None:
    for system in ("x 1.0", {"id": "x 1.0", "source": "trust-me"}, {"id": "x 1.0", "source": None}):
        content = {**KNOWN, "system": system}
        assert pair(content, other_results(content)).outcome == "INCONCLUSIVE"


def test_format_1_against_format_2_is_unverified() -> None:
    old = {**KNOWN, "contextbenchmarkFingerprint": 1, "corpus": "micro-app"}
    del old["system"], old["benchmarkVersion"], old["k"]
    assert pair(KNOWN, old).verdict == "PASS (UNVERIFIED)"
    assert pair(KNOWN, other_results(old)).outcome == "INCONCLUSIVE"


def test_queries_on_one_side_only_are_not_comparable() -> None:
    """Ours: the Node tool reads the first file's queries only, so ``{}`` against anything passes."""
    fewer = {**KNOWN, "queryHashes": {"query 1": KNOWN["queryHashes"]["query 1"]}}
    for first, second in ((KNOWN, fewer), (fewer, KNOWN), ({**KNOWN, "queryHashes": {}}, KNOWN)):
        assert pair(first, second).outcome == "NOT COMPARABLE"
    assert "4 only in the first" in pair(KNOWN, fewer).blockers[0]
    empty = {**KNOWN, "queryHashes": {}}
    found = pair(empty, empty)
    assert found.verdict == "NOT COMPARABLE (vacuous)" and "vacuous: it has no queries" in found.blockers[0]


@pytest.mark.parametrize(
    ("hashes", "why"),
    [
        ([EMPTY_LIST_HASH] * 5, "every query returned nothing"),
        ([EMPTY_LIST_HASH] * 2 + [f"{n:064x}" for n in range(3)], "only 3 of 5"),
        (["b" * 64] * 5, "1 distinct list"),
        (["b" * 64, "c" * 64] * 3, "2 distinct lists"),
        (["b" * 64], "one query"),
    ],
)
def test_vacuous_results_are_never_a_pass(hashes: list[str], why: str) -> None:
    content = {**KNOWN, "queryHashes": {f"query {n}": value for n, value in enumerate(hashes)}}
    found = pair(content, content)
    assert (found.outcome, found.verdict) == ("NOT COMPARABLE", "NOT COMPARABLE (vacuous)")
    assert why in found.blockers[0] and "vacuous" in found.blockers[0]


def test_two_queries_need_two_lists() -> None:
    content = {**KNOWN, "queryHashes": {"one": "b" * 64, "two": "c" * 64}}
    assert pair(content, content).outcome == "PASS"


def test_colliding_trees_are_told_apart_by_the_tree_digest() -> None:
    """Ours: ``{a.md: "x\\0b.md\\0y"}`` and ``{a.md: "x", b.md: "y"}`` have one tree hash and two digests."""
    other = {**OURS, "corpus": {**OURS["corpus"], "treeDigest": "4" * 64}}
    found = pair(OURS, other)
    assert found.outcome == "NOT COMPARABLE" and "tree digest" in found.blockers[0]


def test_the_tree_digest_decides_over_names_but_not_against_the_tree_hash() -> None:
    renamed = {**OURS, "corpus": {**OURS["corpus"], "name": "shop"}}
    assert pair(OURS, renamed).outcome == "PASS"
    other = {**OURS, "corpus": {**OURS["corpus"], "hash": "5" * 64}}
    assert pair(OURS, other).outcome == "NOT COMPARABLE"


def test_names_the_artifact_files_that_differ() -> None:
    def files(total: int, **hashes: str) -> dict[str, Any]:
        listed = [{"path": f"{name}.bin", "size": 1, "sha256": value * 64} for name, value in hashes.items()]
        return {"artifactFiles": listed, "artifactFilesTotal": total}

    first = {**OURS, **files(2, a="1", b="2")}
    second = {**OURS, "artifactHash": "b" * 64, **files(2, b="3", c="4")}
    assert pair(first, second).differing_files == ("a.bin", "b.bin", "c.bin")
    assert pair(first, {**first, **files(2, b="3", c="4")}).differing_files == ()
    # Heads of longer lists: a.bin may well be in the other artifact, behind the head.
    cut = {**second, "artifactFilesTotal": 3000}
    assert pair(first, cut).differing_files == pair(cut, first).differing_files == ("b.bin",)


def test_a_release_does_not_orphan_files_of_the_same_method() -> None:
    assert pair(OURS, {**OURS, "benchmarkVersion": "9.9"}).outcome == "PASS"
    assert pair(OURS, {**OURS, "methodVersion": "2"}).outcome == "NOT COMPARABLE"


def test_another_adapter_source_blocks_and_other_packages_cannot_be_attributed() -> None:
    assert pair(OURS, {**OURS, "adapterSource": "sha256:0"}).outcome == "NOT COMPARABLE"
    other = {**OURS, "distributions": ["numpy 2.1"]}
    assert pair(OURS, other).verdict == "PASS (UNVERIFIED)"
    assert pair(OURS, other_results(other)).outcome == "INCONCLUSIVE"


def test_an_altered_file_is_not_comparable() -> None:
    found = compare_pair(read(OURS), read(OURS, "b.json", altered=True))
    assert found.outcome == "NOT COMPARABLE" and "changed after it was written" in found.blockers[0]


class TestWorthForCtl4:
    def test_another_machine_is_eligible_and_no_more(self) -> None:
        found = pair(OURS, {**OURS, "env": ELSEWHERE})
        assert found.verdict == "PASS, CTL-4-eligible (unattested)" and found.ctl4_eligible

    def test_the_same_machine_is_no_evidence(self) -> None:
        found = pair(OURS, OURS)
        assert not found.ctl4_eligible and found.verdict == "PASS" and "No evidence" in found.ctl4

    def test_another_release_of_the_same_system_is_no_evidence(self) -> None:
        assert not pair(OURS, {**OURS, "env": {**OURS["env"], "os": "linux 6.9"}}).ctl4_eligible

    def test_one_machine_relabelled(self) -> None:
        found = pair(OURS, {**OURS, "env": {**OURS["env"], "os": "freebsd 14", "libc": OURS["env"]["libc"]}})
        assert not found.ctl4_eligible and found.outcome == "PASS"
        bare = {**OURS["env"], "libc": "unknown"}
        found = pair({**OURS, "env": bare}, {**OURS, "env": {**bare, "os": "win32 10"}})
        assert not found.ctl4_eligible and "under two names" in found.ctl4

    @pytest.mark.parametrize(
        "env",
        [
            {**OURS["env"], "os": "win32 10"},
            {**OURS["env"], "os": "darwin 23"},
            {**ELSEWHERE, "cpu": "Intel Xeon"},
            {**ELSEWHERE, "arch": "x64"},
            {**ELSEWHERE, "libc": "glibc 2.36"},
        ],
    )
    def test_an_env_that_contradicts_itself(self, env: dict[str, Any]) -> None:
        found = pair(OURS, {**OURS, "env": env})
        assert found.outcome == "PASS" and not found.ctl4_eligible

    @pytest.mark.parametrize(
        ("os", "arch"),
        [("", "x64"), ("linuх 6.1", "x64"), ("templeos", "x64"), ("linux", "x65"), ("linux", "")],
    )
    def test_a_system_that_does_not_exist(self, os: str, arch: str) -> None:
        found = pair(KNOWN, {**KNOWN, "env": {"os": os, "arch": arch}})
        assert found.outcome == "PASS" and not found.ctl4_eligible

    @pytest.mark.parametrize("level", ["CTL-0", "CTL-2", None])
    def test_evidence_below_ctl_3(self, level: str | None) -> None:
        weak = {**OURS, "env": ELSEWHERE, "evidence": {**OURS["evidence"], "level": level}}
        assert not pair(OURS, weak).ctl4_eligible
        assert not pair(weak, OURS).ctl4_eligible

    @pytest.mark.parametrize(
        "claim",
        [
            {"status": "vacuous"},
            {"builds": 1},
            {"passes": 5},
            {"distinctArtifacts": 2},
            {"artifactIdentity": "absent"},
            {"emr": 0.9},
            {"emr": None},
            {"queries": 6},
        ],
        ids=str,
    )
    def test_evidence_that_does_not_support_its_level(self, claim: dict[str, Any]) -> None:
        boast = {**OURS, "env": ELSEWHERE, "evidence": {**OURS["evidence"], **claim}}
        for found in (pair(OURS, boast), pair(boast, OURS)):
            assert not found.ctl4_eligible and "CTL-4-eligible" not in found.verdict

    def test_an_artifact_that_holds_nothing(self) -> None:
        nothing = {**KNOWN, "artifactHash": hashlib.sha256(b"").hexdigest()}
        found = pair(nothing, {**nothing, "env": ELSEWHERE})
        assert found.outcome == "PASS" and not found.ctl4_eligible

    def test_one_release_of_two_systems(self) -> None:
        """Only the system's name was edited, in a file without any of our keys."""
        found = pair(KNOWN, {**KNOWN, "env": {**KNOWN["env"], "os": "linux 10.0"}})
        assert found.outcome == "PASS" and not found.ctl4_eligible and "under two names" in found.ctl4
        apple = {**KNOWN, "env": {"os": "darwin 23.1.0", "arch": "x64"}}
        assert pair(apple, {**KNOWN, "env": {"os": "darwin 23.1.0", "arch": "arm64"}}).ctl4_eligible

    def test_only_a_pass_counts(self) -> None:
        found = pair(OURS, other_results({**OURS, "env": ELSEWHERE}))
        assert found.outcome == "FAIL" and not found.ctl4_eligible


class TestReferenceFiles:
    def test_bm25_with_itself(self) -> None:
        path = REFERENCE / "bm25.micro-app.win32-x64.fingerprint.json"
        found = compare([read_fingerprint(path)] * 2)
        assert (found.outcome, found.exit_code) == ("PASS", EXIT_PASS)
        assert found.pairs[0].verdict == "PASS" and "No evidence for CTL-4" in found.pairs[0].ctl4

    def test_spiderbrain_is_vacuous(self) -> None:
        path = REFERENCE / "spiderbrain.micro-app.win32-x64.fingerprint.json"
        found = compare([read_fingerprint(path)] * 2)
        assert (found.pairs[0].verdict, found.exit_code) == ("NOT COMPARABLE (vacuous)", EXIT_NOT_COMPARABLE)

    def test_bm25_against_a_copy_from_linux(self, tmp_path: Path) -> None:
        path = REFERENCE / "bm25.micro-app.win32-x64.fingerprint.json"
        content = json.loads(path.read_text())
        content["env"]["os"] = "linux 6.1.0"
        copy = tmp_path / "copy.fingerprint.json"
        copy.write_text(json.dumps(content))
        found = compare([read_fingerprint(path), read_fingerprint(copy)])
        assert found.pairs[0].verdict == "PASS, CTL-4-eligible (unattested)"


def test_the_worst_pair_decides() -> None:
    fail, unknown = other_results(KNOWN), other_results({**KNOWN, "system": None})
    blocked = {**KNOWN, "k": 5}
    assert compare([read(KNOWN), read(KNOWN), read(fail)]).exit_code == EXIT_FAIL
    assert compare([read(KNOWN), read(unknown), read(blocked)]).exit_code == EXIT_INCONCLUSIVE
    assert compare([read(KNOWN), read(KNOWN), read(blocked)]).exit_code == EXIT_NOT_COMPARABLE
    assert compare([read(KNOWN), read(KNOWN), read(KNOWN)]).exit_code == EXIT_PASS
    assert len(compare([read(KNOWN)] * 4).pairs) == 6


CONTROLLED = st.sampled_from(
    [("adapter",), ("corpus", "treeDigest"), ("k",), ("methodVersion",), ("system", "id"), ("adapterSource",)]
)
ALL_KEYS = st.sampled_from(
    ["adapter", "system", "corpus", "k", "env", "artifactHash", "queryHashes", "methodVersion", "adapterSource",
     "distributions", "evidence", "benchmarkVersion"]
)  # fmt: skip


@given(
    place=CONTROLLED,
    text=st.text(min_size=1),
    number=st.integers(1, 10**9),
    digest=st.integers(0, 16**64 - 1),
)
@settings(max_examples=100, deadline=None)
def test_no_difference_in_a_controlled_variable_passes(
    place: tuple[str, ...], text: str, number: int, digest: int
) -> None:
    other = json.loads(json.dumps(OURS))
    holder = other[place[0]] if len(place) > 1 else other
    before = holder[place[-1]]
    holder[place[-1]] = {"k": number, "treeDigest": f"{digest:064x}"}.get(place[-1], text)
    if holder[place[-1]] != before:
        for found in (pair(OURS, other), pair(other, OURS)):
            assert found.outcome == "NOT COMPARABLE", found


@given(keys=st.sets(ALL_KEYS, max_size=4), more=st.sets(ALL_KEYS, max_size=3), other=st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_order_of_the_files_never_matters_and_results_that_differ_never_pass(
    keys: set[str], more: set[str], other: bool
) -> None:
    """Keys are taken from another file of the same shape, or left out where a format allows that."""
    foreign = {**KNOWN, **DIFFERENT["adapter"], "env": ELSEWHERE, "artifactHash": "9" * 64, "evidence": None,
               "methodVersion": "7", "adapterSource": "s", "distributions": ["a 1"]}  # fmt: skip
    first = {**OURS, **{key: foreign[key] for key in keys}}
    second = other_results(OURS) if other else dict(OURS)
    for key in more & {"system", "k", "methodVersion", "adapterSource", "distributions", "evidence"}:
        second[key] = None
    there, back = pair(first, second), pair(second, first)
    assert (there.outcome, there.ctl4_eligible) == (back.outcome, back.ctl4_eligible)
    if other and "queryHashes" not in keys:
        assert there.outcome != "PASS"
    if "artifactHash" in keys:
        assert there.outcome != "PASS"
