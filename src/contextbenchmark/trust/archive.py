"""Unpack an archive that came from elsewhere, so that nothing lands outside the folder given."""

from __future__ import annotations

import os
import tarfile
import zipfile
from pathlib import Path

from contextbenchmark.core.digest import shown
from contextbenchmark.core.record import CACHE, make_folder, storage_error
from contextbenchmark.errors import FetchError

# A small archive can unpack to more than a disk holds; no corpus of ours comes near this.
MAX_UNPACKED_BYTES = 8 << 30


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a tar (any compression) or zip archive into ``folder``; return the root of its tree.

    Where everything lies in one top folder, that folder is the root. Raises :class:`FetchError` for what is
    no archive and for a member that would lead out of ``folder``, by its name or by a link.
    """
    make_folder(folder, CACHE)
    try:
        if zipfile.is_zipfile(archive):
            _unzip(archive, folder)
        else:
            _untar(archive, folder)
    except tarfile.FilterError as error:
        raise FetchError(
            f"{shown(archive.name)} is refused: {error}.", "Report it: archives do not do that."
        ) from error
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, UnicodeError) as error:
        raise FetchError(
            f"{shown(archive.name)} cannot be unpacked: {error}.", "Fetch it again; it may be cut short."
        ) from error
    except OSError as error:
        if error.errno is None:  # bad compressed data; a refusal of the system has a number
            raise FetchError(
                f"{shown(archive.name)} cannot be unpacked: {error}.", "Fetch it again."
            ) from error
        raise storage_error(error, folder, CACHE) from error
    top = list(folder.iterdir())
    return top[0] if len(top) == 1 and top[0].is_dir() and not top[0].is_symlink() else folder


def _untar(archive: Path, folder: Path) -> None:
    if not hasattr(tarfile, "data_filter"):
        raise FetchError("This Python cannot unpack archives safely.", "Use Python 3.11.4 or newer.")
    with tarfile.open(archive) as tar:
        members = tar.getmembers()
        _check_size(sum(member.size for member in members), archive)
        tar.extractall(folder, members=members, filter="data")


def _unzip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as bag:
        _check_size(sum(member.file_size for member in bag.infolist()), archive)
        base = os.path.realpath(folder)
        for member in bag.infolist():
            # zipfile would quietly write such a member elsewhere; a changed tree is worse than none.
            target = os.path.realpath(os.path.join(base, member.filename))
            if (target != base and not target.startswith(base + os.sep)) or ".." in Path(
                member.filename
            ).parts:
                raise FetchError(
                    f"{shown(archive.name)} is refused: its member {member.filename!r} leads out of it.",
                    "Report it: archives do not do that.",
                )
        bag.extractall(folder)


def _check_size(size: int, archive: Path) -> None:
    if size > MAX_UNPACKED_BYTES:
        raise FetchError(
            f"{shown(archive.name)} is refused: unpacked, it has {size:,} bytes (limit {MAX_UNPACKED_BYTES:,}).",
            "Unpack it yourself and name the folder as the corpus.",
        )
