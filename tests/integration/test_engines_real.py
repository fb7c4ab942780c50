"""Real environments filled by the real pip: from a folder of wheels made here, and once from the registry."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run as command_line
from contextbenchmark.core.process import TOKEN_VARIABLE
from contextbenchmark.errors import EXIT_MISTAKE, EXIT_PASS, EngineError
from contextbenchmark.trust import packages
from contextbenchmark.trust.engines import (
    Engine,
    distributions,
    engine_for,
    engines_folder,
    install,
    installed_engines,
    remove,
)

HELPER = """
import sys
from contextbenchmark.trust.engines import engine_for, install
install(engine_for("toy", ["toy-engine==1.0"]), lambda line: print(line, flush=True))
"""


def make_wheel(folder: Path, version: str) -> None:
    """Write the wheel of a one-module package, as the wheel specification (PEP 427) lays it out."""
    info = f"toy_engine-{version}.dist-info"
    files = {
        "toy_engine.py": f"VERSION = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: toy-engine\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    with zipfile.ZipFile(folder / f"toy_engine-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CONTEXTBENCHMARK_CACHE", str(folder))
    return folder


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two versions of one package in a folder, and pip told to look nowhere else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    make_wheel(folder, "1.0")
    make_wheel(folder, "2.0")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def ask(engine: Engine, code: str) -> str:
    return subprocess.run(
        [engine.python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def files_below(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.usefixtures("wheels")
def test_two_versions_stand_side_by_side_and_running_them_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPATH", "/no/such/folder")
    told: list[str] = []
    old = install(engine_for("toy", ["toy-engine==2.0"], "1.0"), told.append)
    new = install(engine_for("toy", ["toy-engine==2.0"]), told.append)
    assert capfd.readouterr() == ("", ""), "only `report` is told"
    assert told[0] == "toy@1.0: installing toy-engine==1.0 (once)"
    assert "toy: unpacking 1 package" in told
    assert old.installed and new.installed
    assert distributions(old.site_packages) == ("toy-engine==1.0",)
    assert distributions(new.site_packages) == ("toy-engine==2.0",)

    before = files_below(old.folder)
    assert ask(old, "import toy_engine; print(toy_engine.VERSION, toy_engine.__file__)").split() == [
        "1.0",
        str(old.site_packages / "toy_engine.py"),
    ]
    assert ask(new, "import toy_engine; print(toy_engine.VERSION)") == "2.0"
    assert any(name.endswith(".pyc") for name in before), "compiled when it was installed"
    assert files_below(old.folder) == before

    told.clear()
    assert install(engine_for("toy", ["toy-engine==2.0"]), told.append) == new
    assert told == []


@pytest.mark.usefixtures("wheels")
def test_the_command_line_installs_lists_and_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.py").write_text('name = "toy"\nrequirements = ["toy-engine==2.0"]\n')
    assert command_line(["engines", "install", "toy.py"]) == EXIT_PASS
    assert "toy (2.0) is installed" in capsys.readouterr().out
    assert command_line(["engines", "install", "toy.py"]) == EXIT_PASS
    assert "already" in capsys.readouterr().out

    assert command_line(["engines", "list", "--json"]) == EXIT_PASS
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    toy = rows["toy"]
    assert (toy["version"], toy["installed"], toy["requirements"]) == ("2.0", True, ["toy-engine==2.0"])
    assert toy["bytes"] > 1000
    assert not rows["tantivy"]["installed"], "known by entry point, not installed in this cache"
    assert command_line(["engines", "list"]) == EXIT_PASS
    assert "toy" in capsys.readouterr().out

    assert command_line(["engines", "remove", "toy@1.0"]) == EXIT_MISTAKE
    assert "toy@2.0" in capsys.readouterr().err, "says which are there"
    assert command_line(["engines", "remove", "toy@2.0"]) == EXIT_PASS
    assert "freed" in capsys.readouterr().out
    assert installed_engines() == []


@pytest.mark.parametrize(
    "arguments",
    [["install"], ["install", "--all", "bm25"], ["install", "no-such-adapter"], ["remove", "toy"]],
)
def test_mistakes_on_the_command_line_are_told(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line(["engines", *arguments]) == EXIT_MISTAKE
    told = capsys.readouterr()
    assert told.err.startswith("Error: ")
    assert "Traceback" not in told.err


def test_an_adapter_that_needs_no_engine_is_left_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["engines", "install", "bm25"]) == EXIT_PASS
    assert "nothing to install" in capsys.readouterr().err


@pytest.mark.usefixtures("wheels")
def test_what_does_not_exist_is_an_error_that_says_so() -> None:
    with pytest.raises(EngineError, match=r"no such release .* 1\.0, 2\.0") as missing:
        install(engine_for("toy", ["toy-engine==2.0"], "3.0"), lambda _: None)
    assert "Check name and version" in missing.value.remedy
    with pytest.raises(EngineError, match="no release of it was found"):
        install(engine_for("nothing", ["no-such-package-anywhere==1"]), lambda _: None)
    assert installed_engines() == []
    assert list((engines_folder() / "partial").iterdir()) == []


def test_no_network_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # the discard port, where nobody listens
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(EngineError, match="the package index cannot be reached") as error:
        install(engine_for("toy", ["toy-engine==1.0"]), lambda _: None)
    assert "Check the network" in error.value.remedy


@pytest.mark.usefixtures("wheels")
def test_ctrl_c_leaves_nothing() -> None:
    def interrupt(line: str) -> None:
        if "unpacking" in line:
            raise KeyboardInterrupt

    engine = engine_for("toy", ["toy-engine==1.0"])
    with pytest.raises(KeyboardInterrupt):
        install(engine, interrupt)
    assert not engine_for("toy", ["toy-engine==1.0"]).installed
    assert list((engines_folder() / "partial").iterdir()) == []


@contextlib.contextmanager
def silent_index() -> Iterator[str]:
    """Listen as a package index would, and never answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/simple"


