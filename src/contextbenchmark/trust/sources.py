"""Pinned corpora: what they are, where they come from, and fetching them so that no other passes for them."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from contextbenchmark.core.digest import digest_tree, shown
from contextbenchmark.core.folders import PACKAGE_FOLDER, cache_folder, locked, scratch_beside
from contextbenchmark.core.record import CACHE, Record, make_folder, storage_error
from contextbenchmark.errors import CorpusError, FetchError

if TYPE_CHECKING:
    from packageurl import PackageURL


class Pin(Record):
    """A corpus that is the same everywhere: where it comes from and the hashes that say so.

    ``purl`` is its package URL: ``pkg:github/OWNER/NAME@COMMIT``, ``pkg:pypi/NAME@VERSION`` (source archive),
    ``pkg:npm/NAME@VERSION``, or ``pkg:generic/NAME@VERSION`` with the qualifier ``vcs_url`` (git, the version
    being the commit) or ``download_url`` (a ``file:`` URL of an archive or a folder); ``#SUBPATH`` is the
    part that is the corpus. ``tree`` is its tree hash.
    ``tier`` is S, M, L or XL; ``bundled`` ones ship inside this package.
    """

    name: str
    purl: str
    tree: str
    archive_sha256: str | None = None
    files: int
    bytes: int | None = None
    tier: str = ""
    bundled: bool = False
    note: str = ""


_PINS: TypeAdapter[tuple[Pin, ...]] = TypeAdapter(tuple[Pin, ...])


def pins() -> tuple[Pin, ...]:
    """Return the pins that ship with this package, in the order of their file."""
    return read_pins(PACKAGE_FOLDER / "trust" / "pins.json")


def read_pins(path: Path) -> tuple[Pin, ...]:
    """Read a file of pins: a JSON array of :class:`Pin`. Raises :class:`FetchError` when it is none."""
    try:
        return _PINS.validate_json(path.read_bytes())
    except OSError as error:
        raise FetchError(
            f"Cannot read {shown(path)}: {error.strerror}.", "Install the package again."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise FetchError(
            f"{shown(path)} is no file of pins: {place}: {first['msg']}.", "Correct it."
        ) from error


def cached_folder(pin: Pin, cache: Path | None = None) -> Path:
    """Return where a pin's tree lies once it is fetched."""
    return (cache or cache_folder()) / "corpora" / f"{pin.name}-{pin.tree[:16]}"


def fetch(pin: Pin, *, cache: Path | None = None) -> Path:
    """Return the folder of a pinned corpus, fetching it first where it is not in the cache.

    Raises :class:`FetchError` when it cannot be had, or when what came is not what the pin says: both hashes
    are named and nothing of it is kept. Several processes may ask at once; one fetches, the others wait.
    """
    place = cached_folder(pin, cache)
    if place.is_dir():
        return place
    make_folder(place.parent, CACHE)
    with _turn(place):
        if place.is_dir():
            return place
        with scratch_beside(place) as scratch:
            tree = _subtree(_obtain(pin, scratch), pin)
            found = digest_tree(tree).tree
            if found != pin.tree:
                raise FetchError(
                    f"What came for {pin.name} has the tree hash {found}; its pin says {pin.tree}.",
                    "It is not that corpus, and was thrown away. Try again, or use another corpus.",
                )
            try:
                tree.rename(place)
            except OSError as error:
                raise storage_error(error, place, CACHE) from error
    return place


def verify_cached(pin: Pin, *, cache: Path | None = None) -> bool | None:
    """Say whether the cached copy still has the pin's tree hash; None where there is none."""
    place = cached_folder(pin, cache)
    return digest_tree(place).tree == pin.tree if place.is_dir() else None


def discard(pin: Pin, *, cache: Path | None = None) -> None:
    """Remove the cached copy of a pin, in one step for whoever looks, so that it can be fetched anew."""
    place = cached_folder(pin, cache)
    if place.is_dir():
        with _turn(place), scratch_beside(place) as scratch:
            try:
                place.rename(scratch / "gone")
            except OSError as error:
                raise storage_error(error, place, CACHE) from error


