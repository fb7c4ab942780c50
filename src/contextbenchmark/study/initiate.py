"""``study init``: a commented study file for one's own server and repository, with a task proposed from a change."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.record import write_whole
from contextbenchmark.errors import StudyError
from contextbenchmark.study.check import TO_WRITE
from contextbenchmark.study.design_file import STUDY_FILE, read_design
from contextbenchmark.study.propose import (
    Change,
    head,
    hidden_tests,
    package_url,
    propose,
    reference,
    usual_test_command,
)

TASK_FOLDER = "tasks/T1"
RULE_FILE = "rule.md"


@dataclass(frozen=True, kw_only=True)
class Initiated:
    """What was written: the study file, every file beside it, the change that the task was taken from."""

    study_file: Path
    files: tuple[Path, ...]
    change: Change | None


def initiate(folder: Path, *, server: str, clone: Path, task: bool = True) -> Initiated:
    """Write a study of ``server`` on the repository of ``clone`` into ``folder``.

    :param server: the command that starts the context server, as one would type it.
    :param task: propose T1 from a merged change; otherwise its files hold what has to be written.
    :raises StudyError: there is a study already, or nothing can be proposed.
    """
    study_file = folder / STUDY_FILE
    if study_file.exists():
        raise StudyError(f"{study_file} is there already.", "Choose another folder with --out.")
    argv = _split(server)
    change = propose(clone) if task else None
    commit = change.before if change else head(clone)
    files: dict[str, bytes] = {
        RULE_FILE: _rule(argv).encode("utf-8"),
        f"{TASK_FOLDER}/prompt.md": _prompt(change).encode("utf-8"),
    }
    if change is not None:
        files[f"{TASK_FOLDER}/reference.patch"] = reference(clone, change)
        files |= {f"{TASK_FOLDER}/hidden/{path}": content for path, content in hidden_tests(clone, change)}
    text = _study(folder, argv, package_url(clone), commit, usual_test_command(clone, commit), change)
    for path, content in files.items():
        write_whole(folder / path, content)
    write_whole(study_file, text)
    read_design(study_file)
    return Initiated(study_file=study_file, files=tuple(folder / path for path in files), change=change)


def _split(server: str) -> tuple[str, ...]:
    try:
        argv = tuple(shlex.split(server))
    except ValueError as error:
        raise StudyError(f"The command {server!r} cannot be read: {error}.", "Mind its quotes.") from error
    if not argv:
        raise StudyError("No server was named.", 'Name its command: --server "npx -y my-context-server".')
    return argv


def _server_name(argv: Sequence[str]) -> str:
    """Return a short name: the last word that is no option, without path and version."""
    words = [word for word in argv if not word.startswith("-")]
    last = (words[-1] if words else argv[0]).rstrip("/").rpartition("/")[2].partition("@")[0]
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "-" for c in last)[:60] or "server"


def _rule(argv: Sequence[str]) -> str:
    return (
        f"Before you read a file, look for what you need with the tools of the {_server_name(argv)} server.\n"
        f"{TO_WRITE} this text is part of the treatment; replace it by the rule that the server's users have.\n"
    )


def _prompt(change: Change | None) -> str:
    if change is None:
        return f"{TO_WRITE} what is to be built, in a user's words, and nothing about how it is tested.\n"
    return (
        f"Make this change to the repository. Tests that you cannot see will judge it.\n\n{change.message}\n\n"
        f"{TO_WRITE} this is the message of the merged change; say what is wanted, in a user's words, without "
        "naming the files.\n"
    )


def _toml(value: str | Sequence[str]) -> str:
    """Return a TOML basic string, or an array of them."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(_toml(item) for item in value)}]"


def _study(
    folder: Path, argv: Sequence[str], purl: str, commit: str, tests: Sequence[str], change: Change | None
) -> str:
    name = _server_name(argv)
    title = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in folder.resolve().name)
    origin = f"# The commit before {change.commit}." if change else "# The commit that the clone stood at."
    # What was not proposed stands there as a comment.
    mark = "" if change else "# "
    template = Path(__file__).with_name("study_template.toml").read_text(encoding="utf-8")
    return template.format(
        name=_toml(title.strip("._-")[:80] or "study"),
        question=_toml(f"Does adding {name} improve the work enough to justify its cost in time and tokens?"),
        purl=_toml(purl),
        commit=_toml(commit),
        origin=origin,
        server_name=_toml(name),
        server=_toml(argv),
        tools=_toml(f"mcp__{name}"),
        rule=_toml(RULE_FILE),
        prompt=_toml(f"{TASK_FOLDER}/prompt.md"),
        hidden=f"{mark}hidden_tests = {_toml(TASK_FOLDER + '/hidden')}",
        tests=f"test_command = {_toml(tests)}" if tests else '# test_command = ["...", "{report}"]',
        reference=f"{mark}reference = {_toml(TASK_FOLDER + '/reference.patch')}",
    )
