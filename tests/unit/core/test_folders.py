"""Where the cache is, and taking turns there."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from contextbenchmark.core.folders import cache_folder, locked, scratch_beside
from contextbenchmark.errors import RunFolderError


def test_the_variables_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("CONTEXTBENCHMARK_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("CONTEXTBENCHMARK_CACHE")
    assert cache_folder() == tmp_path / "xdg" / "contextbenchmark"
    # The XDG base directory specification has relative values ignored.
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder().is_absolute()
    assert "relative" not in cache_folder().parts


def test_one_at_a_time(tmp_path: Path) -> None:
    inside: list[int] = []
    most = 0

    def work() -> None:
        nonlocal most
        for _ in range(20):
            with locked(tmp_path / "lock"):
                inside.append(1)
                most = max(most, len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_the_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from contextbenchmark.core.folders import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        holder.kill()
    with locked(tmp_path / "lock"):
        pass


def test_a_place_that_cannot_hold_a_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError), locked(tmp_path / "file" / "lock"):
        pass


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    with scratch_beside(tmp_path / "thing") as first:
        (tmp_path / ".thing.part-of-a-killed-one").mkdir()
        (tmp_path / ".thing2.part-of-another").mkdir()
        (first / "x").write_text("")
        with scratch_beside(tmp_path / "other"):
            assert first.is_dir()
    with scratch_beside(tmp_path / "thing") as second:
        second.rename(tmp_path / "thing")
    assert sorted(place.name for place in tmp_path.iterdir()) == [".thing2.part-of-another", "thing"]
