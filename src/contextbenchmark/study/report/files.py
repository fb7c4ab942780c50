"""Write an analysis and its reports: the record first, what is derived from it after."""

from __future__ import annotations

from pathlib import Path

from contextbenchmark.core.record import write_whole
from contextbenchmark.study.analysis_record import Analysis
from contextbenchmark.study.report.content import content
from contextbenchmark.study.report.markdown import markdown
from contextbenchmark.study.report.page import page

RECORD, TEXT, PAGE = "study.json", "study.md", "study.html"


def write_report(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write ``study.json``, ``study.md`` and ``study.html`` into ``folder`` and return where they are.

    :raises RunFolderError: the disk refuses.
    """
    told = content(analysis)
    files = {RECORD: analysis.to_json(indent=1) + "\n", TEXT: markdown(told), PAGE: page(told)}
    for name, text in files.items():
        write_whole(folder / name, text)
    return tuple(folder / name for name in files)
