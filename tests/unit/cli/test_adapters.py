"""What `contextbenchmark adapters` tells of plug-ins that are there, are not, or are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextbenchmark.cli.adapters import AdapterRow, adapters_command
from contextbenchmark.errors import EXIT_PASS

BUILD_AND_QUERY = """
def build(corpus_dir, out_dir): ...
def query(out_dir, text, k): return []
"""
PLUGINS = {
    "plug_good": f'name = "plug-good"\nsummary = "a plug-in"\ndef version(): return "7.1"\n{BUILD_AND_QUERY}',
    "plug_absent": f'name = "plug-absent"\ndef available(): return "needs a server"\n{BUILD_AND_QUERY}',
    "plug_raises": "raise RuntimeError('\\x1b[31mno')\n",
    "plug_syntax": "def build(:\n",
    "plug_engine": f'requirements = ["no-such-package-anywhere==1.5"]\n{BUILD_AND_QUERY}',
}


@pytest.fixture(autouse=True)
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with five plug-ins, as importlib finds it: a `dist-info` folder on the module path."""
    info = tmp_path / "plugins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1.0\n")
    points = "".join(f"{name.replace('_', '-')} = {name}\n" for name in (*PLUGINS, "plug_missing"))
    (info / "entry_points.txt").write_text(f"[contextbenchmark.adapters]\n{points}")
    for name, text in PLUGINS.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)


def rows(capsys: pytest.CaptureFixture[str]) -> dict[str, AdapterRow]:
    assert adapters_command(as_json=True) == EXIT_PASS
    return {row["name"]: AdapterRow(**row) for row in json.loads(capsys.readouterr().out)}


def test_one_bad_plugin_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys)
    assert {name: row.state for name, row in found.items() if name.startswith("plug-")} == {
        "plug-good": "available",
        "plug-absent": "unavailable",
        "plug-raises": "broken",
        "plug-syntax": "broken",
        "plug-engine": "not installed",
        "plug-missing": "broken",
    }
    assert (found["plug-good"].version, found["plug-good"].summary) == ("7.1", "a plug-in")
    assert found["plug-absent"].reason == "needs a server"
    assert found["plug-engine"].version == "1.5"
    assert found["plug-engine"].remedy == "Run: contextbenchmark engines install plug-engine"
    assert found["bm25"].state == "available"
    assert found["tantivy"].state == "not installed", "the cache of quick tests is empty"


def test_the_table_says_why_and_shows_no_control_characters(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert adapters_command() == EXIT_PASS
    told = capsys.readouterr().out
    assert "needs a server" in told
    assert "engines install NAME" in told
    assert "\x1b" not in told
    table = told.partition("plug-absent is")[0]
    assert max(map(len, table.splitlines())) <= 80
