"""``contextbenchmark new-adapter``: a working adapter to begin with, and its test."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated

import typer

from contextbenchmark.errors import EXIT_PASS, ConfigurationError

ADAPTER = '''"""``@NAME@``: what it is, in one sentence, and how it is configured: as its users do."""

import json
import os

name = "@NAME@"
summary = "one line: what it is"
# Packages of the engine, each pinned: ["my-engine==1.4.2"]. It then runs in an environment of its own, and is
# imported inside the functions below. Without any, this file runs in contextbenchmark's own interpreter.
requirements = []


def version():
    """What answers here. Replace it by the engine's: importlib.metadata.version("my-engine")."""
    return "0"


def build(corpus_dir, out_dir):
    """Read the files under corpus_dir; write the whole index under out_dir. Replace this by your engine."""
    counts = {}
    for folder, _, files in os.walk(corpus_dir):
        for file in files:
            path = os.path.join(folder, file)
            with open(path, encoding="utf-8", errors="replace") as stream:
                words = stream.read().lower().split()
            relative = os.path.relpath(path, corpus_dir).replace(os.sep, "/")
            counts[relative] = {word: words.count(word) for word in sorted(set(words))}
    with open(os.path.join(out_dir, "index.json"), "w", encoding="utf-8") as stream:
        json.dump(counts, stream, sort_keys=True)


def query(out_dir, text, k):
    """Return up to k files, most relevant first: [{"file": path relative to the corpus, "score": number or None}]."""
    with open(os.path.join(out_dir, "index.json"), encoding="utf-8") as stream:
        counts = json.load(stream)
    words = text.lower().split()
    scores = {file: sum(found.get(word, 0) for word in words) for file, found in counts.items()}
    ranked = sorted((file for file in scores if scores[file]), key=lambda file: (-scores[file], file))
    return [{"file": file, "score": scores[file]} for file in ranked[:k]]
'''

TEST = '''"""``@NAME@`` keeps the contract, and gives the same answers twice."""

from pathlib import Path

from contextbenchmark.testing import check_adapter

ADAPTER = Path(__file__).with_name("@MODULE@.py")


def test_it_keeps_the_contract():
    check_adapter(ADAPTER)


def test_it_gives_the_same_answers_twice(assert_context_level):
    assert_context_level(ADAPTER, "CTL-3", corpus="webshop", rebuilds=2, trials=2)
'''


def new_adapter_command(
    name: Annotated[str, typer.Argument(help="The adapter's name, like my-engine.")],
    folder: Annotated[Path, typer.Option("--in", help="The folder to write into.")] = Path(),
) -> int:
    """Write a working adapter and its test into a folder; nothing that is there is overwritten.

    Example: contextbenchmark new-adapter my-engine
    """
    from contextbenchmark.core.record import make_folder, storage_error

    module = name.replace("-", "_")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,60}", name) or keyword.iskeyword(module):
        raise ConfigurationError(
            f"{name!r} is no name for an adapter.",
            "Use letters, digits, - and _, a letter first, like my-engine.",
        )
    files = {folder / f"{module}.py": ADAPTER, folder / f"test_{module}.py": TEST}
    for path in files:
        if path.exists() or path.is_symlink():
            raise ConfigurationError(
                f"{path} is there already.", "Choose another name, or another folder with --in."
            )
    make_folder(folder)
    for path, text in files.items():
        try:
            with path.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text.replace("@NAME@", name).replace("@MODULE@", module))
        except OSError as error:
            raise storage_error(error, path) from error
        typer.echo(f"wrote {path}")
    path = folder / f"{module}.py"
    shown = path if path.is_absolute() else f"./{path.as_posix()}"
    typer.echo(f"Measure it:  contextbenchmark run --adapters {shown} --corpus webshop")
    typer.echo(f"Test it:     pytest {folder / f'test_{module}.py'}")
    return EXIT_PASS
