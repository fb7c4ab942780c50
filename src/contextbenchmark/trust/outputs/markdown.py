"""The report as Markdown: the table, a paragraph a system, and everything that disclosure asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from contextbenchmark.render.text import interval, markdown_code, markdown_text, number, plural, size
from contextbenchmark.trust.outputs.costs import HEADINGS, costs, costs_note
from contextbenchmark.trust.outputs.disclosure import NOT_SHOWN, disclosure, subject, warnings
from contextbenchmark.trust.outputs.glance import (
    Cell,
    Glance,
    Look,
    agreements,
    glance,
    headings,
    legend,
)
from contextbenchmark.trust.record import Agreement, Estimate, Report, SystemReport, Times

FILES_SHOWN = 10
_BOLD: frozenset[Look] = frozenset(
    ("CTL-0", "CTL-1", "CTL-2", "CTL-3", "CTL-4", "fail", "vacuous", "error", "unavailable")
)


def markdown_report(report: Report, times: Times) -> str:
    """Return the whole report."""
    rows = glance(report, times)
    parts = [
        "# Is the context the same twice?",
        markdown_text(subject(report)) + ".",
        *_overview(rows, report),
        "## Each system",
        *(text for system, row in zip(report.systems, rows, strict=True) for text in _system(system, row)),
        *_costs(times),
        "## What it was measured with",
        _table(
            ("What", "Value"),
            [(name, markdown_text(value)) for name, value in disclosure(report, times)],
        ),
        "## Versions",
        _table(
            ("Package", "Version"),
            [(markdown_code(k), markdown_code(v)) for k, v in sorted(report.versions.items())],
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _costs(times: Times) -> Iterator[str]:
    if rows := costs(times):
        yield "## What each operation took"
        yield _table(HEADINGS, [(markdown_code(row[0]), *row[1:]) for row in rows])
        yield markdown_text(costs_note(times))


def markdown_summary(report: Report, times: Times) -> str:
    """Return the short form, for the summary of a build step."""
    title = f"## Context trust: {markdown_text(report.corpus.name)}"
    return "\n\n".join((title, *_overview(glance(report, times), report))) + "\n"


def _overview(rows: Sequence[Glance], report: Report) -> Iterator[str]:
    heads = headings(report.parameters.k)
    yield _table(heads, [(markdown_code(row.name), *(_cell(cell) for cell in row.cells)) for row in rows])
    yield _bullets(f"**{markdown_code(row.name)}**: {markdown_text(' '.join(row.sentences))}" for row in rows)
    yield _bullets(f"Note: {markdown_text(text)}" for text in warnings(report))
    yield _bullets(
        markdown_text(text) for text in (*legend(report.parameters.k), "- is what was not measured.")
    )
    yield markdown_text(NOT_SHOWN)


def _cell(cell: Cell) -> str:
    text = markdown_text(cell.text)
    marked = f"**{text}**" if cell.look in _BOLD else text
    return f"{marked}<br>{markdown_text(cell.detail)}" if cell.detail else marked


def _system(system: SystemReport, row: Glance) -> Iterator[str]:
    yield f"### {markdown_code(system.name)}: {row.level.text}"
    yield _bullets(markdown_text(sentence) for sentence in row.sentences)
    kinds = agreements(system.families.query)
    if kinds and system.status == "ok":
        yield _table(
            ("Answers compared", "Differed", "Same (EMR)", "Jaccard", "Top-weighted K", "RBO", "Order (tau)"),
            [_agreement(name, agreement) for name, agreement in kinds],
        )
    drift = system.families.drift
    if drift.status == "ok" and drift.drift is not None:
        yield _table(
            ("Drift", "Value"),
            [
                ("as it is", _estimate(drift.drift, up=True)),
                ("of rebuilding alone", _estimate(drift.null_drift)),
                ("beyond that", _estimate(drift.net_drift)),
            ],
        )
    quality = system.quality
    if quality is not None:
        names = (f"recall@{quality.k}", f"nDCG@{quality.k}", "MRR")
        values = (quality.recall, quality.ndcg, quality.mrr)
        yield _table(("Quality", "Value"), [(n, _estimate(v)) for n, v in zip(names, values, strict=True)])
    if system.families.rebuild.differing_files:
        files = system.families.rebuild.differing_files[:FILES_SHOWN]
        more = system.families.rebuild.differing_files_total - len(files)
        shown = ", ".join(markdown_code(file.path) for file in files)
        yield f"Artifact files that differ: {shown}{f' and {more} more' if more > 0 else ''}."
    yield _bullets(_identity(system))


def _agreement(name: str, agreement: Agreement) -> tuple[str, ...]:
    rate = agreement.rate
    return (
        name, f"{rate.flips} of {rate.n}", number(agreement.emr), _estimate(agreement.jaccard),
        _estimate(agreement.kendall_top), _estimate(agreement.rbo), _estimate(agreement.tau),
    )  # fmt: skip


def _estimate(estimate: Estimate | None, *, up: bool = False) -> str:
    if estimate is None:
        return "absent"
    between = interval(estimate.low, estimate.high)
    return markdown_text(f"{number(estimate.value, up=up)} {between}".rstrip() + f" (n = {estimate.n})")


def _identity(system: SystemReport) -> Iterator[str]:
    yield f"Adapter: {markdown_code(system.reference)}, source SHA-256 {markdown_code(system.adapter_source)}"
    if system.system is not None:
        note = f" ({markdown_text(system.system.note)})" if system.system.note else ""
        yield f"Says it is: {markdown_code(system.system.id)}, {system.system.source}{note}"
    if system.artifact is not None:
        artifact = system.artifact
        yield (
            f"Artifact: {size(artifact.bytes)} in {plural(artifact.files, 'file')}, {artifact.identity}"
            f" {markdown_code(artifact.hash)}"
        )
    if system.distributions:
        yield f"Installed beside it: {', '.join(markdown_code(name) for name in system.distributions)}"
    yield from (f"Deviation: {markdown_text(text)}" for text in system.deviations)
    if system.remote:
        yield "It is a remote service: what it ran on is not known."


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    heads = tuple(heads)
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
