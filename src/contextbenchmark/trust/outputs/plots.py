"""The plots of the page: agreement and drift a query, time a query and index size a system."""

from __future__ import annotations

from contextbenchmark.core.names import printable
from contextbenchmark.render.svg import Column, Span, columns, decades, spans
from contextbenchmark.render.text import number, plural, seconds, size
from contextbenchmark.trust.record import DriftFamily, QueryFamily, Report, Times

_PERCENTILES = ("p50", "p90", "p99", "max")


def agreement_plot(query: QueryFamily, identity: str) -> str:
    """Return the mean Jaccard over all pairs of passes, a column a query; marked where the lists ever differ."""
    items = [
        Column(
            label=str(index),
            value=row.jaccard,
            marked=row.distinct_lists > 1,
            title=f"{index}. {printable(row.query)}: Jaccard {number(row.jaccard)},"
            f" {plural(row.distinct_lists, 'distinct list')} in {plural(query.passes, 'pass')}",
        )
        for index, row in enumerate(query.per_query, 1)
    ]
    changed = sum(row.distinct_lists > 1 for row in query.per_query)
    return columns(
        items,
        title="Agreement of repeated answers, by query",
        description=f"Mean Jaccard between all passes. {changed} of {len(items)} queries got more than one list.",
        identity=identity,
    )


def drift_plot(drift: DriftFamily, identity: str) -> str:
    """Return the Jaccard with the answers without noise, a column a query, the rebuild null beside it."""
    items = [
        Column(
            label=str(index),
            value=row.jaccard,
            beside=row.null_jaccard,
            marked=row.noise_in_top_k > 0,
            title=f"{index}. {printable(row.query)}: Jaccard {number(row.jaccard)} with noise,"
            f" {number(row.null_jaccard)} between rebuilds, {row.noise_in_top_k} noise entries",
        )
        for index, row in enumerate(drift.per_query, 1)
    ]
    hit = sum(row.noise_in_top_k > 0 for row in drift.per_query)
    return columns(
        items,
        title="What one unrelated document moved, by query",
        description=f"Jaccard with the answer without noise. Noise got into {hit} of {len(items)} answers.",
        identity=identity,
    )


def latency_plot(times: Times) -> str:
    """Return p50 to the maximum of the seconds a query, a row a system; nothing where nothing was timed."""
    rows = []
    for system in times.systems:
        found = [(name, system.latency[name]) for name in _PERCENTILES if system.latency.get(name, 0) > 0]
        if found:
            points = tuple((value, f"{name} {seconds(value)}") for name, value in found)
            rows.append(
                Span(
                    label=printable(system.name),
                    points=points,
                    note=seconds(found[0][1]),
                )
            )
    if not rows:
        return ""
    scale = decades([value for row in rows for value, _ in row.points])
    return spans(
        rows,
        title="Time a query takes",
        description="Median (filled), 90th and 99th percentile and maximum over all base passes. Logarithmic.",
        identity="latency",
        ticks=[(value, seconds(value).replace(".00", "").replace(".0", "")) for value in scale],
    )


def size_plot(report: Report) -> str:
    """Return the bytes of each system's first artifact; nothing where no system left any."""
    rows = [
        Span(
            label=printable(system.name),
            points=((float(system.artifact.bytes), size(system.artifact.bytes)),),
            note=size(system.artifact.bytes),
        )
        for system in report.systems
        if system.artifact is not None and system.artifact.bytes
    ]
    if not rows:
        return ""
    corpus = max(1, report.corpus.bytes)
    scale = decades([*(row.points[0][0] for row in rows), float(corpus)])
    return spans(
        rows,
        title="Size of the index",
        description=f"Bytes that the first build left; the corpus itself has {size(corpus)}. Logarithmic.",
        identity="size",
        ticks=[(value, size(value).replace(".00", "").replace(".0", "")) for value in scale],
    )
