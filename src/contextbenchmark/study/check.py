"""``study check``: a study and the files that it names, before anything is spent. No agent runs here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from contextbenchmark.study.demands import Finding, demands, present, sessions
from contextbenchmark.study.design import Design, Task
from contextbenchmark.study.design_file import each_task, named_files, read_design
from contextbenchmark.study.repository import files_at, has_commit, modules, source_files, touched

# The rule book's figures (Tasks; What changed from v1).
SOURCE_FILES = (2_000, 5_000)
TOUCHED_FILES = (6, 10)
LEAST_MODULES = 3
FILES_A_QUESTION = 3
# What `study init` leaves in a text that only its author can write.
TO_WRITE = "TO WRITE:"


class SolutionCheck(Protocol):
    """Run each reference solution, and the untouched tree, against the hidden tests; yield what is wrong."""

    def __call__(self, design: Design, folder: Path, clone: Path) -> Iterable[Finding]: ...


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What the study costs at most, retries left out; None where no limit is registered.

    ``sessions`` and ``judge_calls`` are counts, ``wall_s`` seconds with the registered number of pairs at once,
    ``cost_usd`` US dollars for the agent (judges left out), ``tokens`` weighted tokens.
    """

    sessions: int
    judge_calls: int
    wall_s: float
    cost_usd: float | None
    tokens: float | None


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What :func:`check` found; ``not_checked`` says, a sentence each, what it could not look at."""

    design: Design
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    estimate: Estimate

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Return what must be mended before the study can be registered."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


def check(study_file: Path, clone: Path | None = None, solutions: SolutionCheck | None = None) -> Checked:
    """Check a study file, its files and, where ``clone`` holds the commit, the repository.

    What the rule book demands beyond a measurable study is an error in its preset and a warning in any other.

    :raises StudyError: the study file cannot be read.
    """
    design = read_design(study_file)
    folder = study_file.parent
    findings = [
        *demands(design),
        *_files(design, folder),
        *_references(design, folder),
        *_questions(design, folder),
    ]
    skipped: list[str] = []
    if clone is None:
        skipped.append("The repository was not looked at: name a clone that holds the commit with --repo.")
    else:
        findings += _repository(design, clone)
    if solutions is None or clone is None:
        skipped.append("No reference solution was run against its hidden tests, nor the untouched tree.")
    elif has_commit(clone, design.repository.commit):
        findings += solutions(design, folder, clone)
    strict = design.preset == "rule-book"
    return Checked(
        design=design,
        findings=tuple(_settled(finding, strict) for finding in findings),
        not_checked=tuple(skipped),
        estimate=estimate(design),
    )


def estimate(design: Design) -> Estimate:
    """Return the most that a study can take under its own limits."""
    count, limits = sessions(design), design.limits
    judged = [name for name in ("T1", "T3") if name in present(design)]
    pairs = sum(getattr(design.repeats, name) for name in judged)
    money = [count * limits.session.cost_usd] if limits.session.cost_usd is not None else []
    money += [limits.run.cost_usd] if limits.run.cost_usd is not None else []
    tokens = limits.session.tokens
    return Estimate(
        sessions=count,
        judge_calls=2 * pairs * len(design.judging.judges),
        wall_s=count * (limits.session.wall_s + limits.session.grace_s) / design.schedule.parallel,
        cost_usd=min(money, default=None),
        tokens=None if tokens is None else count * tokens,
    )


def _settled(finding: Finding, strict: bool) -> Finding:
    if finding.severity != "demand":
        return finding
    return Finding(severity="error" if strict else "warning", place=finding.place, problem=finding.problem)


def _files(design: Design, folder: Path) -> Iterator[Finding]:
    for path in sorted(set(design.hidden) - {named.path for named in named_files(design)}):
        yield Finding(
            severity="error", place="hidden", problem=f"{path} is named nowhere else, so it hides nothing"
        )
    for named in named_files(design):
        place = folder / named.path
        if not place.exists():
            yield Finding(severity="error", place=named.role, problem=f"there is no {named.path}")
        elif place.is_dir() and not any(path.is_file() for path in place.rglob("*")):
            yield Finding(severity="error", place=named.role, problem=f"the folder {named.path} is empty")
        elif place.is_file() and place.stat().st_size == 0:
            yield Finding(severity="error", place=named.role, problem=f"{named.path} is empty")
        elif place.is_file() and not named.hidden and TO_WRITE in _text(place):
            problem = f"{named.path} still says {TO_WRITE!r}: write it"
            yield Finding(severity="error", place=named.role, problem=problem)


def _references(design: Design, folder: Path) -> Iterator[Finding]:
    """Judge the size of the work by the reference solution, and whether it needs any context."""
    for where, task in each_task(design):
        name = where.split(".")[1]
        if name in ("T2", "T3"):
            continue
        if task.reference is None:
            if name in ("T1", "T4"):
                problem = "is missing, so nobody can tell that the task can be done, nor how large it is"
                yield Finding(severity="demand", place=f"{where}.reference", problem=problem)
            continue
        paths = touched(_text(folder / task.reference))
        if not paths:
            if (folder / task.reference).is_file():
                yield Finding(
                    severity="error", place=f"{where}.reference", problem="is no patch in unified form"
                )
            continue
        if name in ("T1", "T4"):
            yield from _size(f"{where}.reference", paths)
        yield from _needs_context(where, task, folder, paths)


def _size(place: str, paths: tuple[str, ...]) -> Iterator[Finding]:
    low, high = TOUCHED_FILES
    if not low <= len(paths) <= high:
        problem = f"touches {len(paths)} files, the rule book asks for {low} to {high}"
        yield Finding(severity="demand", place=place, problem=problem)
    across = len(modules(paths))
    if across < LEAST_MODULES:
        problem = f"touches {across} modules (folders), the rule book asks for {LEAST_MODULES}"
        yield Finding(severity="demand", place=place, problem=problem)


def _needs_context(where: str, task: Task, folder: Path, paths: tuple[str, ...]) -> Iterator[Finding]:
    prompt = _text(folder / task.prompt)
    if len(paths) == 1:
        why = "its solution touches one file"
    elif all(path in prompt for path in paths):
        why = "its prompt names every file that its solution touches"
    else:
        return
    problem = f"may need no context ({why}): sessions that never call the server pull the treatment rate down"
    yield Finding(severity="warning", place=where, problem=problem)


def _questions(design: Design, folder: Path) -> Iterator[Finding]:
    """Check T2's answer key: TOML with ``[[question]]`` tables, each with its ``id`` and the ``files`` it needs."""
    task = design.tasks.T2
    if task is None or task.answer_key is None or not (folder / task.answer_key).is_file():
        return
    place = "tasks.T2.answer_key"
    try:
        questions = tomllib.loads(_text(folder / task.answer_key)).get("question")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        yield Finding(severity="error", place=place, problem=f"is not TOML: {error}")
        return
    if (
        not isinstance(questions, list)
        or not questions
        or not all(isinstance(item, dict) for item in questions)
    ):
        yield Finding(severity="error", place=place, problem="has no [[question]]")
        return
    names = [str(item.get("id", "")) for item in questions]
    if "" in names or len(set(names)) < len(names):
        yield Finding(severity="error", place=place, problem="every question needs an id of its own")
    for name, item in zip(names, questions, strict=True):
        files = item.get("files")
        needed = len(set(map(str, files))) if isinstance(files, list) else 0
        if needed < FILES_A_QUESTION:
            problem = f"question {name} needs {needed} files, the rule book asks for {FILES_A_QUESTION}"
            yield Finding(severity="demand", place=place, problem=problem)


def _repository(design: Design, clone: Path) -> Iterator[Finding]:
    commit = design.repository.commit
    if not has_commit(clone, commit):
        yield Finding(severity="error", place="repository.commit", problem=f"{clone} does not hold {commit}")
        return
    count = len(source_files(files_at(clone, commit), design.repository.extensions))
    low, high = SOURCE_FILES
    if not low <= count <= high:
        problem = f"has {count:,} source files, the rule book asks for {low:,} to {high:,}"
        yield Finding(severity="demand", place="repository", problem=problem)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
