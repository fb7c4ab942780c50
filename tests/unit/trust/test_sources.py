"""A pinned corpus is fetched from where it is, and nothing else is taken for it."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest

from contextbenchmark.core.digest import digest_tree
from contextbenchmark.errors import CorpusError, FetchError
from contextbenchmark.trust.archive import unpack
from contextbenchmark.trust.clients import repository_url
from contextbenchmark.trust.sources import (
    Pin,
    cached_folder,
    discard,
    fetch,
    pin_named,
    pins,
    read_pins,
    require_intact,
    verify_cached,
)

FILES = {"lib/a.md": b"first\r\n", "lib/sub/b.ts": b"second\n", "README.md": b"outside\n"}


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A local repository whose first commit is the one pinned; returns its URL and that commit."""
    folder = tmp_path_factory.mktemp("origin")
    git(folder, "init", "--quiet", ".")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "one")
    commit = git(folder, "rev-parse", "HEAD")
    (folder / "lib/a.md").write_text("later\n")
    git(folder, "commit", "--quiet", "-am", "two")
    return folder.as_uri(), commit


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The tree hash of the part that is pinned, taken from the files and not from a checkout."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "sub").mkdir()
    (folder / "a.md").write_bytes(FILES["lib/a.md"])
    (folder / "sub/b.ts").write_bytes(FILES["lib/sub/b.ts"])
    return digest_tree(folder).tree


def git_pin(url: str, commit: str, tree: str) -> Pin:
    purl = f"pkg:generic/tiny@{commit}?vcs_url=git%2B{quote(url, safe='')}#lib"
    return Pin(name="tiny", purl=purl, tree=tree, files=2)


def archive_pin(archive: Path, tree: str, sha256: str | None = None) -> Pin:
    purl = f"pkg:generic/tiny@1?download_url={quote(archive.as_uri(), safe='')}#lib"
    return Pin(name="tiny", purl=purl, tree=tree, files=2, archive_sha256=sha256)


