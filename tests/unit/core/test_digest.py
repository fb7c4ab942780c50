"""Trees are listed in one order, hashed as the standard says, and refused where they have no end or no text name."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.core import digest
from contextbenchmark.core.digest import digest_tree, digest_trees, list_files, sort_paths
from contextbenchmark.errors import CorpusError

VECTORS = Path(__file__).parents[2] / "vectors" / "bm25"


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return root


def plain_tree_hash(files: dict[str, bytes]) -> str:
    """The standard's rule written down a second time, from its text and without any of our parts."""
    whole = b"".join(
        name.encode() + b"\0" + files[name] + b"\0"
        for name in sorted(files, key=lambda name: name.split("/"))
    )
    return hashlib.sha256(whole).hexdigest()


@pytest.mark.parametrize("vector", ["edges", "numeric", "plain", "unicode"])
def test_vectors(vector: str) -> None:
    expected = json.loads((VECTORS / vector / "expected.json").read_bytes())
    assert digest_tree(VECTORS / vector / "corpus").tree == expected["corpusHash"]


def test_order_is_part_by_part_and_by_code_point(tmp_path: Path) -> None:
    names = ["a.b", "a/b", "a/B", "a-b/c", "README.md", "é.md", "z.md", "a0", "𝔞.md", "\uffee.md"]
    write(tmp_path, dict.fromkeys(names, b""))
    expected = ["README.md", "a/B", "a/b", "a-b/c", "a.b", "a0", "z.md", "é.md", "\uffee.md", "𝔞.md"]
    assert list(list_files(tmp_path)) == expected


@given(st.lists(st.text("ab-./0é", min_size=1, max_size=8), unique=True))
def test_order_agrees_with_comparing_lists_of_parts(paths: list[str]) -> None:
    assert sort_paths(paths) == sorted(paths, key=lambda path: path.split("/"))


def test_two_trees_that_the_tree_hash_takes_for_one(tmp_path: Path) -> None:
    one = digest_tree(write(tmp_path / "one", {"a.md": b"x\0b.md\0y"}))
    two = digest_tree(write(tmp_path / "two", {"a.md": b"x", "b.md": b"y"}))
    assert one.tree == two.tree
    assert one.tree_digest != two.tree_digest


def test_tree_digest_is_what_its_definition_says(tmp_path: Path) -> None:
    files = {"é/a": b"first", "b": b""}
    found = digest_tree(write(tmp_path, files))
    whole = b"".join(
        len(name.encode()).to_bytes(8, "big") + name.encode() + hashlib.sha256(files[name]).digest()
        for name in ("b", "é/a")
    )
    assert found.tree_digest == hashlib.sha256(whole).hexdigest()
    assert [(file.path, file.size) for file in found.files] == [("b", 0), ("é/a", 5)]
    assert found.bytes == 5


def test_large_and_small_files_in_any_mixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "WHOLE_BYTES", 1000)
    monkeypatch.setattr(digest, "BUFFER_BYTES", 300)
    sizes = (0, 1, 999, 1000, 1001, 1300, 5000, 7, 2500, 1)
    files = {f"f{number}": bytes([65 + number]) * size for number, size in enumerate(sizes)}
    found = digest_tree(write(tmp_path, files))
    assert found.tree == plain_tree_hash(files)
    assert {file.path: file.sha256 for file in found.files} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }


def test_a_file_larger_than_the_buffers_as_they_are(tmp_path: Path) -> None:
    files = {"a": b"small", "big": os.urandom(3 * digest.WHOLE_BYTES + 17), "c": b"\0"}
    assert digest_tree(write(tmp_path, files)).tree == plain_tree_hash(files)


def test_many_trees_come_back_in_order(tmp_path: Path) -> None:
    roots = [write(tmp_path / str(number), {"x": bytes([number])}) for number in range(7)]
    assert digest_trees(roots) == [digest_tree(root) for root in roots]


def test_no_files(tmp_path: Path) -> None:
    assert digest_tree(tmp_path).tree == hashlib.sha256(b"").hexdigest()


def test_git_is_left_out_wherever_it_is(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".git/config": b"", "sub/.git": b"gitdir: elsewhere", "sub/.gitignore": b"", ".github/x": b""},
    )
    assert list_files(tmp_path) == (".github/x", "sub/.gitignore")
    assert len(list_files(tmp_path, skip_git=False)) == 4


def test_missing_and_not_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nothing-here does not exist"):
        list_files(tmp_path / "nothing-here")
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match=r"file is not a folder"):
        list_files(tmp_path / "file")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"gone\.md"):
        digest_tree(tmp_path, ["gone.md"])


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user"
)
@pytest.mark.parametrize("what", ["file", "folder"])
def test_permissions_are_named(tmp_path: Path, what: str) -> None:
    write(tmp_path, {"shut/inner.md": b"x"})
    shut = tmp_path / ("shut/inner.md" if what == "file" else "shut")
    shut.chmod(0)
    try:
        with pytest.raises(CorpusError, match="shut"):
            digest_tree(tmp_path)
    finally:
        shut.chmod(0o700)


links = pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege")


@links
def test_links_inside_the_root_are_what_they_lead_to(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": b"text", "deep/er/b.md": b"more"})
    (tmp_path / "link.md").symlink_to("docs/a.md")
    (tmp_path / "linked").symlink_to(tmp_path / "deep")
    assert list_files(tmp_path) == ("deep/er/b.md", "docs/a.md", "link.md", "linked/er/b.md")
    sizes = {file.path: file.size for file in digest_tree(tmp_path).files}
    assert sizes["link.md"] == 4
    assert sizes["linked/er/b.md"] == 4


@links
@pytest.mark.parametrize(
    ("link", "target", "said"),
    [
        ("sub/up", "..", "holds it"),
        ("sub/self", "self", "cannot be followed"),
        ("sub/out", "/etc", "leads out of the corpus"),
        ("sub/out.md", "../../secret", "leads out of the corpus"),
        ("sub/lost", "not-here", "leads nowhere"),
    ],
)
def test_links_that_are_refused(tmp_path: Path, link: str, target: str, said: str) -> None:
    (tmp_path / "secret").write_text("not part of it")
    root = write(tmp_path / "root", {"sub/a.md": b""})
    (root / link).symlink_to(target)
    with pytest.raises(CorpusError, match=said) as caught:
        list_files(root)
    assert Path(link).name in str(caught.value)


@links
def test_folders_that_link_to_each_other_have_no_end(tmp_path: Path) -> None:
    write(tmp_path, {"a/x": b"", "b/y": b""})
    (tmp_path / "a/to-b").symlink_to("../b")
    (tmp_path / "b/to-a").symlink_to("../a")
    with pytest.raises(CorpusError, match="no end"):
        list_files(tmp_path)


@links
def test_a_root_that_is_a_link_is_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a": b""})
    (tmp_path / "alias").symlink_to("real")
    assert list_files(tmp_path / "alias") == ("a",)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems refuse such names themselves")
def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9.md"), "wb"):
        pass
    with pytest.raises(CorpusError, match=r"caf\\xe9\.md is not UTF-8") as caught:
        list_files(tmp_path)
    str(caught.value).encode("utf-8")  # and the message itself can be printed


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    if kind == "pipe":
        os.mkfifo("thing")
    else:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("thing")
    with pytest.raises(CorpusError, match="thing is neither a file nor a folder"):
        list_files(tmp_path)
