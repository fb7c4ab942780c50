"""The report as one HTML page: what a person opens first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from contextbenchmark.render.page import render_page
from contextbenchmark.render.text import interval, number, plural, size
from contextbenchmark.trust.observation import Observations
from contextbenchmark.trust.outputs.costs import HEADINGS, costs, costs_note
from contextbenchmark.trust.outputs.disclosure import NOT_SHOWN, disclosure, subject, warnings
from contextbenchmark.trust.outputs.divergence import Divergence, first_divergence
from contextbenchmark.trust.outputs.glance import (
    NOTHING,
    Cell,
    Glance,
    agreements,
    glance,
    headings,
    legend,
)
from contextbenchmark.trust.outputs.plots import agreement_plot, drift_plot, latency_plot, size_plot
from contextbenchmark.trust.record import DifferingFile, Estimate, FlipRate, Report, SystemReport, Times


@dataclass(frozen=True, kw_only=True)
class Table:
    """The first cell of each row is its heading."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Section:
    """One system's part of the page. Plots are markup made by us; everything else is text."""

    anchor: str
    name: str
    summary: str
    level: Cell
    sentences: tuple[str, ...]
    tables: tuple[Table, ...]
    agreement: str
    drift: str
    queries: Table | None
    divergence: Divergence | None
    differing: tuple[DifferingFile, ...]
    differing_total: int
    facts: tuple[tuple[str, str], ...]
    output: str


def html_page(report: Report, times: Times, observations: Observations) -> str:
    """Return the page. It holds no script and loads nothing, and every name, query and path in it is escaped."""
    rows = glance(report, times)
    return render_page(
        "trust.html.j2",
        title=f"Context trust: {report.corpus.name}",
        subject=subject(report),
        heads=headings(report.parameters.k),
        rows=rows,
        anchors=[f"system-{index}" for index in range(1, len(rows) + 1)],
        sections=[
            _section(report, system, row, observations, f"system-{index}")
            for index, (system, row) in enumerate(zip(report.systems, rows, strict=True), 1)
        ],
        latency=latency_plot(times),
        size=size_plot(report),
        warnings=warnings(report),
        legend=legend(report.parameters.k),
        not_shown=NOT_SHOWN,
        disclosure=disclosure(report, times),
        cost_heads=HEADINGS,
        costs=costs(times),
        costs_note=costs_note(times),
        versions=sorted(report.versions.items()),
        release=report.benchmark_version,
    )


def _section(
    report: Report, system: SystemReport, row: Glance, observations: Observations, anchor: str
) -> Section:
    query, drift, rebuild = system.families.query, system.families.drift, system.families.rebuild
    shown = system.status in ("ok", "vacuous")
    texts = [item.query for item in query.per_query]
    return Section(
        anchor=anchor,
        name=system.name,
        summary=system.summary,
        level=row.level,
        sentences=row.sentences,
        tables=tuple(_tables(system)) if shown else (),
        agreement=agreement_plot(query, f"{anchor}-agreement")
        if query.status == "ok" and query.per_query
        else "",
        drift=drift_plot(drift, f"{anchor}-drift") if drift.status == "ok" and drift.per_query else "",
        queries=_queries(system) if shown and query.per_query else None,
        divergence=first_divergence(observations, system.name, texts, report.parameters.k) if texts else None,
        differing=rebuild.differing_files,
        differing_total=rebuild.differing_files_total,
        facts=tuple(_facts(system)),
        output=system.failure.output if system.failure is not None else "",
    )


def _tables(system: SystemReport) -> Iterator[Table]:
    kinds = agreements(system.families.query)
    # Vacuous answers agree, and that is what must not be shown as agreement.
    if kinds and system.families.query.status == "ok":
        yield Table(
            caption="How far repeated answers agree",
            heads=("Compared", "Differed", "Same (EMR)", "Jaccard", "K", "RBO", "tau"),
            rows=tuple(
                (
                    Cell(text=name),
                    Cell(text=f"{kind.rate.flips} of {kind.rate.n}"),
                    Cell(text=number(kind.emr), detail=f"n = {kind.rate.n}"),
                    *(_estimate(value) for value in (kind.jaccard, kind.kendall_top, kind.rbo, kind.tau)),
                )
                for name, kind in kinds
            ),
        )
    drift = system.families.drift
    if drift.status == "ok" and drift.drift is not None:
        documents = plural(drift.noise_documents, "unrelated document")
        yield Table(
            caption=f"Drift when {documents} {'is' if drift.noise_documents == 1 else 'are'} added",
            heads=("Drift", "Value"),
            rows=(
                (Cell(text="as it is"), _estimate(drift.drift, up=True)),
                (Cell(text="of rebuilding alone"), _estimate(drift.null_drift)),
                (Cell(text="beyond that"), _estimate(drift.net_drift)),
                (Cell(text="answers with noise in them"), _rate(drift.noise_surfaced)),
            ),
        )
    quality = system.quality
    if quality is not None:
        yield Table(
            caption="Quality, over queries whose relevant files are known",
            heads=("Measure", "Value"),
            rows=(
                (Cell(text=f"recall@{quality.k}"), _estimate(quality.recall)),
                (Cell(text=f"nDCG@{quality.k}"), _estimate(quality.ndcg)),
                (Cell(text="MRR"), _estimate(quality.mrr)),
            ),
        )


def _estimate(estimate: Estimate | None, *, up: bool = False) -> Cell:
    if estimate is None:
        return Cell(text="absent", look="absent")
    between = interval(estimate.low, estimate.high)
    return Cell(text=f"{number(estimate.value, up=up)} {between}".rstrip(), detail=f"n = {estimate.n}")


def _rate(rate: FlipRate | None) -> Cell:
    return Cell(text="absent", look="absent") if rate is None else Cell(text=f"{rate.flips} of {rate.n}")


def _queries(system: SystemReport) -> Table:
    drifting = system.families.drift.per_query
    rows = []
    for index, row in enumerate(system.families.query.per_query):
        moved = drifting[index] if index < len(drifting) else None
        rows.append(
            (
                Cell(text=f"{index + 1}. {row.query}"),
                Cell(text=str(row.distinct_lists)),
                Cell(text=number(row.jaccard)),
                Cell(text=number(moved.jaccard)) if moved else NOTHING,
                Cell(text=str(moved.noise_in_top_k)) if moved else NOTHING,
            )
        )
    return Table(
        caption="Every query",
        heads=("Query", "Distinct lists", "Jaccard between passes", "Jaccard with noise", "Noise entries"),
        rows=tuple(rows),
    )


def _facts(system: SystemReport) -> Iterator[tuple[str, str]]:
    yield "adapter", system.reference
    yield "adapter source", f"SHA-256 {system.adapter_source}"
    if system.system is not None:
        note = f" ({system.system.note})" if system.system.note else ""
        yield "says it is", f"{system.system.id}, {system.system.source}{note}"
    if system.artifact is not None:
        files = plural(system.artifact.files, "file")
        yield (
            "artifact",
            f"{size(system.artifact.bytes)} in {files}; {system.artifact.identity} {system.artifact.hash}",
        )
    if system.distributions:
        yield "installed with it", ", ".join(system.distributions)
    for text in system.deviations:
        yield "deviation", text
    if system.remote:
        yield "remote", "a service; what it ran on is not known"
    if system.fingerprint is not None:
        yield "fingerprint", system.fingerprint
