"""Fingerprint files come from strangers: whatever is in one, reading it gives a fingerprint or a FingerprintError."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextbenchmark.errors import EXIT_MISTAKE, FingerprintError
from contextbenchmark.trust.fingerprint import content_digest, make_fingerprint
from contextbenchmark.trust.fingerprint_reader import LARGEST_FILE, read_fingerprint
from contextbenchmark.trust.observation import ArtifactFile, BuildRow, CellRow, Observations, PassRow
from tests.golden.sample import QUERIES, sample

REFERENCE = Path(__file__).parents[2] / "reference"
FORMAT_1 = {
    "contextbenchmarkFingerprint": 1,
    "adapter": "bm25",
    "corpus": "micro-app",
    "env": {"node": "v20.0.0", "os": "win32 10.0.19045", "arch": "x64"},
    "artifactHash": "a" * 64,
    "queryHashes": {"one": "b" * 64, "two": "c" * 64},
}


def write(folder: Path, content: Any) -> Path:
    path = folder / "a.fingerprint.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def reference(name: str = "bm25") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (REFERENCE / f"{name}.micro-app.win32-x64.fingerprint.json").read_text()
    )
    return found


@pytest.mark.parametrize("name", ["bm25", "emb-minilm", "spiderbrain"])
def test_reads_what_the_node_tool_wrote(name: str) -> None:
    read = read_fingerprint(REFERENCE / f"{name}.micro-app.win32-x64.fingerprint.json")
    content = reference(name)
    found = read.fingerprint
    assert not read.altered, "it carries no digest, so nothing can have been altered"
    assert (found.contextbenchmark_fingerprint, found.adapter) == (2, name)
    assert found.corpus.name == "micro-app" and found.corpus.hash == content["corpus"]["hash"]
    assert found.env.os.startswith("win32 ") and found.env.arch == "x64"
    assert found.query_hashes == content["queryHashes"]
    assert found.method_version is None and found.evidence is None


def test_reads_format_1_whose_corpus_is_a_name(tmp_path: Path) -> None:
    found = read_fingerprint(write(tmp_path, FORMAT_1)).fingerprint
    assert (found.corpus.name, found.corpus.hash, found.system, found.k) == ("micro-app", None, None, None)


@pytest.mark.parametrize(
    ("os", "arch", "expected"),
    [
        ("Linux 6.1.0", "x86_64", ("linux 6.1.0", "x64")),
        ("Windows 10", "AMD64", ("win32 10", "x64")),
        ("macOS 14.2", "aarch64", ("darwin 14.2", "arm64")),
    ],
)
def test_names_of_machines_are_brought_to_nodes(
    os: str, arch: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    found = read_fingerprint(write(tmp_path, {**FORMAT_1, "env": {"os": os, "arch": arch}})).fingerprint
    assert (found.env.os, found.env.arch) == expected


def test_upper_case_hashes_are_the_same_hashes(tmp_path: Path) -> None:
    found = read_fingerprint(write(tmp_path, {**FORMAT_1, "artifactHash": "A" * 64})).fingerprint
    assert found.artifact_hash == "a" * 64


def test_an_edit_after_writing_shows(tmp_path: Path) -> None:
    content: dict[str, Any] = {**FORMAT_1, "contextbenchmarkFingerprint": 2, "k": 10}
    content["digest"] = content_digest(content)
    assert not read_fingerprint(write(tmp_path, content)).altered
    content["k"] = 5
    assert read_fingerprint(write(tmp_path, content)).altered


@pytest.mark.parametrize("key", ["methodVersion", "adapterSource", "evidence", "artifactFiles"])
def test_taking_the_digest_out_shows_too(key: str, tmp_path: Path) -> None:
    """Files of the Node tool have no digest, but they have none of these keys either."""
    assert read_fingerprint(write(tmp_path, {**FORMAT_1, key: None})).altered


def test_reads_files_from_before_the_tool_was_renamed(tmp_path: Path) -> None:
    """The first published fingerprints were of a tool called detbench."""
    content = dict(FORMAT_1)
    content["detbenchFingerprint"] = content.pop("contextbenchmarkFingerprint")
    read = read_fingerprint(write(tmp_path, content))
    assert read.fingerprint.contextbenchmark_fingerprint == 1 and not read.altered


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    read = read_fingerprint(write(tmp_path, b"\xef\xbb\xbf" + json.dumps(FORMAT_1).encode()))
    assert read.fingerprint.adapter == "bm25"


class TestMade:
    """What a run writes, from the sample run that the golden files are made of."""

    def made(self, name: str) -> dict[str, Any]:
        report, _, observations = sample()
        system = next(system for system in report.systems if system.name == name)
        return make_fingerprint(report, system, observations, [query.text for query in QUERIES])

    def test_the_keys_of_the_format_come_first_in_its_order(self) -> None:
        content, theirs = self.made("steady"), reference()
        assert list(content)[: len(theirs)] == list(theirs)
        assert list(content["corpus"])[:2] == list(theirs["corpus"])
        assert list(content["env"])[:2] == ["os", "arch"]
        assert list(content["queryHashes"]) == [query.text for query in QUERIES]
        assert list(content)[-1] == "digest"

    @pytest.mark.parametrize("name", ["steady", "stamped@1.2.0", "graph-ann@0.9.1", "hosted", "constant"])
    def test_it_reads_back_unaltered(self, name: str, tmp_path: Path) -> None:
        content = self.made(name)
        read = read_fingerprint(write(tmp_path, content))
        assert not read.altered
        found, report = read.fingerprint, sample()[0]
        system = next(system for system in report.systems if system.name == name)
        assert found.evidence is not None and found.evidence.level == system.level
        assert found.adapter == name.partition("@")[0] and found.query_hashes == content["queryHashes"]
        assert (found.k, found.corpus.tree_digest) == (report.parameters.k, report.corpus.tree_digest)

    def test_a_line_end_or_the_order_of_keys_is_no_edit_but_any_value_is(self, tmp_path: Path) -> None:
        content = self.made("steady")
        turned = json.dumps(dict(reversed(content.items())), indent=4).replace("\n", "\r\n")
        assert not read_fingerprint(write(tmp_path, turned)).altered
        env = {**content["env"], "os": "win32 10.0.19045"}
        assert read_fingerprint(write(tmp_path, {**content, "env": env})).altered
        assert read_fingerprint(write(tmp_path, {**content, "more": 1})).altered

    def test_query_hashes_are_of_the_first_pass_over_the_first_build(self) -> None:
        _, _, observations = sample()
        first = {row.id: row for row in observations.passes("graph-ann@0.9.1")}[
            "graph-ann@0.9.1/base-000/pass-000"
        ]
        made = self.made("graph-ann@0.9.1")["queryHashes"]
        assert list(made.values()) == list(first.lists)
        assert (
            made[QUERIES[0].text]
            == hashlib.sha256(
                json.dumps(observations.lists[first.lists[0]], separators=(",", ":")).encode()
            ).hexdigest()
        )

    def test_a_long_artifact_is_cut_and_says_how_long_it_is(self) -> None:
        report, _, observations = sample()
        files = tuple(ArtifactFile(path=f"{n:05d}", size=n, sha256=f"{n:064x}") for n in range(1500))
        builds = observations.builds("steady")
        artifact = builds[0].artifact
        assert artifact is not None
        long = builds[0].model_copy(update={"artifact": artifact.model_copy(update={"files": files})})
        rows: list[BuildRow | PassRow] = [
            *(build if build.id != long.id else long for build in builds),
            *observations.passes("steady"),
        ]
        cells = [CellRow(system="steady", cell=cell) for cell in {row.cell for row in rows}]
        system = next(system for system in report.systems if system.name == "steady")
        content = make_fingerprint(
            report, system, Observations([*rows, *cells]), [query.text for query in QUERIES]
        )
        assert (len(content["artifactFiles"]), content["artifactFilesTotal"]) == (1000, 1500)


BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n ", "is empty"),
    "truncated": (json.dumps(FORMAT_1)[:80], "not JSON"),
    "not UTF-8": (b'{"contextbenchmarkFingerprint": 2, "adapter": "\xff"}', "not UTF-8"),
    "UTF-16": (json.dumps(FORMAT_1).encode("utf-16"), "not UTF-8"),
    "an array": ("[]", "no contextbenchmarkFingerprint key"),
    "a number": ("1", "no contextbenchmarkFingerprint key"),
    "null": ("null", "no contextbenchmarkFingerprint key"),
    "another JSON file": ('{"name": "x"}', "no contextbenchmarkFingerprint key"),
    "10,000 arrays deep": ("[" * 10_000 + "]" * 10_000, "too deeply"),
    "10,000 objects deep": ('{"a":' * 10_000 + "1" + "}" * 10_000, "too deeply"),
    "deep inside": (
        json.dumps({**FORMAT_1, "x": 1}).replace(": 1}", ": " + "[" * 10_000 + "]" * 10_000 + "}"),
        "too deeply",
    ),
    "NaN": (json.dumps({**FORMAT_1, "k": float("nan")}), "NaN"),
    "infinite": (json.dumps({**FORMAT_1, "k": float("inf")}), "Infinity"),
    "5,000 digits": (json.dumps(FORMAT_1)[:-1] + ', "k": ' + "9" * 5_000 + "}", "not JSON"),
    "a key twice": ('{"contextbenchmarkFingerprint": 2, "contextbenchmarkFingerprint": 1}', "stands twice"),
    "a query twice": (
        json.dumps(FORMAT_1).replace('"two"', '"one"'),
        "'one' stands twice",
    ),
    "one of 300,000 keys twice": (
        json.dumps({**FORMAT_1, "queryHashes": {str(n): "b" * 64 for n in range(300_000)}}).replace(
            '"299999"', '"299998"'
        ),
        "'299998' stands twice",
    ),
    "an artifact file's hash": (
        {**FORMAT_1, "artifactFiles": [{"path": "a", "size": 1, "sha256": "x"}]},
        "artifactFiles.0.sha256",
    ),
    "an artifact file's size": (
        {**FORMAT_1, "artifactFiles": [{"path": "a", "size": "1", "sha256": "b" * 64}]},
        "artifactFiles.0.size",
    ),
    "half a surrogate pair": (
        json.dumps({**FORMAT_1, "adapter": "x"}).replace('"x"', r'"\ud800"'),
        "surrogate",
    ),
    "half a pair in a query": (json.dumps(FORMAT_1).replace('"two"', r'"\udfff"'), "surrogate"),
    "format 3": ({**FORMAT_1, "contextbenchmarkFingerprint": 3}, "contextbenchmarkFingerprint"),
    "format true": ({**FORMAT_1, "contextbenchmarkFingerprint": True}, "contextbenchmarkFingerprint"),
    "a short hash": ({**FORMAT_1, "artifactHash": "a" * 63}, "artifactHash"),
    "a hash with a line end": ({**FORMAT_1, "artifactHash": "a" * 64 + "\n"}, "artifactHash"),
    "a hash of other digits": ({**FORMAT_1, "artifactHash": "٠" * 64}, "artifactHash"),
    "a query's hash": ({**FORMAT_1, "queryHashes": {"one": "x"}}, "queryHashes.one"),
    "queries as a list": ({**FORMAT_1, "queryHashes": ["b" * 64]}, "queryHashes"),
    "k zero": ({**FORMAT_1, "k": 0}, "k"),
    "k true": ({**FORMAT_1, "k": True}, "k"),
    "k a text": ({**FORMAT_1, "k": "10"}, "k"),
    "no env": ({key: value for key, value in FORMAT_1.items() if key != "env"}, "env"),
    "adapter a list": ({**FORMAT_1, "adapter": ["bm25"]}, "adapter"),
}


@pytest.mark.parametrize("case", BAD)
def test_says_what_is_wrong_and_where(case: str, tmp_path: Path) -> None:
    content, expected = BAD[case]
    path = write(tmp_path, content)
    with pytest.raises(FingerprintError) as caught:
        read_fingerprint(path)
    assert expected in caught.value.problem and str(path) in caught.value.problem
    assert caught.value.remedy and caught.value.exit_code == EXIT_MISTAKE
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    "key", [*FORMAT_1, "system", "k", "evidence", "artifactFiles", "distributions", "digest"]
)
@pytest.mark.parametrize("value", [17, [1], {"x": 1}, True, 1.5, [[]], [{"path": 3}]])
def test_a_wrong_type_at_any_key_is_refused(key: str, value: Any, tmp_path: Path) -> None:
    if key == "k" and value == 17:
        return
    with pytest.raises(FingerprintError):
        read_fingerprint(write(tmp_path, {**FORMAT_1, key: value}))


def test_size_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge.fingerprint.json"
    with open(path, "wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no room
    with pytest.raises(FingerprintError, match="1,073,741,824 bytes"):
        read_fingerprint(path)
    with open(path, "wb") as stream:
        stream.truncate(LARGEST_FILE)
    with pytest.raises(FingerprintError, match="not JSON"):
        read_fingerprint(path)


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    import os

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, expected in (
        (tmp_path / "none.json", "No such file"),
        (tmp_path, "is a folder"),
        (pipe, "a pipe"),
        (Path("/dev/zero"), "a device"),
    ):
        with pytest.raises(FingerprintError, match=expected):
            read_fingerprint(path)


def test_names_from_the_file_cannot_drive_a_terminal(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({**FORMAT_1, "queryHashes": {"\x1b[2J\x1b]0;x\x07": "no hash"}}))
    with pytest.raises(FingerprintError) as caught:
        read_fingerprint(path)
    assert "\x1b" not in str(caught.value) and r"\x1b[2J" in str(caught.value)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [above, *(place for key, below in inner for place in places(below, (*above, key)))]


def mutated(content: Any, draw: Callable[..., Any]) -> Any:
    """Return ``content`` with one value replaced, removed or added."""
    content = json.loads(json.dumps(content))
    *way, last = draw(st.sampled_from([place for place in places(content) if place]))
    holder = content
    for step in way:
        holder = holder[step]
    match draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            holder[last] = draw(JSON)
        case "remove":
            del holder[last]
        case _:
            if isinstance(holder, dict):
                holder[draw(st.text(max_size=8))] = draw(JSON)
            else:
                holder.append(draw(JSON))
    return content


FULL = {
    **FORMAT_1,
    "contextbenchmarkFingerprint": 2,
    "benchmarkVersion": "1.0",
    "system": {"id": "x 1", "source": "declared", "note": "n"},
    "corpus": {"name": "micro-app", "hash": "d" * 64, "treeDigest": "e" * 64, "files": 12},
    "k": 10,
    "methodVersion": "1",
    "adapterSource": "sha256:1",
    "distributions": ["numpy 2.0"],
    "artifactFiles": [{"path": "index.json", "size": 3, "sha256": "f" * 64}],
    "artifactFilesTotal": 1,
}


@given(data=st.data())
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_change_to_a_file_makes_reading_it_fail_otherwise(tmp_path: Path, data: st.DataObject) -> None:
    content: Any = FULL
    for _ in range(data.draw(st.integers(1, 3))):
        content = mutated(content, data.draw)
        if not isinstance(content, dict):
            break
    path = tmp_path / "mutated.json"
    path.write_bytes(json.dumps(content).encode("utf-8", "surrogatepass"))
    try:
        read_fingerprint(path)
    except FingerprintError as error:
        assert error.problem and error.remedy


@given(cut=st.integers(0, 2_000), junk=st.binary(max_size=20))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damage_to_the_bytes_does(tmp_path: Path, cut: int, junk: bytes) -> None:
    whole = json.dumps(FULL).encode()
    path = tmp_path / "damaged.json"
    path.write_bytes(whole[: cut % len(whole)] + junk + whole[cut % len(whole) + len(junk) :])
    try:
        read_fingerprint(path)
    except FingerprintError as error:
        assert error.problem and error.remedy
