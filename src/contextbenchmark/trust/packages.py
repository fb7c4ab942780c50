"""Packages put into an environment by pip, and what pip's words mean when it fails.

pip runs with the user's own configuration of where packages come from. It is our interpreter's, or is put into a
throw-away environment where ours has none, so that an engine's environment holds the engine and nothing else.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from contextbenchmark.core.process import ChildExited, ChildTimedOut
from contextbenchmark.errors import EngineError
from contextbenchmark.trust.environment import make_environment, python_of
from contextbenchmark.trust.workplace import Workplace

_REQUIREMENT = re.compile(
    r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[^\]]*\])?\s*([^;]*)(;.*)?", re.S
)
INSTALL_SECONDS = 3600.0
# Settings of pip that would install elsewhere, not at all, or not the whole of what was asked for.
_PIP_OFF = ("TARGET", "PREFIX", "ROOT", "PYTHON", "REQUIRE_VIRTUALENV", "NO_COMPILE", "DRY_RUN", "NO_DEPS", "QUIET",
            "VERBOSE", "LOG", "REPORT", "REQUIREMENT", "EDITABLE", "IGNORE_INSTALLED", "UPGRADE")  # fmt: skip
_ADDRESS = re.compile(r"\b(?:https?|file|git\+\w+)://\S+")
_SAID_ELSEWHERE = re.compile(r" \(from versions: [^)]*\)")

# What pip's words mean, the first that fits: pattern, what happened, remedy. "No network" stands before
# "no such release", because pip ends both in the same sentence.
_CAUSES: tuple[tuple[str, str, str], ...] = (
    (
        r"No space left on device|Disk quota exceeded|Errno 28\b|Errno 122\b",
        "the disk is full",
        "Free some space, or name another folder in CONTEXTBENCHMARK_CACHE, and repeat the command.",
    ),
    (
        r"Read-only file system|Permission denied|Errno 13\b|Errno 30\b",
        "a folder may not be written",
        "Name a folder that you may write in CONTEXTBENCHMARK_CACHE.",
    ),
    (
        r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Connection refused|"
        r"ConnectTimeoutError|ReadTimeoutError|Max retries exceeded|ProxyError|SSLError|"
        r"Network is unreachable|connection broken",
        "the package index cannot be reached",
        "Check the network, and pip's settings for an index or a proxy (pip config list).",
    ),
    (
        r"ResolutionImpossible|conflicting dependencies",
        "its requirements contradict one another, or a constraint that pip is configured with",
        "Ask for another version, or change that constraint.",
    ),
    (
        r"\(from versions: none\)",
        "no release of it was found for this machine and Python",
        "Check the name, and that the package index can be reached.",
    ),
    (
        r"No matching distribution found for (?P<what>[^\n]+)",
        "no such release is there for this machine and Python",
        "Check name and version, or use a Python for which it was released.",
    ),
    (
        r"requires a different Python|Requires-Python",
        "it does not support this Python",
        "Ask for another version, or run contextbenchmark with a Python that it supports.",
    ),
    (
        r"Invalid requirement",
        "a requirement is not written as pip reads them",
        "Write it like name==1.2.3.",
    ),
    (
        r"subprocess-exited-with-error|[Ff]ailed to build|Failed building wheel",
        "no ready-made package is there for this machine, and building it from source failed",
        "Install what it needs for building (a C, C++ or Rust compiler), or ask for another version.",
    ),
)


def pinned_version(requirements: Sequence[str]) -> str | None:
    """Return the version that the first of ``requirements`` pins with ``==``, or None."""
    found = _REQUIREMENT.fullmatch(requirements[0]) if requirements else None
    pin = re.fullmatch(r"={2,3}\s*([^\s,*]+)\s*", found[3]) if found else None
    return pin[1] if pin else None


def with_version(name: str, requirements: Sequence[str], version: str | None) -> tuple[str, ...]:
    """Return ``requirements`` with the first one's version replaced by ``version``, unless that is None.

    :raises EngineError: there are none, one does not start with a package's name, or the version is not one.
    """
    if not requirements:
        raise EngineError(
            f"{name} declares no requirements, so it has no environment of its own.", "Run it as it is."
        )
    for requirement in requirements:
        if not _REQUIREMENT.fullmatch(requirement):
            raise EngineError(
                f"{name} declares the requirement {requirement!r}, which does not start with a package's name.",
                "Write each requirement like name==1.2.3.",
            )
    if version is None:
        return tuple(requirements)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*", version):
        raise EngineError(f"{version!r} is not a version.", f"Write it like {name}@1.2.3.")
    first = _REQUIREMENT.fullmatch(requirements[0])
    assert first is not None
    # A marker (`; python_version < "3.13"`) stays: it says when the requirement holds, not which version.
    return (f"{first[1]}{first[2] or ''}=={version}{first[4] or ''}", *requirements[1:])


def install_packages(
    workplace: Workplace, folder: Path, requirements: Sequence[str], label: str, report: Callable[[str], None]
) -> None:
    """Install ``requirements`` and what they need into the environment in ``folder``, compiled to bytecode.

    ``report`` is told what goes on, a line at a time; every line starts with ``label``.

    :raises EngineError: with what pip said at last, and a remedy.
    """
    # Compiled now, so that no run has to write into the environment (nor is able to).
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--compile"]
    pip = own_pip() or throwaway_pip(workplace, label, report)
    command = [*pip, "--python", str(python_of(folder)), "install", *options, "--", *requirements]
    code, output = _run(workplace, command, lambda line: _tell(line, label, report))
    if code != 0:
        raise explain(label, requirements, output)


def own_pip() -> list[str] | None:
    """Return a command for our interpreter's pip, or None where it has none."""
    return [sys.executable, "-m", "pip"] if importlib.util.find_spec("pip") else None


