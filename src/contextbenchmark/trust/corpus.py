"""A tree of documents with its queries and its hash, and fresh checkouts of it for engines to read."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.digest import FileDigest, digest_tree, list_files, shown, sort_paths
from contextbenchmark.core.record import storage_error
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.queries import QUERIES_FILE, Query, check_queries, read_json_queries

__all__ = ["Corpus", "Query", "load_corpus", "stage"]

COPY_BYTES = 4 << 20
# File times of a staged tree: whole seconds from 2000-01-01 to 2024-12-31, UTC.
EARLIEST, LATEST = 946_684_800, 1_735_603_200


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A corpus as it was when it was read.

    ``documents`` are the files that engines see, in hashing order: all but ``queries.json`` at the root;
    ``bytes`` is their size together. ``hash`` is the tree hash over every file, ``queries.json`` included, and
    ``tree_digest`` the injective digest beside it (see :class:`~contextbenchmark.core.digest.TreeDigests`).
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

    ``qrels`` names the relevance judgements that go with TREC topics. ``name`` is the folder's own by default.
    Raises :class:`CorpusError` for a tree or a set of queries that cannot be used, naming path and remedy.
    """
    files = list_files(root)
    digests = digest_tree(root, files)
    documents = tuple(file for file in digests.files if file.path != QUERIES_FILE)
    if not documents:
        raise CorpusError(f"There are no documents in {shown(root)}.", "Name a folder that holds some.")
    source = queries_file or root / QUERIES_FILE
    if queries_file is None and QUERIES_FILE not in files:
        raise CorpusError(
            f"{shown(root)} has no {QUERIES_FILE}.",
            "Give --queries FILE, or propose some with: contextbenchmark queries init DIR.",
        )
    queries = check_queries(read_json_queries(source), (file.path for file in documents), shown(source))
    return Corpus(
        name=name or Path(os.path.realpath(root)).name,
        root=root,
        documents=documents,
        hash=digests.tree,
        tree_digest=digests.tree_digest,
        bytes=sum(file.size for file in documents),
        queries=queries,
    )


def stage(corpus: Corpus, destination: Path, seed: int, extra: Mapping[str, str] | None = None) -> None:
    """Write a fresh checkout of ``corpus`` to ``destination``, a folder that is new or empty.

    Files are created in an order, and get modification times (2000 to 2024), that are drawn from ``seed``.
    ``extra`` are documents to write besides, path -> text. What is written is hashed on its way: a source file
    that is no longer what it was raises :class:`CorpusError`; a disk that refuses, a :class:`RunFolderError`.
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
        os.makedirs(target, exist_ok=True)
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
        raise storage_error(error, error.filename or destination) from error


def _make_parents(folder: str, target: str, folders: dict[str, str]) -> None:
    if folder in folders:
        return
    _make_parents(folder.rpartition("/")[0], target, folders)
    place = f"{target}{os.sep}{folder}"
    os.makedirs(place, exist_ok=True)
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
