"""The rules that the whole repository keeps."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "contextbenchmark"
HEAVY = ("numpy", "scipy", "pydantic", "rich", "typer", "jinja2", "psutil")

# Files that may be longer than 250 lines, each with its reason.
LONG_FILES = {
    "trust/record.py": "one schema, read from top to bottom beside the report that it describes",
}
LINE_LIMIT = 250

# Spelt in parts, so that this file does not hold what it looks for.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("deb.debian", "org"),
    )
)
MACHINE_PATHS = tuple(
    f"/{'/'.join(parts)}/"
    for parts in (
        ("work", "main"),
        ("work", "shared"),
        ("tmp", "brief"),
        ("opt", "pypi"),
        ("opt", "wheels"),
        ("root", "[.a-z]+"),
    )
)


def tracked_files() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [path for name in listing.decode().split("\0") if name and (path := ROOT / name).is_file()]


def test_importing_the_package_imports_nothing_heavy() -> None:
    program = f"import sys, contextbenchmark; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("patterns", [REGISTRY_HOSTS, MACHINE_PATHS], ids=["registry hosts", "machine paths"])
def test_no_committed_file_names_a_registry_host_or_a_path_of_one_machine(patterns: tuple[str, ...]) -> None:
    wanted = re.compile("|".join(pattern.replace(".", r"\.") for pattern in patterns).encode())
    found = []
    for path in tracked_files():
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if wanted.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert found == []


def test_source_files_stay_short() -> None:
    lengths = {
        path.relative_to(SOURCE).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    too_long = {name for name, lines in lengths.items() if lines > LINE_LIMIT}
    assert too_long - LONG_FILES.keys() == set(), "split the file, or list it here with a reason"
    assert LONG_FILES.keys() - too_long == set(), "this file is short enough now: take it off the list"


def test_links_in_the_documents_lead_somewhere() -> None:
    broken = []
    for document in tracked_files():
        if document.suffix == ".md" and "corpora" not in document.parts:
            for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
                if "://" not in target and not (document.parent / target).exists():
                    broken.append(f"{document.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_decision_is_in_the_list_of_decisions() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\((\d{4}-[a-z0-9-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_the_command_line_starts_without_what_only_a_run_needs() -> None:
    program = (
        "import sys, contextbenchmark.cli.app;"
        "print(*[m for m in ('numpy', 'scipy', 'jinja2', 'psutil', 'cryptography') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_direct_dependency_is_pinned_for_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower() for requirement in asked}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.partition("==") for line in lines if not line.startswith("#")]
    assert all(version for _, _, version in pinned)
    assert names - {name.lower().replace("_", "-") for name, _, _ in pinned} == set()


def test_what_an_adapter_may_declare_is_documented() -> None:
    from contextbenchmark.trust.adapter_source import _LITERALS

    text = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    assert [name for name in _LITERALS if f"`{name}" not in text] == []
