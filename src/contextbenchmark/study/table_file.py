"""Read a table row by row, CSV or JSON lines, under our names for its columns; nothing is held but the row."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from contextbenchmark.errors import StudyError

# Our column -> the file's.
ColumnNames = Mapping[str, str]
_DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, kw_only=True)
class RawRow:
    """A row as it stands: the line that it ends on, its values by our names; ``problem``: why it is none."""

    line: int
    values: dict[str, object] = field(default_factory=dict)
    problem: str = ""


def read_table(path: Path, names: ColumnNames) -> Iterator[RawRow]:
    """Yield the rows of ``path``; a line that holds none is yielded with its problem.

    A file is JSON lines where its name ends in ``.jsonl``, ``.ndjson`` or ``.json``, or its first character is ``{``.

    :param names: other names of columns, ours -> the file's.
    :raises StudyError: the file cannot be read, is not UTF-8, or its header is none.
    """
    theirs = {other: ours for ours, other in names.items()}
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            if _is_json(path, stream):
                yield from _json_lines(stream, theirs)
            else:
                yield from _csv_rows(path, stream, theirs)
    except OSError as error:
        raise StudyError(f"Cannot read {path}: {error.strerror}.", "Name a file that is there.") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from error


def _is_json(path: Path, stream: TextIO) -> bool:
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return True
    if path.suffix.lower() in (".csv", ".tsv"):
        return False
    first = stream.read(1)
    stream.seek(0)
    return first == "{"


def _json_lines(stream: TextIO, theirs: Mapping[str, str]) -> Iterator[RawRow]:
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield RawRow(line=number, problem="the line is not JSON")
            continue
        if not isinstance(value, dict):
            yield RawRow(line=number, problem="the line is not a JSON object")
            continue
        yield RawRow(line=number, values={theirs.get(key, key): item for key, item in value.items()})


def _csv_rows(path: Path, stream: TextIO, theirs: Mapping[str, str]) -> Iterator[RawRow]:
    head = stream.readline()
    delimiter = max(_DELIMITERS, key=head.count)
    stream.seek(0)
    rows = csv.reader(stream, delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            yield RawRow(line=rows.line_num, problem=f"the line is not CSV: {error}")
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if columns is None:
            columns = _header(path, cells, theirs)
        elif len(cells) != len(columns):
            yield RawRow(
                line=rows.line_num, problem=f"the row has not {len(columns)} cells as the header has"
            )
        else:
            yield RawRow(line=rows.line_num, values=dict(zip(columns, cells, strict=True)))
    if columns is None:
        raise StudyError(f"{path} is empty.", "Its first line names the columns.")


def _header(path: Path, cells: list[str], theirs: Mapping[str, str]) -> list[str]:
    columns = [theirs.get(cell.strip(), cell.strip()) for cell in cells]
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        raise StudyError(f"{path} has two columns {twice[0]!r}.", "Rename one of them.")
    return columns
