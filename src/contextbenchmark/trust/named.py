"""From what a person writes after ``--corpus`` to the corpus: a name, ``xl:N`` or a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from contextbenchmark.core.digest import digest_tree, shown
from contextbenchmark.core.folders import PACKAGE_FOLDER, cache_folder, locked, scratch_beside
from contextbenchmark.core.record import CACHE, make_folder, storage_error, write_whole
from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.corpus import Corpus, folder_name, load_corpus
from contextbenchmark.trust.generate import GENERATOR_VERSION, generate
from contextbenchmark.trust.ir_formats import beir_tree, is_beir
from contextbenchmark.trust.sources import fetch, pin_named, pins, require_intact

BUNDLED = "webshop"


def corpus_by_name(
    reference: str,
    *,
    queries_file: Path | None = None,
    qrels: Path | None = None,
    cache: Path | None = None,
) -> Corpus:
    """Return the corpus that ``reference`` names.

    The bundled ``webshop``; the name of a pin, fetched on demand; ``xl:N``, a generated corpus of N
    documents; or a folder, of documents or in BEIR's layout. A known name goes before a folder of that name
    (write ``./name`` for the folder). Raises :class:`CorpusError` or :class:`FetchError`.
    """
    if not reference.strip():
        raise CorpusError(
            "--corpus names no corpus.", "Name one of `contextbenchmark corpora list`, or a folder."
        )
    if reference == BUNDLED:
        return load_corpus(bundled_folder(), name=BUNDLED, queries_file=queries_file, qrels=qrels)
    pin = pin_named(reference)
    if pin is not None:
        place = fetch(pin, cache=cache)
        try:
            corpus = load_corpus(place, name=pin.name, queries_file=queries_file, qrels=qrels)
        except CorpusError:
            # A damaged copy shows in many ways (its queries name what is gone); say what is behind them.
            require_intact(pin, digest_tree(place).tree, place)
            raise
        require_intact(pin, corpus.hash, place)
        return corpus
    documents = generated_size(reference)
    if documents is not None:
        place = generated_folder(documents, cache=cache)
        return load_corpus(place, name=f"xl-{documents}", queries_file=queries_file, qrels=qrels)
    folder = Path(reference)
    if not folder.exists():
        raise unknown_corpus(reference)
    if is_beir(folder):
        tree = beir_tree(folder, cache=cache)
        return load_corpus(tree, name=folder_name(folder), queries_file=queries_file or folder, qrels=qrels)
    return load_corpus(folder, queries_file=queries_file, qrels=qrels)


def bundled_folder() -> Path:
    """Return the folder of the corpus that ships inside this package."""
    return PACKAGE_FOLDER / "corpora" / BUNDLED


def generated_folder(documents: int, seed: int = 0, *, cache: Path | None = None) -> Path:
    """Return the folder of a generated corpus, making it first where it is not in the cache."""
    place = (cache or cache_folder()) / "corpora" / f"xl-{documents}-{seed}-v{GENERATOR_VERSION}"
    note = place.with_name(f"{place.name}.tree")
    make_folder(place.parent, CACHE)
    with locked(place.parent / f".{place.name}.lock"):
        if not place.is_dir():
            with scratch_beside(place) as scratch:
                generate(scratch, documents, seed)
                write_whole(note, digest_tree(scratch).tree + "\n")
                try:
                    scratch.rename(place)
                except OSError as error:
                    raise storage_error(error, place, CACHE) from error
        elif not note.is_file() or digest_tree(place).tree != note.read_text(encoding="ascii").strip():
            raise CorpusError(
                f"The generated corpus in {shown(place)} was changed.",
                "Remove that folder; it is made again.",
            )
    return place


def generated_size(reference: str) -> int | None:
    """Return N of ``xl:N`` (digits, with ``_`` or ``,`` between them if one likes), or None for another name."""
    sized = re.fullmatch(r"xl:([0-9][0-9_,]{0,15})", reference)
    return int(re.sub(r"[_,]", "", sized[1])) if sized else None


def unknown_corpus(reference: str) -> CorpusError:
    """Return the error for a name that leads nowhere; it says the near ones."""
    import difflib

    names = [pin.name for pin in pins()]
    near = difflib.get_close_matches(reference.lower(), names, n=3, cutoff=0.5)
    folder = Path(reference)
    if folder.parent.is_dir():
        beside = [entry.name for entry in os.scandir(folder.parent) if entry.is_dir()]
        close = difflib.get_close_matches(folder.name, beside, n=2, cutoff=0.7)
        near += [
            shown(os.path.join(os.curdir if folder.parent == Path() else folder.parent, name))
            for name in close
        ]
    guess = f"Did you mean {' or '.join(near)}?" if near else f"Names: {', '.join(names)}, xl:N, or a folder."
    return CorpusError(f"There is no corpus or folder called {reference!r}.", guess)
