"""The CSV files hold the report's numbers exactly, and no formulas."""

from __future__ import annotations

import csv
import io

from contextbenchmark.trust.outputs.csv_tables import queries_csv, systems_csv, times_csv
from tests.golden.sample import QUERIES, SYSTEMS, sample


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_numbers_are_the_reports_to_the_last_digit() -> None:
    report, _, _ = sample()
    for row, system in zip(_read(systems_csv(report)), report.systems, strict=True):
        assert row["system"] == system.name and row["status"] == system.status
        assert row["level"] == (system.level or "")
        drift = system.families.drift.drift
        assert row["drift"] == ("" if drift is None else repr(drift.value))
        across = system.families.query.across_builds
        assert row["across_builds_emr"] == ("" if across is None else repr(across.emr))
        assert row["ndcg"] == ("" if system.quality is None else repr(system.quality.ndcg.value))


def test_each_measured_system_has_a_line_a_query() -> None:
    rows = _read(queries_csv(sample()[0]))
    measured = [name for name in SYSTEMS if name not in ("hangs", "needs-a-key")]
    assert [row["system"] for row in rows] == [name for name in measured for _ in QUERIES]
    assert rows[1]["query_id"] == "q0002" and rows[1]["query"] == QUERIES[1].text


def test_times_stand_apart() -> None:
    _, times, _ = sample()
    rows = {row["system"]: row for row in _read(times_csv(times))}
    assert rows["hangs"]["query_p50_s"] == "" and rows["hangs"]["queries_timed"] == "0"
    assert float(rows["steady"]["query_p50_s"]) == times.systems[0].latency["p50"]


def test_a_name_is_never_a_formula() -> None:
    report, _, _ = sample()
    evil = report.systems[0].model_copy(update={"name": "=cmd|' /C calc'!A0", "reasons": ("+1", "\n@x")})
    row = _read(systems_csv(report.model_copy(update={"systems": (evil,)})))[0]
    assert row["system"].startswith("'=") and row["reasons"].startswith("'+1")
