"""``contextbenchmark engines``: the environments that engines run in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from contextbenchmark.errors import EXIT_PASS, ContextBenchmarkError, EngineError

if TYPE_CHECKING:
    from contextbenchmark.trust.engines import Engine

app = typer.Typer(
    no_args_is_help=True,
    help="List, install and remove the environments that engines run in, one for each engine and version. "
    "`run` installs what it needs by itself.",
)


@dataclass(frozen=True, kw_only=True)
class EngineRow:
    """One line of the list; ``bytes`` is the use of disk, ``python`` the version it was made for."""

    name: str
    version: str
    installed: bool
    bytes: int
    python: str
    requirements: tuple[str, ...]
    folder: str


@app.command("list")
def list_command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> int:
    """List the engines that are installed, and those that adapters know and could be.

    Example: contextbenchmark engines list
    """
    rows = _rows()
    if as_json:
        import json

        typer.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return EXIT_PASS
    from rich.console import Console

    from contextbenchmark.core.names import printable
    from contextbenchmark.trust.engines import engines_folder

    console = Console()
    console.print(_table(rows))
    total = sum(row.bytes for row in rows)
    if total:
        console.print(
            f"{size(total)} in {printable(str(engines_folder()))}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return EXIT_PASS


def _rows() -> list[EngineRow]:
    from contextbenchmark.trust.adapter import available_names, resolve
    from contextbenchmark.trust.engines import engine_for, installed_engines

    found = {engine.folder: _row(engine) for engine in installed_engines()}
    for name in available_names():
        try:
            adapter = resolve(name)
            if adapter.requirements:
                engine = engine_for(adapter.name, adapter.requirements)
                found.setdefault(engine.folder, _row(engine))
        except ContextBenchmarkError:  # `adapters` tells what is wrong with it
            continue
    return sorted(found.values(), key=lambda row: (row.name, row.version, not row.installed, row.folder))


def _row(engine: Engine) -> EngineRow:
    from contextbenchmark.trust.engines import disk_use

    return EngineRow(
        name=engine.name,
        version=engine.known_version,
        installed=engine.installed,
        bytes=disk_use(engine.folder),
        python=engine.python_version,
        requirements=engine.requirements,
        folder=str(engine.folder),
    )


def _table(rows: Sequence[EngineRow]) -> object:
    from rich.table import Table
    from rich.text import Text

    from contextbenchmark.core.names import printable

    table = Table(box=None, pad_edge=False)
    for title in ("engine", "version", "installed", "size", "python"):
        table.add_column(title, justify="right" if title == "size" else "left")
    for row in rows:
        here = "yes" if row.installed else "broken: its Python is gone" if row.bytes else "no"
        told = (here, size(row.bytes), row.python) if row.bytes else (here, "", "")
        table.add_row(*(Text(printable(cell)) for cell in (row.name, row.version, *told)))
    return table


@app.command("install")
def install_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Adapters: NAME, NAME@VERSION, or a file.", show_default=False)
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every engine of the adapters that are known.")
    ] = False,
) -> int:
    """Install engines; what is there already is left as it is.

    Example: contextbenchmark engines install tantivy tantivy@0.26.0
    """
    from contextbenchmark.trust.adapter import Adapter, available_names, resolve

    if bool(names) == every:
        raise EngineError(
            "Name the engines to install, or give --all, not both.", "See contextbenchmark engines list."
        )
    wanted: list[Adapter] = []
    problems: list[ContextBenchmarkError] = []
    for name in names or available_names():
        try:
            adapter = resolve(name)
        except ContextBenchmarkError as error:
            problems.append(error)
            continue
        if adapter.requirements:
            wanted.append(adapter)
        elif not every:
            _say(f"{adapter.label}: runs without an environment of its own, there is nothing to install.")
    for adapter in wanted:
        try:
            _install(adapter.name, adapter.requirements, adapter.version)
        except ContextBenchmarkError as error:
            problems.append(error)
    for problem in problems[:-1]:
        _say(f"Error: {problem.problem}", problem.remedy)
    if problems:
        raise problems[-1]
    return EXIT_PASS


def _install(name: str, requirements: Sequence[str], version: str | None) -> None:
    from contextbenchmark.cli.progress import shown_progress
    from contextbenchmark.trust.engines import disk_use, engine_for, install

    engine = engine_for(name, requirements, version)
    if engine.installed:
        typer.echo(f"{engine.label} {_of(engine)}was installed already ({size(disk_use(engine.folder))}).")
        return
    with shown_progress() as progress:
        done = install(engine, progress.say)
    typer.echo(f"{done.label} {_of(done)}is installed ({size(disk_use(done.folder))}).")


def _of(engine: Engine) -> str:
    return "" if engine.version or engine.known_version == "any" else f"({engine.known_version}) "


@app.command("remove")
def remove_command(
    names: Annotated[list[str], typer.Argument(help="NAME (every version of it), or NAME@VERSION.")],
) -> int:
    """Remove engines from the disk; they are installed again when they are needed.

    Example: contextbenchmark engines remove tantivy@0.26.0
    """
    from contextbenchmark.trust.engines import installed_engines, remove

    there = installed_engines()
    for text in names:
        name, _, version = text.partition("@")
        chosen = [
            engine
            for engine in there
            if engine.name == name and (not version or engine.known_version == version)
        ]
        if not chosen:
            has = ", ".join(f"{engine.name}@{engine.known_version}" for engine in there)
            raise EngineError(
                f"The engine {text} is not installed.",
                f"Installed: {has}." if has else "No engine is installed.",
            )
        for engine in chosen:
            typer.echo(f"{engine.name}@{engine.known_version} removed, {size(remove(engine))} freed.")
    return EXIT_PASS


def size(count: int) -> str:
    """Return ``count`` bytes as people write them: ``151 kB``, ``1.9 GB`` (powers of 1000)."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{-(-count // 1000)} kB"


def _say(*lines: str) -> None:
    from contextbenchmark.core.names import printable

    for line in lines:
        print(printable(line), file=sys.stderr)
