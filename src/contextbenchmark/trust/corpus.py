"""A tree of documents with its queries and its hash, and fresh checkouts of it for engines to read."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.digest import FileDigest, digest_tree, list_files, shown, sort_paths
from contextbenchmark.core.record import WORK, storage_error
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.queries import QUERIES_FILE, Query, check_queries, packaged_queries, read_queries
from contextbenchmark.trust.recognise import recognise

__all__ = ["Corpus", "Query", "load_corpus", "stage"]

COPY_BYTES = 4 << 20
# File times of a staged tree: whole seconds from 2000-01-01 to 2024-12-31, UTC.
EARLIEST, LATEST = 946_684_800, 1_735_603_200


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A corpus as it was when it was read.

    ``documents`` are the files that engines see, in hashing order: all but ``queries.json`` at the root;
    ``bytes`` is their size together. ``hash`` is the tree hash over every file, ``queries.json`` included,
    and ``tree_digest`` the injective digest beside it (see
    :class:`~contextbenchmark.core.digest.TreeDigests`).
    """

    name: str
    root: Path
    documents: tuple[FileDigest, ...]
    hash: str
    tree_digest: str
    bytes: int
    queries: tuple[Query, ...]
    warnings: tuple[str, ...] = ()


def load_corpus(
    root: Path, *, name: str | None = None, queries_file: Path | None = None, qrels: Path | None = None
) -> Corpus:
    """Read the tree at ``root`` and its queries: ``queries_file``, or the ``queries.json`` at its root.

    ``qrels`` names the relevance judgements that go with TREC topics. ``name`` is by default the pin's whose
    hash the tree has, else the folder's own. A tree that is a pin gets the pin's queries where it has none;
    one that is a pin with CRLF line endings too, and says so in its ``warnings``. Raises
    :class:`CorpusError` for a tree or a set of queries that cannot be used, naming path and remedy.
    """
    files = list_files(root)
    digests = digest_tree(root, files)
    documents = tuple(file for file in digests.files if file.path != QUERIES_FILE)
    if not documents:
        raise CorpusError(f"There are no documents in {shown(root)}.", "Name a folder that holds some.")
    pin, warnings = recognise(root, digests)
    if queries_file is not None:
        source = queries_file
    elif QUERIES_FILE in files:
        source = root / QUERIES_FILE
    elif pin is not None and (ours := packaged_queries(pin.name)) is not None:
        source = ours
    else:
        raise CorpusError(
            f"{shown(root)} has no {QUERIES_FILE}.",
            "Give --queries FILE, or propose some with: contextbenchmark queries init DIR.",
        )
    if qrels is not None and queries_file is None:
        raise CorpusError(
            "--qrels goes with --queries.", "Give the topics that it judges with --queries FILE."
        )
    queries = check_queries(read_queries(source, qrels), (file.path for file in documents), shown(source))
    return Corpus(
        name=name or (pin.name if pin and pin.tree == digests.tree else folder_name(root)),
        root=root,
        documents=documents,
        hash=digests.tree,
        tree_digest=digests.tree_digest,
        bytes=sum(file.size for file in documents),
        queries=queries,
        warnings=warnings,
    )


def folder_name(root: Path) -> str:
    """Return the name of the folder that ``root`` is, whatever way it was written (``.`` too)."""
    return Path(os.path.realpath(root)).name or "corpus"


def stage(corpus: Corpus, destination: Path, seed: int, extra: Mapping[str, str] | None = None) -> None:
    """Write a fresh checkout of ``corpus`` to ``destination``, a folder that is new or empty.

    Files are created in an order, and get modification times (2000 to 2024), that are drawn from ``seed``.
    ``extra`` are documents to write besides, path -> text. What is written is hashed on its way: a source
    file that is no longer what it was raises :class:`CorpusError`; a disk that refuses, a
    :class:`RunFolderError`.
    """
    draw = random.Random(seed)
    known = {file.path: file for file in corpus.documents}
    more = dict(extra or {})
    clash = sorted(known.keys() & more.keys())
    if clash:
        raise CorpusError(
            f"{clash[0]} is a document of the corpus already.", "Give the extra document another name."
        )
    paths = sort_paths([*known, *more])
    draw.shuffle(paths)
    source, target = os.fspath(corpus.root), os.fspath(destination)
    folders = {"": target}
    try:
        destination.mkdir(parents=True, exist_ok=True)
        for path in paths:
            _make_parents(path.rpartition("/")[0], target, folders)
            place = f"{target}{os.sep}{path}"
            if path in more:
                with open(place, "xb", buffering=0) as stream:
                    stream.write(more[path].encode("utf-8"))
            else:
                _copy(f"{source}{os.sep}{path}", place, known[path])
            moment = draw.randint(EARLIEST, LATEST)
            os.utime(place, (moment, moment))
        for folder in folders.values():
            moment = draw.randint(EARLIEST, LATEST)
            os.utime(folder, (moment, moment))
    except OSError as error:
        raise storage_error(error, error.filename or destination, WORK) from error


def _make_parents(folder: str, target: str, folders: dict[str, str]) -> None:
    if folder in folders:
        return
    _make_parents(folder.rpartition("/")[0], target, folders)
    place = f"{target}{os.sep}{folder}"
    Path(place).mkdir(exist_ok=True)
    folders[folder] = place


def _copy(source: str, place: str, expected: FileDigest) -> None:
    """Copy one file, hashing what is written; reading may fail only because the source changed."""
    own = hashlib.sha256()
    try:
        origin = open(source, "rb", buffering=0)  # noqa: SIM115 - closed by the block below
    except OSError as error:
        raise _changed(source) from error
    with origin, open(place, "xb", buffering=0) as stream:
        while True:
            try:
                data = origin.read(COPY_BYTES)
            except OSError as error:
                raise _changed(source) from error
            if not data:
                break
            own.update(data)
            view = memoryview(data)
            while len(view):
                view = view[stream.write(view) :]
    if own.hexdigest() != expected.sha256:
        raise _changed(source)


def _changed(source: str) -> CorpusError:
    return CorpusError(
        f"{shown(source)} changed while the run went on.",
        "Leave the corpus as it is until the run has ended, and run again.",
    )
