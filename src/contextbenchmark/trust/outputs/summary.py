"""The summary of a step on GitHub: Markdown, appended to the file that the runner names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from contextbenchmark.core.digest import shown
from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.outputs.markdown import markdown_summary
from contextbenchmark.trust.record import Report, Times

VARIABLE = "GITHUB_STEP_SUMMARY"
# The runner refuses a step's summary above 1 MiB, whole.
MAX_BYTES = 1 << 20


def append_summary(report: Report, times: Times, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Append the summary where ``GITHUB_STEP_SUMMARY`` is set, and return the file; else return None.

    :raises RunFolderError: the file cannot be written.
    """
    named = environment.get(VARIABLE)
    if not named:
        return None
    path = Path(named)
    content = markdown_summary(report, times).encode("utf-8")
    try:
        before = path.stat().st_size if path.exists() else 0
        if before + len(content) > MAX_BYTES:
            content = b"The summary of contextbenchmark is too long for this page; see report.md.\n"
        with open(path, "ab") as stream:
            stream.write(content)
    except OSError as error:
        raise RunFolderError(
            f"Cannot append the summary to {shown(path)}: {error.strerror}.",
            f"Unset {VARIABLE} or let it name a file that may be written.",
        ) from error
    return path
