"""``contextbenchmark compare``: cross-machine identity from fingerprints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextbenchmark.errors import ConfigurationError

if TYPE_CHECKING:
    from contextbenchmark.trust.compare import Comparison, Pair

SHOWN_QUERIES = 5


def compare_command(
    files: Annotated[list[Path], typer.Argument(help="Two fingerprints or more.", metavar="A B [C ...]")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> int:
    """Compare fingerprints of one system from several machines, each with every other.

    Example: contextbenchmark compare linux.fingerprint.json windows.fingerprint.json

    Exit codes: 0 PASS, 1 FAIL, 2 NOT COMPARABLE, 3 INCONCLUSIVE, 4 a file is no fingerprint; of several pairs the
    worst, FAIL before INCONCLUSIVE before NOT COMPARABLE.
    """
    from contextbenchmark.trust.compare import compare
    from contextbenchmark.trust.fingerprint_reader import read_fingerprint

    if len(files) < 2:
        raise ConfigurationError("compare takes two fingerprints or more.", "Name another file.")
    comparison = compare([read_fingerprint(path) for path in files])
    typer.echo(_as_json(comparison) if as_json else "\n\n".join(_pair(pair) for pair in comparison.pairs))
    if not as_json and len(comparison.pairs) > 1:
        typer.echo(f"\nAll {len(comparison.pairs)} pairs: {comparison.outcome}")
    return comparison.exit_code


def _as_json(comparison: Comparison) -> str:
    import json
    from dataclasses import asdict

    return json.dumps({"schema": "contextbenchmark.comparison/1", **asdict(comparison)}, indent=1)


def _pair(pair: Pair) -> str:
    from contextbenchmark.core.names import printable

    lines = [
        f"A  {printable(pair.first)}  ({printable(pair.machines[0])})",
        f"B  {printable(pair.second)}  ({printable(pair.machines[1])})",
        f"Verdict: {pair.verdict}",
        *(f"  not comparable: {printable(blocker)}" for blocker in pair.blockers),
        f"  artifact: {'identical' if pair.artifact_match else 'different'}",
        f"  results: {pair.query_matches} of {pair.query_total} queries identical",
        *(f"  differs: {printable(query)[:100]}" for query in pair.differing_queries[:SHOWN_QUERIES]),
    ]
    if len(pair.differing_queries) > SHOWN_QUERIES:
        lines.append(f"  and {len(pair.differing_queries) - SHOWN_QUERIES} more")
    if pair.differing_files:
        lines.append(
            f"  artifact files that differ: {printable(', '.join(pair.differing_files[:SHOWN_QUERIES]))}"
            + (f" and {more} more" if (more := len(pair.differing_files) - SHOWN_QUERIES) > 0 else "")
        )
    if pair.unknowns:
        lines.append(f"  cannot be attributed: {printable('; '.join(pair.unknowns))}")
    return "\n".join([*lines, f"  {printable(pair.ctl4)}"])
