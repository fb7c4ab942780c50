"""Memories by their real packages and official clients, against loopback servers that record what is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextbenchmark import measure
from contextbenchmark.checking import DOCUMENTS, QUESTIONS
from contextbenchmark.testing import check_adapter
from contextbenchmark.trust.record import SystemReport
from tests.fakes.services import HostedMemory, Model

pytestmark = pytest.mark.engine

QUERIES = [*QUESTIONS, "pruning roses in early spring", "mountain hut in winter", "oil for bicycle chains"]
HOSTED = {
    "mem0-cloud": ("MEM0_API_KEY", "MEM0_HOST", ""),
    "zep": ("ZEP_API_KEY", "ZEP_BASE_URL", "/zep"),
    "supermemory": ("SUPERMEMORY_API_KEY", "SUPERMEMORY_BASE_URL", ""),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for path, text in DOCUMENTS.items():
        (tmp_path / "corpus" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "corpus" / path).write_text(text, encoding="utf-8")
    return tmp_path / "corpus"


def measured(name: str, corpus: Path) -> SystemReport:
    report = measure(
        name, corpus=corpus, queries=QUERIES, k=3, rebuilds=2, trials=2, families=("rebuild", "query"), jobs=2
    )
    return report.systems[0]


@pytest.mark.parametrize(("samples", "levels"), [(False, ("CTL-2",)), (True, ("CTL-0", "CTL-1"))])
def test_a_memory_has_the_level_that_its_model_earns_it(
    samples: bool, levels: tuple[str, ...], corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Model(samples=samples) as model:
        monkeypatch.setenv("OPENAI_API_KEY", "right-key")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{model.url}/v1")
        monkeypatch.setenv("MEM0_LLM_MODEL", "scripted-1")
        system = measured("mem0-llm", corpus)
    assert system.level in levels, (system.level_line, system.failure)
    assert system.system is not None and system.system.id.endswith("model scripted-1")
    # One call for each of the 12 documents that hold text, in each of 2 builds; answering calls nobody.
    assert len(model.calls) == 24
    assert {call.body["model"] for call in model.calls} == {"scripted-1"}
    assert all(call.headers["authorization"] == "Bearer right-key" for call in model.calls)


def test_without_a_key_it_is_unavailable_and_says_what_to_set(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, variable in (
        ("mem0-llm", "OPENAI_API_KEY"),
        *((name, keys[0]) for name, keys in HOSTED.items()),
    ):
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(AssertionError, match=rf"available\(\): .*set {variable}"):
            check_adapter(name)


@pytest.mark.parametrize("name", HOSTED)
def test_a_hosted_memory_is_measured_through_its_official_client(
    name: str, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, address, prefix = HOSTED[name]
    monkeypatch.setenv("CONTEXTBENCHMARK_POLL_SECONDS", "0.02")
    monkeypatch.setenv(key, "right-key")
    with HostedMemory() as service:
        monkeypatch.setenv(address, service.url + prefix)
        system = measured(name, corpus)
        assert (system.status, system.level, system.remote) == ("ok", "CTL-2", True), system.failure
        assert "Without an artifact the ceiling is CTL-2." in system.reasons
        # A place of its own for each build, with every document that holds text, under its path.
        assert len(service.places) == 2
        for place in service.places.values():
            assert {item.metadata["file"] for item in place.stored} == {
                p for p, t in DOCUMENTS.items() if t.strip()
            }
        assert not [call.path for call in service.calls if "telemetry" in call.path]
        check_adapter(name)


@pytest.mark.parametrize("name", HOSTED)
def test_a_refused_key_is_an_error_row(name: str, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, address, prefix = HOSTED[name]
    monkeypatch.setenv(key, "another")
    with HostedMemory() as service:
        monkeypatch.setenv(address, service.url + prefix)
        system = measured(name, corpus)
    assert system.status == "error" and system.failure is not None
    assert "401" in system.failure.message or "wrong key" in system.failure.message


def test_a_document_that_the_service_cannot_take_in_is_told(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXTBENCHMARK_POLL_SECONDS", "0.02")
    monkeypatch.setenv("SUPERMEMORY_API_KEY", "right-key")
    with HostedMemory(fails=True) as service:
        monkeypatch.setenv("SUPERMEMORY_BASE_URL", service.url)
        system = measured("supermemory", corpus)
    assert system.failure is not None and "the service could not take in" in system.failure.message