def pips_at_work(cache: Path) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                environment = (entry / "environ").read_bytes()
                if str(cache).encode() in environment and f"{TOKEN_VARIABLE}=".encode() in environment:
                    found.append(int(entry.name))
    return found


def wait_until(condition: object, seconds: float = 60.0) -> bool:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_killed_in_the_middle_it_counts_as_nothing_and_the_next_installation_works(
    cache: Path, wheels: Path
) -> None:
    with silent_index() as address:
        environment = {**os.environ, "PIP_INDEX_URL": address, "PIP_DEFAULT_TIMEOUT": "300"}
        for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
            environment.pop(name)
        harness = subprocess.Popen([sys.executable, "-c", HELPER], env=environment, stdout=subprocess.DEVNULL)
        assert wait_until(lambda: (engines_folder() / "partial").is_dir() and pips_at_work(cache))
        time.sleep(0.5)  # into the wait for the index
        harness.send_signal(signal.SIGKILL)
        harness.wait()
        assert wait_until(lambda: not pips_at_work(cache)), "the guardian ends pip"
    assert installed_engines() == []
    engine = engine_for("toy", ["toy-engine==1.0"])
    assert not engine.installed
    assert len(list((engines_folder() / "partial").iterdir())) == 1

    assert distributions(install(engine, lambda _: None).site_packages) == ("toy-engine==1.0",)
    assert list((engines_folder() / "partial").iterdir()) == []


@pytest.mark.usefixtures("wheels")
def test_two_processes_that_want_the_same_engine_make_it_once() -> None:
    both = [
        subprocess.Popen([sys.executable, "-c", HELPER], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(text.count("unpacking") for text in told) == 1
    assert engine_for("toy", ["toy-engine==1.0"]).installed


@pytest.mark.slow
@pytest.mark.usefixtures("wheels")
def test_a_python_without_pip_uses_the_one_that_it_can_unpack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "own_pip", lambda: None)
    engine = install(engine_for("toy", ["toy-engine==1.0"]), lambda _: None)
    assert distributions(engine.site_packages) == ("toy-engine==1.0",), "that pip is not in it"


@pytest.mark.engine
def test_a_package_from_the_registry_in_two_versions() -> None:
    old = install(engine_for("six", ["six==1.17.0"], "1.16.0"), lambda _: None)
    new = install(engine_for("six", ["six==1.17.0"]), lambda _: None)
    assert [ask(engine, "import six; print(six.__version__)") for engine in (old, new)] == [
        "1.16.0",
        "1.17.0",
    ]
    assert remove(old) > 0
    assert [engine.label for engine in installed_engines()] == ["six"]
    with pytest.raises(EngineError, match="no such release"):
        install(engine_for("six", ["six==1.17.0"], "0.0.1"), lambda _: None)
