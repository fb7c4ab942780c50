"""What a published figure must be told with (the standard's disclosure rule)."""

from __future__ import annotations

from contextbenchmark.render.text import plural, size
from contextbenchmark.trust.record import Report, Times


def disclosure(report: Report, times: Times) -> tuple[tuple[str, str], ...]:
    """Return what a published figure must be told with: name and value."""
    corpus, asked, machine = report.corpus, report.parameters, report.machine
    memory = "no limit" if asked.memory_bytes is None else size(asked.memory_bytes)
    timeout = "no limit" if asked.timeout_seconds is None else f"{asked.timeout_seconds:g} s"
    return (
        ("corpus", corpus.name),
        ("corpus hash", corpus.hash),
        ("corpus tree digest", corpus.tree_digest),
        ("corpus size", f"{plural(corpus.files, 'file')}, {size(corpus.bytes)}"),
        ("queries", f"{corpus.queries}, {corpus.queries_with_relevant} of them with known relevant files"),
        ("method version", report.method_version),
        ("parameters", f"k {asked.k}, builds {asked.rebuilds}, passes {asked.trials}, seed {asked.seed}"),
        ("families", ", ".join(asked.families)),
        ("noise", f"{plural(asked.noise_documents, 'document')} in a build, {plural(asked.noise_seeds, 'build')}"),
        ("limits of an operation", f"time {timeout}, memory {memory}"),
        ("machine", f"{machine.os} {machine.arch}, {machine.cpu}, {machine.cores} cores, {size(machine.memory_bytes)}"),
        ("software", f"Python {machine.python}, {machine.libc}, locale {machine.locale}"),
        ("run", f"{times.run}, {times.started}"),
    )  # fmt: skip