def tar_of(place: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(place, "w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return place


def left_over(cache: Path) -> list[str]:
    return sorted(place.name for place in (cache / "corpora").iterdir() if not place.name.endswith(".lock"))


def test_the_pins_that_ship() -> None:
    known = {pin.name: pin for pin in pins()}
    assert list(known) == ["webshop", "micro-app", "zod", "hono", "zod-npm", "django"]
    assert known["django"].tree == "3ecead7d0464f5514a6d45dc59f764f727c86775f65fa28c6c08df21fb4e40d3"
    assert known["zod-npm"].tree == "4e39a05c4cbd50c96f4ef511ef2d9359915fbe3eedaa4e25c9bd4d0a1f360f03"
    assert known["micro-app"].tree == "d157a88a7646781d5584ccc860de15083b0682276a249ee2d2e5255e707a0851"
    assert pin_named("nothing") is None


def test_one_commit_of_a_repository(repository: tuple[str, str], tree: str, tmp_path: Path) -> None:
    place = fetch(git_pin(*repository, tree), cache=tmp_path)
    assert (place / "a.md").read_bytes() == b"first\r\n"
    assert digest_tree(place).tree == tree
    assert left_over(tmp_path) == [place.name]


def test_what_is_cached_is_not_fetched_again(repository: tuple[str, str], tree: str, tmp_path: Path) -> None:
    place = fetch(git_pin(*repository, tree), cache=tmp_path)
    nowhere = git_pin("file:///nowhere-at-all", repository[1], tree)
    assert fetch(nowhere, cache=tmp_path) == place


def test_another_tree_is_refused_with_both_hashes(
    repository: tuple[str, str], tree: str, tmp_path: Path
) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(git_pin(*repository, "0" * 64), cache=tmp_path)
    assert tree in str(caught.value)
    assert "0" * 64 in str(caught.value)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("what", ["repository", "commit", "subpath"])
def test_what_is_not_there(repository: tuple[str, str], tree: str, tmp_path: Path, what: str) -> None:
    url, commit = repository
    pin = git_pin(url, commit, tree)
    if what == "repository":
        pin = git_pin("file:///nowhere-at-all", commit, tree)
    elif what == "commit":
        pin = git_pin(url, "1" * 40, tree)
    else:
        pin = pin.model_copy(update={"purl": pin.purl.replace("#lib", "#elsewhere")})
    with pytest.raises(FetchError, match="elsewhere" if what == "subpath" else "git could not fetch"):
        fetch(pin, cache=tmp_path)
    assert left_over(tmp_path) == []


def test_several_at_once_fetch_once(repository: tuple[str, str], tree: str, tmp_path: Path) -> None:
    pin = git_pin(*repository, tree)
    places: list[Path] = []
    threads = [threading.Thread(target=lambda: places.append(fetch(pin, cache=tmp_path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert places == [cached_folder(pin, tmp_path)] * 4
    assert left_over(tmp_path) == [places[0].name]


def test_a_copy_that_was_changed(repository: tuple[str, str], tree: str, tmp_path: Path) -> None:
    pin = git_pin(*repository, tree)
    assert verify_cached(pin, cache=tmp_path) is None
    place = fetch(pin, cache=tmp_path)
    assert verify_cached(pin, cache=tmp_path) is True
    (place / "a.md").write_text("edited")
    assert verify_cached(pin, cache=tmp_path) is False
    with pytest.raises(CorpusError, match="corpora fetch tiny"):
        require_intact(pin, digest_tree(place).tree, place)
    discard(pin, cache=tmp_path)
    assert verify_cached(pin, cache=tmp_path) is None
    assert digest_tree(fetch(pin, cache=tmp_path)).tree == tree


def test_an_archive_whose_single_top_folder_goes(tree: str, tmp_path: Path) -> None:
    archive = tar_of(tmp_path / "x.tgz", {f"package/{name}": content for name, content in FILES.items()})
    sha256 = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert digest_tree(fetch(archive_pin(archive, tree, sha256), cache=tmp_path / "cache")).tree == tree


def test_another_archive_is_refused_before_it_is_unpacked(tree: str, tmp_path: Path) -> None:
    archive = tar_of(tmp_path / "x.tgz", {"../up.md": b"x"})
    with pytest.raises(FetchError, match="its pin says " + "a" * 64):
        fetch(archive_pin(archive, tree, "a" * 64), cache=tmp_path / "cache")
    assert left_over(tmp_path / "cache") == []


def test_a_local_folder(tree: str, tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / "here" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "here" / name).write_bytes(content)
    place = fetch(archive_pin(tmp_path / "here", tree), cache=tmp_path / "cache")
    assert digest_tree(place).tree == tree


@pytest.mark.parametrize("name", ["../up.md", "/absolute-name.md", "a/../../up.md"])
def test_members_that_lead_out(tmp_path: Path, name: str) -> None:
    archive = tar_of(tmp_path / "x.tgz", {"ok.md": b"x", name: b"x"})
    folder = tmp_path / "deep" / "er"
    try:
        unpack(archive, folder)
    except FetchError as error:
        assert "refused" in str(error)
    assert not (tmp_path / "deep/up.md").exists()
    assert not (tmp_path / "up.md").exists()
    assert not Path("/absolute-name.md").exists()

    with zipfile.ZipFile(tmp_path / "x.zip", "w") as bag:
        bag.writestr(name, "x")
    with pytest.raises(FetchError, match="leads out of it"):
        unpack(tmp_path / "x.zip", tmp_path / "zip")


def test_links_that_lead_out(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        entry = tarfile.TarInfo("link")
        entry.type, entry.linkname = tarfile.SYMTYPE, "../../secret"
        tar.addfile(entry)
    with pytest.raises(FetchError, match="refused"):
        unpack(tmp_path / "x.tar", tmp_path / "out")


@pytest.mark.parametrize("content", [b"", b"no archive at all", b"\x1f\x8b\x08\x00cut short"])
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.tgz").write_bytes(content)
    with pytest.raises(FetchError, match="cannot be unpacked"):
        unpack(tmp_path / "x.tgz", tmp_path / "out")


def test_an_archive_cut_short(tmp_path: Path) -> None:
    whole = tar_of(tmp_path / "x.tgz", {"a": bytes(range(256)) * 400}).read_bytes()
    (tmp_path / "x.tgz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FetchError, match="cannot be unpacked"):
        unpack(tmp_path / "x.tgz", tmp_path / "out")


@pytest.mark.parametrize(
    ("purl", "said"),
    [
        ("no purl", "no package URL"),
        ("pkg:generic/x", "names no version"),
        ("pkg:cargo/x@1", "of a kind that cannot be fetched"),
        (
            "pkg:generic/x@1?download_url=https%3A%2F%2Fexample.org%2Fx.zip",
            "of a kind that cannot be fetched",
        ),
    ],
)
def test_pins_that_lead_nowhere(purl: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=said):
        fetch(Pin(name="x", purl=purl, tree="0" * 64, files=1), cache=tmp_path)


def test_the_address_of_a_repository() -> None:
    assert repository_url("pkg:github/honojs/hono@28a9#src").endswith("/honojs/hono")


@pytest.mark.parametrize("content", ["", "{}", '[{"name": "x"}]', "[" * 5000])
def test_files_that_are_no_pins(tmp_path: Path, content: str) -> None:
    (tmp_path / "pins.json").write_text(content)
    with pytest.raises(FetchError, match="no file of pins"):
        read_pins(tmp_path / "pins.json")


@pytest.mark.skipif(sys.platform == "win32", reason="the client is a script for the shell there")
def test_a_client_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match="Install npm"):
        fetch(Pin(name="x", purl="pkg:npm/x@1", tree="0" * 64, files=1), cache=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["zod-npm", "django"])
def test_the_registries_have_what_the_pins_say(name: str, tmp_path: Path) -> None:
    pin = pin_named(name)
    assert pin is not None
    assert len(digest_tree(fetch(pin, cache=tmp_path)).files) == pin.files


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pypi", "npm"])
def test_a_version_that_does_not_exist(kind: str, tmp_path: Path) -> None:
    name = {"pypi": "django", "npm": "zod"}[kind]
    with pytest.raises(
        FetchError, match="django 0.0.0.1 could not be had" if kind == "pypi" else "npm could not"
    ):
        fetch(Pin(name="x", purl=f"pkg:{kind}/{name}@0.0.0.1", tree="0" * 64, files=1), cache=tmp_path)
    assert left_over(tmp_path) == []
