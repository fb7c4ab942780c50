"""The tables as CSV: systems and queries (equal observations, equal bytes), and times in a file of their own.

Numbers are written as Python writes them, so that nothing is lost; an empty cell is undefined or not measured, and
the column of the family's status says which. Text that a spreadsheet would take for a formula has ``'`` before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from contextbenchmark.render.text import csv_text
from contextbenchmark.trust.outputs.glance import median
from contextbenchmark.trust.record import Agreement, Estimate, FlipRate, Report, SystemReport, Times

Value = str | int | float | None

_SYSTEM_COLUMNS = (
    "system", "adapter", "status", "level", "rebuild_status", "builds", "distinct_artifacts", "query_status", "passes",
    "queries", "answered", "distinct_lists",
    *(f"{kind}_{measure}" for kind in ("within_build", "across_builds", "across_reopenings", "asked_again")
      for measure in ("emr", "flips", "n", "upper95", "jaccard", "jaccard_n", "kendall_top", "rbo", "tau", "tau_n")),
    "drift_status", "drift_verdict", "drift", "drift_low", "drift_high", "drift_n", "null_drift", "net_drift",
    "net_drift_low", "net_drift_high", "noise_surfaced", "noise_n", "k", "recall", "ndcg", "ndcg_low", "ndcg_high",
    "ndcg_n", "mrr", "artifact_bytes", "artifact_files", "artifact_hash", "reasons",
)  # fmt: skip
_QUERY_COLUMNS = (
    "system", "query_id", "query", "distinct_lists", "jaccard", "drift_jaccard", "null_jaccard", "noise_in_top_k",
)  # fmt: skip
_TIME_COLUMNS = (
    "system", "builds", "build_median_s", "passes", "pass_median_s", "query_p50_s", "query_p90_s", "query_p99_s",
    "query_max_s", "queries_timed", "peak_memory_bytes",
)  # fmt: skip


def systems_csv(report: Report) -> str:
    """Return one line a system."""
    return _table(_SYSTEM_COLUMNS, (_system(system, report.parameters.k) for system in report.systems))


def _system(system: SystemReport, k: int) -> list[Value]:
    rebuild, query, drift = system.families.rebuild, system.families.query, system.families.drift
    quality, artifact = system.quality, system.artifact
    row: list[Value] = [system.name, system.adapter, system.status, system.level]
    row += [rebuild.status, rebuild.builds, rebuild.distinct_hashes]
    row += [query.status, query.passes, query.queries, query.answered, query.distinct_lists]
    for agreement in (
        query.within_build, query.across_builds, query.across_reopenings, query.history_agreement,
    ):  # fmt: skip
        row += _agreement(agreement)
    row += [drift.status, drift.verdict, *_estimate(drift.drift)]
    row += [_value(drift.null_drift), *_estimate(drift.net_drift)[:3], *_rate(drift.noise_surfaced)]
    row += [k, _value(quality.recall if quality else None), *_estimate(quality.ndcg if quality else None)]
    row += [_value(quality.mrr if quality else None)]
    row += [artifact.bytes, artifact.files, artifact.hash] if artifact else [None, None, None]
    return [*row, " ".join(system.reasons)]


def _agreement(agreement: Agreement | None) -> list[Value]:
    if agreement is None:
        return [None] * 10
    rate = agreement.rate
    return [
        agreement.emr, rate.flips, rate.n, rate.upper95, agreement.jaccard.value, agreement.jaccard.n,
        agreement.kendall_top.value, agreement.rbo.value, agreement.tau.value, agreement.tau.n,
    ]  # fmt: skip


def _value(estimate: Estimate | None) -> float | None:
    return estimate.value if estimate is not None else None


def _estimate(estimate: Estimate | None) -> list[Value]:
    return [estimate.value, estimate.low, estimate.high, estimate.n] if estimate else [None] * 4


def _rate(rate: FlipRate | None) -> list[Value]:
    return [rate.flips, rate.n] if rate else [None, None]


def queries_csv(report: Report) -> str:
    """Return one line a system and query; ``query_id`` is the one in the TREC files."""
    return _table(_QUERY_COLUMNS, (row for system in report.systems for row in _queries(system)))


def _queries(system: SystemReport) -> Iterable[list[Value]]:
    stable, drifting = system.families.query.per_query, system.families.drift.per_query
    for number in range(max(len(stable), len(drifting))):
        row: list[Value] = [system.name, f"q{number + 1:04d}"]
        row.append(stable[number].query if number < len(stable) else drifting[number].query)
        row += [stable[number].distinct_lists, stable[number].jaccard] if number < len(stable) else [None] * 2
        if number < len(drifting):
            moved = drifting[number]
            row += [moved.jaccard, moved.null_jaccard, moved.noise_in_top_k]
        else:
            row += [None] * 3
        yield row


def times_csv(times: Times) -> str:
    """Return one line a system: seconds and bytes."""
    rows: list[list[Value]] = []
    for system in times.systems:
        peaks = (*system.build.peak_memory_bytes, *system.query_pass.peak_memory_bytes)
        rows.append([
            system.name, len(system.build.wall), median(system.build.wall), len(system.query_pass.wall),
            median(system.query_pass.wall), *(system.latency.get(name) for name in ("p50", "p90", "p99", "max")),
            system.queries_timed, max(peaks, default=None),
        ])  # fmt: skip
    return _table(_TIME_COLUMNS, rows)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        assert len(row) == len(columns)
        writer.writerow([_cell(value) for value in row])
    return stream.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return csv_text(value) if isinstance(value, str) else repr(value)
