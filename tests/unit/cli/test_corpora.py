"""``corpora list|fetch`` and ``queries init`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextbenchmark.cli import corpora, queries
from contextbenchmark.errors import EXIT_PASS, CorpusError
from contextbenchmark.trust.queries import read_queries


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert corpora.app(["list", "--json"], standalone_mode=False) == EXIT_PASS
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["webshop"]["state"] == "bundled"
    assert rows["webshop"]["queries"] == 30
    assert rows["django"]["files"] == 6890
    assert rows["django"]["queries"] == 50


def test_the_list_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert corpora.app(["list"], standalone_mode=False) == EXIT_PASS
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("webshop", "micro-app", "zod-npm", "6,890", "xl:N"))


def test_fetching(capsys: pytest.CaptureFixture[str]) -> None:
    assert corpora.app(["fetch", "webshop", "xl:12"], standalone_mode=False) == EXIT_PASS
    assert "webshop: bundled" in capsys.readouterr().out
    with pytest.raises(CorpusError, match="Did you mean django"):
        corpora.app(["fetch", "djanho"], standalone_mode=False)


def test_proposing_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text("# How to make tea\n")
    assert queries.app(["init", str(tmp_path)], standalone_mode=False) == EXIT_PASS
    assert "1 queries" not in capsys.readouterr().out
    assert [query.text for query in read_queries(tmp_path / "queries.json")] == ["How to make tea"]
    with pytest.raises(CorpusError, match="left as it is"):
        queries.app(["init", str(tmp_path)], standalone_mode=False)
    other = tmp_path / "other.json"
    assert queries.app(["init", str(tmp_path), "--out", str(other)], standalone_mode=False) == EXIT_PASS
    assert f"--queries {other}" in capsys.readouterr().out
