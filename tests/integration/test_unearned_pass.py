"""One adapter for each way to an unearned PASS, run through the whole pipeline, with the level that it gets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.pipeline import Request, run
from contextbenchmark.trust.record import Parameters, SystemReport
from tests.integration.conftest import RunAdapters, WriteAdapter

FAKES = Path(__file__).parent.parent / "fakes" / "unearned"


def measure(corpus_folder: Path, out: Path, *fakes: str, rebuilds: int = 3) -> tuple[SystemReport, ...]:
    request = Request(
        adapters=[resolve(str(FAKES / f"{fake}.py")) for fake in fakes],
        corpus=load_corpus(corpus_folder),
        parameters=Parameters(trials=3, rebuilds=rebuilds, families=("rebuild", "query")),
        out=out,
        jobs=2,
    )
    return run(request).report.systems


EXPECTED = {
    # the controls
    "honest": ("ok", "CTL-3", "Every repeated answer was the same"),
    "sidecar": ("ok", "CTL-3", "Every repeated answer was the same"),
    # nothing worth calling an answer
    "nothing": ("vacuous", None, "answered"),
    "constant": ("vacuous", None, "distinct"),
    "one_in_ten": ("vacuous", None, "answered"),
    # unstable answers
    "by_process": ("ok", "CTL-0", ""),
    "by_build": ("ok", "CTL-0", ""),
    "by_query": ("ok", "CTL-0", ""),
    "by_history": ("ok", "CTL-0", ""),
    "by_reopening": ("ok", "CTL-0", ""),
    # unstable answers that are hidden in a cache
    "cached_in_home": ("ok", "CTL-0", ""),
    "cached_in_tmpdir": ("ok", "CTL-0", ""),
    "cached_in_artifact": ("ok", "CTL-0", ""),
    "cached_beside_source": ("ok", "CTL-0", ""),
    "cached_in_real_home": ("ok", "CTL-0", ""),
    "cached_in_fixed_tmp": ("ok", "CTL-0", ""),
    "cached_in_shared_memory": ("ok", "CTL-0", ""),
    "served_by_a_daemon": ("ok", "CTL-0", ""),
    # an identity that is not one
    "empty_artifact": ("ok", "CTL-2", "empty"),
    "no_artifact": ("ok", "CTL-2", ""),
    "decoy_artifact_file": ("ok", "CTL-2", "manifest.json"),
    "absolute_path": ("ok", "CTL-2", "index.json"),
    "file_time": ("ok", "CTL-2", "index.json"),
    "git_time": ("ok", "CTL-2", "index.json"),
    "listing_order": ("ok", "CTL-2", "index.json"),
    "changing_version": ("error", None, "version()"),
}


@pytest.mark.parametrize("fake", EXPECTED)
def test_gets_the_level_it_deserves(fake: str, corpus_folder: Path, tmp_path: Path) -> None:
    status, level, because = EXPECTED[fake]
    (system,) = measure(corpus_folder, tmp_path / "results", fake)
    assert (system.status, system.level) == (status, level), system.reasons
    assert because in " ".join(system.reasons)


def test_what_three_builds_cannot_show_is_said_on_the_level_line(corpus_folder: Path, tmp_path: Path) -> None:
    """Two equally likely artifacts look the same over three builds one time in four, so the bound must not be
    below one half: Clopper-Pearson for 0 of 2 is 1 - 0.05 ** (1 / 2) = 0.776."""
    (system,) = measure(corpus_folder, tmp_path / "results", "honest")
    rate = system.families.rebuild.rate
    assert rate is not None and (rate.flips, rate.n) == (0, 2)
    assert rate.upper95 == pytest.approx(0.7764, abs=1e-4)
    assert re.search(r"78 ?%", system.level_line)


def test_many_builds_find_the_coin(corpus_folder: Path, tmp_path: Path) -> None:
    """Twelve builds miss two equally likely artifacts one time in 2,048."""
    (system,) = measure(corpus_folder, tmp_path / "results", "coin", rebuilds=12)
    assert system.level == "CTL-2"


def test_one_bad_system_does_not_stop_the_others(corpus_folder: Path, tmp_path: Path) -> None:
    systems = measure(corpus_folder, tmp_path / "results", "changing_version", "honest")
    assert [system.status for system in systems] == ["error", "ok"]


def test_a_remote_system_has_no_artifact_to_trust(
    write_adapter: WriteAdapter, run_adapters: RunAdapters
) -> None:
    """What is kept elsewhere cannot be hashed; an equal file left here would be no evidence. Ceiling: CTL-2."""
    (system,) = run_adapters(write_adapter("remote = True")).report.systems
    assert (system.level, system.families.rebuild.identity) == ("CTL-2", "absent")
    assert "remote" in " ".join(system.reasons)
