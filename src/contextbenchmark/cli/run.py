"""``contextbenchmark run``: measure context systems on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextbenchmark.core.names import printable
from contextbenchmark.errors import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_PASS, ConfigurationError

# A year; clocks and timers overflow far above it.
MOST_SECONDS = 365 * 86400
FAMILIES = ("rebuild", "query", "drift")

EXAMPLE = """Example: contextbenchmark run --adapters bm25,tantivy,./my_retriever.py --corpus ./docs --require CTL-3

Exit codes: 0 every system was measured and every gate passed, 1 a system failed or a gate did, 2 not comparable with
the baseline, 3 nothing could be measured, 4 a mistake in the command or the input, 130 interrupted.
"""


def run_command(
    adapters: Annotated[
        str,
        typer.Option(
            help="Systems to measure, by comma: names (see `adapters`), NAME@VERSION, files, modules."
        ),
    ] = "bm25,fts5",
    corpus: Annotated[
        str, typer.Option(help="A corpus by name (see `corpora list`), or a folder.")
    ] = "webshop",
    queries_file: Annotated[
        Path | None, typer.Option("--queries", help="Queries: JSON, TREC topics, or a BEIR folder.")
    ] = None,
    qrels: Annotated[Path | None, typer.Option(help="Relevance judgements for TREC topics.")] = None,
    families: Annotated[str, typer.Option(help="What to measure, by comma.")] = ",".join(FAMILIES),
    rebuilds: Annotated[int, typer.Option(min=1, help="Builds of the corpus.")] = 3,
    trials: Annotated[int, typer.Option(min=1, help="Passes over all queries, for each build.")] = 5,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=1000, help="Length of a ranked list.")] = 10,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Cells at once [default: processors, at most 4].")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seeds hash seeds, file times and noise.")] = 0,
    noise_documents: Annotated[int, typer.Option(min=1, help="Noise documents in a drift build.")] = 1,
    noise_seeds: Annotated[int, typer.Option(min=1, help="Drift builds, each with other noise.")] = 1,
    embedder: Annotated[
        str, typer.Option(help="Who embeds for engines that do not: wordllama, minilm, or an adapter.")
    ] = "wordllama",
    timeout: Annotated[
        float, typer.Option(min=1, max=MOST_SECONDS, help="Seconds that one operation may take.")
    ] = 900.0,
    memory: Annotated[str | None, typer.Option(help="Memory that one operation may use, like 4G.")] = None,
    require: Annotated[
        str | None, typer.Option(help="Gate: every system reaches this level, like CTL-3.")
    ] = None,
    max_drift: Annotated[float | None, typer.Option(min=0, max=1, help="Gate: drift at most this.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Gate: no worse than this report.json.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for reports and evidence.")] = Path("results"),
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the newest run in --out.")] = False,
    no_install: Annotated[bool, typer.Option("--no-install", help="Do not install missing engines.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List the operations; measure nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Measure whether context systems give the same answer twice."""
    from contextbenchmark.cli.configuration import parse_bytes, split_names
    from contextbenchmark.jobs import default_jobs
    from contextbenchmark.trust.adapter import resolve
    from contextbenchmark.trust.gate import read_gates
    from contextbenchmark.trust.named import corpus_by_name
    from contextbenchmark.trust.operation import Limits
    from contextbenchmark.trust.pipeline import Request
    from contextbenchmark.trust.record import Parameters

    names = split_names(adapters)
    if not names:
        raise ConfigurationError("--adapters names no adapter.", "Name at least one, like bm25.")
    gates = read_gates(require=require, max_drift=max_drift, baseline=baseline)
    found = [resolve(name) for name in names]
    memory_bytes = parse_bytes(memory)
    measured = corpus_by_name(corpus, queries_file=queries_file, qrels=qrels)
    _check_places(corpus, measured.root, out)
    request = Request(
        adapters=found,
        corpus=measured,
        parameters=Parameters(
            k=k,
            rebuilds=rebuilds,
            trials=trials,
            families=_families(families),
            seed=seed,
            noise_documents=noise_documents,
            noise_seeds=noise_seeds,
            timeout_seconds=timeout,
            memory_bytes=memory_bytes,
        ),
        out=out,
        jobs=jobs or default_jobs(),
        limits=Limits(timeout_seconds=timeout, memory_bytes=memory_bytes),
        resume=resume,
        install=not no_install,
        embedder=embedder,
    )
    if dry_run:
        return _dry_run(request, as_json)
    return _run(request, gates, as_json)


run_command.__doc__ = f"{run_command.__doc__}\n\n{EXAMPLE}"


def _check_places(name: str, root: Path, out: Path) -> None:
    """Refuse results inside the corpus, which would change it; say which corpus a name that is a folder too means."""
    if out.resolve().is_relative_to(root.resolve()):
        raise ConfigurationError(
            f"The results would be written into the corpus ({out} lies in it), which changes it with every run.",
            "Name a folder outside it with --out.",
        )
    here = Path(name)
    if here.is_dir() and "/" not in name and here.resolve() != root.resolve():
        typer.echo(
            f"Measuring the corpus that is called {name}; for the folder here, write ./{name}.", err=True
        )


def _families(text: str) -> tuple[str, ...]:
    from contextbenchmark.cli.configuration import split_names

    names = split_names(text)
    unknown = [name for name in names if name not in FAMILIES]
    if unknown or not names:
        raise ConfigurationError(
            f"--families: {unknown[0] if unknown else 'nothing'} is not a family.",
            f"There are {', '.join(FAMILIES)}.",
        )
    return tuple(name for name in FAMILIES if name in names)


def _run(request: object, gates: object, as_json: bool) -> int:
    from rich.console import Console

    from contextbenchmark.cli.progress import shown_progress, stop_on_terminate
    from contextbenchmark.trust.gate import Gates, check_gates
    from contextbenchmark.trust.outputs.table import print_table
    from contextbenchmark.trust.pipeline import Request, run

    assert isinstance(request, Request) and isinstance(gates, Gates)
    with stop_on_terminate(), shown_progress() as progress:
        try:
            outcome = run(request, progress)
        except KeyboardInterrupt:
            typer.echo(
                f"Interrupted. What was measured is kept in {request.out}; repeat the command with --resume to go on.",
                err=True,
            )
            raise
    report = outcome.report
    if as_json:
        typer.echo(report.to_json(indent=1))
    else:
        console = Console()
        print_table(report, outcome.times, console)
        places = printable(f"Report: {request.out / 'report.html'}   evidence: {outcome.folder}")
        typer.echo(f"\n{places}")
    verdict = check_gates(gates, report)
    for line in verdict.lines:
        typer.echo(printable(line), err=as_json)
    if verdict.exit_code != EXIT_PASS:
        return verdict.exit_code
    if any(system.status == "error" for system in report.systems):
        return EXIT_FAIL
    if all(system.status == "unavailable" for system in report.systems):
        return EXIT_INCONCLUSIVE
    return EXIT_PASS


def _dry_run(request: object, as_json: bool) -> int:
    import json

    from contextbenchmark.trust.estimate import estimate_run
    from contextbenchmark.trust.pipeline import Request, planned_operations

    assert isinstance(request, Request)
    operations = planned_operations(request)
    estimate = estimate_run(request)
    if as_json:
        typer.echo(json.dumps({"operations": operations, **estimate.as_dict()}, indent=1))
        return EXIT_PASS
    for operation in operations:
        typer.echo(printable(operation))
    typer.echo(f"\n{len(operations)} operations. {estimate.sentence}")
    return EXIT_PASS