def _turn(place: Path) -> AbstractContextManager[None]:
    return locked(place.parent / f".{place.name}.lock")


def _subtree(tree: Path, pin: Pin) -> Path:
    subpath = _purl(pin).subpath
    if not subpath:
        return tree
    inner = tree.joinpath(*subpath.split("/"))
    # packageurl drops "." and ".." parts; a link in the tree could still lead elsewhere.
    if not inner.is_dir() or not inner.resolve().is_relative_to(tree.resolve()):
        raise FetchError(f"What came for {pin.name} has no folder {subpath}.", "Correct the pin's subpath.")
    return inner


def _purl(pin: Pin) -> PackageURL:
    from packageurl import PackageURL

    try:
        return PackageURL.from_string(pin.purl)
    except ValueError as error:
        raise FetchError(
            f"The pin {pin.name}: {pin.purl!r} is no package URL: {error}.", "Correct it."
        ) from error


def _obtain(pin: Pin, scratch: Path) -> Path:
    """Bring the pin's source into ``scratch`` by its ordinary client; return the root of the tree."""
    from contextbenchmark.trust.clients import git_commit, npm_archive, pypi_archive, repository_url

    purl = _purl(pin)
    qualifiers = purl.qualifiers if isinstance(purl.qualifiers, dict) else {}
    if not purl.version and "download_url" not in qualifiers:
        raise FetchError(
            f"The pin {pin.name} names no version: {pin.purl}.", "Add @VERSION to its package URL."
        )
    if purl.type in ("github", "gitlab", "bitbucket"):
        return git_commit(repository_url(pin.purl), purl.version or "", scratch)
    if purl.type == "generic" and "vcs_url" in qualifiers:
        return git_commit(qualifiers["vcs_url"].removeprefix("git+"), purl.version or "", scratch)
    if purl.type == "generic" and qualifiers.get("download_url", "").startswith("file:"):
        from urllib.request import url2pathname

        local = Path(url2pathname(urlsplit(qualifiers["download_url"]).path))
        if local.is_dir():
            shutil.copytree(local, scratch / "tree", symlinks=True)
            return scratch / "tree"
        return _checked(local, pin, scratch)
    name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
    if purl.type == "pypi":
        return _checked(pypi_archive(name, purl.version or "", pin.archive_sha256, scratch), pin, scratch)
    if purl.type == "npm":
        return _checked(npm_archive(name, purl.version or "", scratch), pin, scratch)
    raise FetchError(
        f"The pin {pin.name} is of a kind that cannot be fetched here: {pin.purl}.",
        "Fetch it yourself and name its folder as the corpus.",
    )


def _checked(archive: Path, pin: Pin, scratch: Path) -> Path:
    """Unpack an archive after its hash was found to be the pin's."""
    from contextbenchmark.trust.archive import unpack

    try:
        with open(archive, "rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise FetchError(
            f"Cannot read {shown(archive)}: {error.strerror}.", "Correct the pin's URL."
        ) from error
    if pin.archive_sha256 is not None and found != pin.archive_sha256:
        raise FetchError(
            f"The archive for {pin.name} has the SHA-256 {found}; its pin says {pin.archive_sha256}.",
            "It is not that archive, and was thrown away. Try again, or use another corpus.",
        )
    return unpack(archive, scratch / "unpacked")


def pin_named(name: str) -> Pin | None:
    """Return the pin of that name, or None."""
    return next((pin for pin in pins() if pin.name == name), None)


def require_intact(pin: Pin, found: str, place: Path) -> None:
    """Raise :class:`CorpusError` when a cached pin no longer has its hash."""
    if found != pin.tree:
        raise CorpusError(
            f"The {pin.name} in {shown(place)} was changed: its tree hash is {found}, the pin's {pin.tree}.",
            f"Fetch it again: contextbenchmark corpora fetch {pin.name}.",
        )
