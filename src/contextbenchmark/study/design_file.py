"""Read ``study.toml``, and list the files that it names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from contextbenchmark.errors import StudyError
from contextbenchmark.study.design import Design, Task

STUDY_FILE = "study.toml"


@dataclass(frozen=True, kw_only=True)
class NamedFile:
    """A file or folder that a design names: ``role`` is where; ``hidden``: only its digest is ever published."""

    path: str
    role: str
    hidden: bool


def named_files(design: Design) -> Iterator[NamedFile]:
    """Yield every file or folder that ``design`` names. Hidden are tests, answer keys, reference solutions,
    and what is listed under ``hidden``."""

    def named(path: str | None, role: str, hidden: bool = False) -> Iterator[NamedFile]:
        if path is not None:
            yield NamedFile(path=path, role=role, hidden=hidden or path in design.hidden)

    yield from named(design.arms.cc.rule, "arms.cc.rule")
    for where, task in each_task(design):
        for key in ("prompt", "change", "rubric"):
            yield from named(getattr(task, key), f"{where}.{key}")
        for key in ("hidden_tests", "reference", "answer_key"):
            yield from named(getattr(task, key), f"{where}.{key}", hidden=True)
    for key in ("code_quality", "communication", "answers"):
        yield from named(getattr(design.judging, key), f"judging.{key}")


def each_task(design: Design) -> Iterator[tuple[str, Task]]:
    """Yield every task with where it stands in the file; S5 step by step."""
    for name in ("T1", "T2", "T3", "T4"):
        task = getattr(design.tasks, name)
        if task is not None:
            yield f"tasks.{name}", task
    if design.tasks.S5 is not None:
        for number, step in enumerate(design.tasks.S5.steps, 1):
            yield f"tasks.S5.steps[{number}]", step


def read_design(path: Path) -> Design:
    """Read ``study.toml``.

    :raises StudyError: it cannot be read, is not TOML, or says something that cannot be meant; each place is named.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise StudyError(
            f"Cannot read {path}: {error.strerror}.", "Make one: contextbenchmark study init."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StudyError(f"{path} is not TOML: {error}.", "Mend the file.") from error
    try:
        return Design.model_validate(table)
    except ValidationError as error:
        places = [f"{_place(item['loc'])}: {_message(item['msg'])}" for item in error.errors()]
        more = f" (and {len(places) - 8} more)" if len(places) > 8 else ""
        raise StudyError(f"{path}: {'; '.join(places[:8])}{more}.", "Mend these places.") from error


def read_study_name(path: Path) -> str | None:
    """Return the name that a study file gives, None where the file cannot be read that far."""
    try:
        name = tomllib.loads(path.read_bytes().decode("utf-8")).get("name")
    except (OSError, ValueError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def _place(location: tuple[int | str, ...]) -> str:
    text = ".".join(str(part + 1) if isinstance(part, int) else part for part in location)
    return re.sub(r"\.(\d+)", r"[\1]", text) or "the file"


def _message(text: str) -> str:
    if text.startswith("Value error, "):
        return text.removeprefix("Value error, ")
    known = {"Extra inputs are not permitted": "is not a key of this table", "Field required": "is missing"}
    return known.get(text, text[:1].lower() + text[1:])