def throwaway_pip(workplace: Workplace, label: str, report: Callable[[str], None]) -> list[str]:
    """Return a command for a pip that goes away with ``workplace``: the one that Python itself brings."""
    report(f"{label}: unpacking the pip that comes with Python")
    folder = workplace.new_folder("pip") / "environment"
    make_environment(folder)
    code, output = _run(workplace, [str(python_of(folder)), "-m", "ensurepip"], lambda _: None)
    if code != 0:
        raise EngineError(
            f"{label} cannot be installed: this Python has no pip, and cannot unpack one: {_last_lines(output)}",
            f"Install pip for {sys.executable} (on Debian and Ubuntu: apt-get install python3-pip python3-venv).",
        )
    return [str(python_of(folder)), "-m", "pip"]


def _run(
    workplace: Workplace, command: Sequence[str], tell: Callable[[str], None]
) -> tuple[int | None, list[str]]:
    """Run ``command`` to its end; return its exit status (None: it took too long) and the lines it printed."""
    child = workplace.start(
        command, folder=workplace.new_folder("pip"), environment=pip_environment(os.environ, workplace.folder)
    )
    said: list[str] = []
    code: int | None = None
    deadline = time.monotonic() + INSTALL_SECONDS
    try:
        while True:
            line = child.next_line(deadline).decode("utf-8", "replace")
            said.append(line)
            tell(line)
    except ChildExited as ended:
        code = ended.returncode
    except ChildTimedOut:
        said.append(f"it had not finished after {INSTALL_SECONDS:g} s")
    finally:
        workplace.end(child)
    return code, [*said, *child.output().splitlines()]


def pip_environment(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the user's environment without what would lead pip astray; temporary files go to ``folder``.

    ``PYTHONPATH``, ``PYTHONPYCACHEPREFIX`` and the like are left out too: they belong to another program.
    """
    off = {f"PIP_{name}" for name in _PIP_OFF}
    kept = {
        name: value
        for name, value in environment.items()
        if name not in off and name != "VIRTUAL_ENV" and not name.startswith("PYTHON")
    }
    place = str(folder)
    # Lines must come as they are printed, and in the words that are looked for above.
    return {**kept, "TMPDIR": place, "TEMP": place, "TMP": place, "PIP_USER": "0", "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}  # fmt: skip


def _tell(line: str, label: str, report: Callable[[str], None]) -> None:
    # What is small is there before it has been read; only downloads of a megabyte and more are told.
    if found := re.match(r"\s*Downloading (\S+?) \(([\d.]+ [MG]B)\)$", line):
        file = found[1].rpartition("/")[2]
        name = (
            "-".join(file.split("-")[:2]) if file.endswith(".whl") else re.sub(r"\.(tar\.gz|zip)$", "", file)
        )
        report(f"{label}: downloading {name} ({found[2]})")
    elif found := re.match(r"\s*Building wheel for (\S+)", line):
        report(f"{label}: building {found[1]} from source")
    elif found := re.match(r"Installing collected packages: (.+)", line):
        count = len(found[1].split(","))
        report(f"{label}: unpacking {count} package{'' if count == 1 else 's'}")


def explain(label: str, requirements: Sequence[str], output: Sequence[str]) -> EngineError:
    """Return what pip's ``output`` (its lines) means for a person."""
    text = "\n".join(output)
    for pattern, what, remedy in _CAUSES:
        if found := re.search(pattern, text):
            missing = found.groupdict().get("what")
            about = missing.strip() if missing else ", ".join(requirements)
            near = _versions_near(text)
            return EngineError(
                f"{label} cannot be installed ({about}): {what}.{near} pip said: {_last_lines(output)}",
                remedy,
            )
    return EngineError(
        f"{label} cannot be installed ({', '.join(requirements)}). pip said: {_last_lines(output)}",
        "Repeat the command; should it fail again, install the same requirements by hand to see more.",
    )


def _versions_near(text: str) -> str:
    found = re.search(r"\(from versions: ([^)]+)\)", text)
    if not found or found[1].strip() == "none":
        return ""
    return f" The newest there are {', '.join(found[1].split(', ')[-5:])}."


def _last_lines(output: Sequence[str]) -> str:
    """Return pip's last three lines that say something, its errors before its other words, as one line."""
    lines = [
        _SAID_ELSEWHERE.sub("", _ADDRESS.sub("<address>", line.strip())) for line in output if line.strip()
    ]
    lines = [line for line in lines if not line.startswith(("[notice]", "hint:"))]
    errors = [line for line in lines if line.lower().startswith("error")]
    chosen = (errors or lines)[-3:]
    return " | ".join(line if len(line) <= 300 else line[:297] + "..." for line in chosen) or "nothing."
