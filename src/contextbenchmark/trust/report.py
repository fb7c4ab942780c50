"""Write every derived file of a run: each is replaced whole; the evidence beside them is never touched."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from contextbenchmark.core.names import safe_name
from contextbenchmark.core.record import write_whole
from contextbenchmark.trust.corpus import Query
from contextbenchmark.trust.fingerprint import make_fingerprint
from contextbenchmark.trust.observation import Observations
from contextbenchmark.trust.outputs.badge import badge_svg
from contextbenchmark.trust.outputs.csv_tables import queries_csv, systems_csv, times_csv
from contextbenchmark.trust.outputs.junit import junit_xml
from contextbenchmark.trust.outputs.markdown import markdown_report
from contextbenchmark.trust.outputs.page import html_page
from contextbenchmark.trust.outputs.summary import append_summary
from contextbenchmark.trust.outputs.trec import trec_files
from contextbenchmark.trust.record import Report, Times


def write_outputs(
    report: Report, times: Times, observations: Observations, queries: Sequence[Query], out: Path
) -> tuple[Path, ...]:
    """Write all files that are derived from a run into ``out`` and return their paths.

    Equal reports and observations give equal bytes in all of them but ``report.md``, ``report.html``,
    ``times.json`` and ``tables/times.csv``, which hold times. Files of systems that an earlier run left in
    ``out`` and this one does not have are left alone.

    :raises RunFolderError: the folder cannot be written.
    """
    written = []
    for name, content in output_files(report, times, observations, queries):
        path = out / name
        write_whole(path, content)
        written.append(path)
    append_summary(report, times)
    return tuple(written)


def output_files(
    report: Report, times: Times, observations: Observations, queries: Sequence[Query]
) -> Iterator[tuple[str, str]]:
    """Yield (path relative to the results folder, content) for every file; nothing is written."""
    yield "report.json", report.to_json(indent=1) + "\n"
    yield "times.json", times.to_json(indent=1) + "\n"
    yield "report.md", markdown_report(report, times)
    yield "report.html", html_page(report, times, observations)
    yield "junit.xml", junit_xml(report)
    yield "tables/systems.csv", systems_csv(report)
    yield "tables/queries.csv", queries_csv(report)
    yield "tables/times.csv", times_csv(times)
    for name, content in trec_files(report, observations, queries).items():
        yield f"trec/{name}", content
    for system in report.systems:
        yield f"badges/{safe_name(system.name)}.svg", badge_svg(system)
    texts = [query.text for query in queries]
    for system in report.systems:
        if system.fingerprint is not None:
            fingerprint = make_fingerprint(report, system, observations, texts)
            yield system.fingerprint, _json(fingerprint)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
