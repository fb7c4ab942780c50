"""What a table must be read with, and what a published figure must be told with (the disclosure rule)."""

from __future__ import annotations

from contextbenchmark.render.text import number, plural, size
from contextbenchmark.trust.record import Report, Times

NOT_SHOWN = (
    "A level is about the context layer on one machine and one corpus. It says nothing about the model that reads"
    " the context, nothing about other machines (compare fingerprints for that), and nothing about quality: a"
    " system can be wrong every time in the same way."
)


def warnings(report: Report) -> tuple[str, ...]:
    """Return what a reader must know of corpus and machine before believing the table."""
    chance = report.corpus.chance_jaccard
    said = list(report.corpus.warnings)
    if chance is not None:
        said.append(
            f"Chance level: two random lists of {report.parameters.k} out of {plural(report.corpus.files, 'file')}"
            f" share a Jaccard of {number(chance, 2)}."
        )
    said.extend(f"Deviation: {text}" for text in report.deviations)
    said.extend(f"Not varied here: {text}" for text in report.not_varied)
    return tuple(text if text.endswith((".", "!", "?")) else f"{text}." for text in said)


def subject(report: Report) -> str:
    """Return what was measured on what, in one line."""
    corpus, asked = report.corpus, report.parameters
    builds, passes = plural(asked.rebuilds, "build"), plural(asked.trials, "pass")
    return (
        f"{corpus.name}: {plural(corpus.files, 'file')}, {plural(corpus.queries, 'query')},"
        f" {size(corpus.bytes)}; {builds}, {passes} over each, top {asked.k}"
    )


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
