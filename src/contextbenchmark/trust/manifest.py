"""Getting ready: an interpreter for each adapter, and the record of what is about to be run."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from contextbenchmark import __version__
from contextbenchmark.core.machine import describe_machine
from contextbenchmark.errors import ConfigurationError, EngineError
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.corpus import Corpus
from contextbenchmark.trust.embedding import EmbeddingFacts
from contextbenchmark.trust.engines import distributions, engine_for, install
from contextbenchmark.trust.journal import (
    CorpusFacts,
    Manifest,
    QueryFacts,
    SystemPlan,
    new_run_id,
)
from contextbenchmark.trust.record import METHOD_VERSION, Parameters
from contextbenchmark.trust.surroundings import Interpreter, own_interpreter


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """What runs an adapter, or why nothing can (``problem`` with its ``remedy``)."""

    interpreter: Interpreter | None
    problem: str = ""
    remedy: str = ""


def prepare_interpreters(
    adapters: Sequence[Adapter], say: Callable[[str], None], *, install: bool = True
) -> dict[str, Prepared]:
    """Return an interpreter by label: our own, or that of the engine's environment, installed when it is missing.

    One engine that cannot be installed does not stop the others.
    """
    labels = [adapter.label for adapter in adapters]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise ConfigurationError(
            f"Two of the adapters are called {twice[0]!r}.", "Give each a name of its own, or name it once."
        )
    return {adapter.label: prepare(adapter, say, install) for adapter in adapters}


def prepare(adapter: Adapter, say: Callable[[str], None], may_install: bool) -> Prepared:
    """Return what runs one adapter, or why nothing can."""
    if not adapter.requirements:
        return Prepared(interpreter=own_interpreter())
    try:
        engine = engine_for(adapter.name, adapter.requirements, adapter.version)
        if not engine.installed:
            if not may_install:
                return Prepared(
                    interpreter=None,
                    problem="Its engine is not installed.",
                    remedy=f"Run: contextbenchmark engines install {adapter.label}",
                )
            engine = install(engine, say)
    except EngineError as error:
        return Prepared(interpreter=None, problem=error.problem, remedy=error.remedy)
    return Prepared(interpreter=Interpreter(python=engine.python, folders=(engine.site_packages,)))


def describe_run(
    adapters: Sequence[Adapter],
    prepared: Mapping[str, Prepared],
    corpus: Corpus,
    parameters: Parameters,
    embedding: EmbeddingFacts | None = None,
) -> Manifest:
    """Return what is about to be run, before anything of it is started."""
    run_id, started = new_run_id()
    return Manifest(
        id=run_id,
        started=started,
        benchmark_version=__version__,
        method_version=METHOD_VERSION,
        corpus=CorpusFacts(
            name=corpus.name,
            hash=corpus.hash,
            tree_digest=corpus.tree_digest,
            files=len(corpus.documents),
            bytes=corpus.bytes,
            warnings=corpus.warnings,
        ),
        queries=tuple(
            QueryFacts(query=query.text, relevant=tuple(sorted(query.relevant))) for query in corpus.queries
        ),
        parameters=parameters,
        systems=tuple(_system_plan(adapter, prepared[adapter.label], embedding) for adapter in adapters),
        machine=describe_machine(),
        versions=_versions(adapters),
        not_varied=_not_varied(),
        embedding=embedding,
    )


def _system_plan(adapter: Adapter, prepared: Prepared, embedding: EmbeddingFacts | None) -> SystemPlan:
    interpreter = prepared.interpreter
    given: tuple[str, ...] = ()
    if adapter.vectors and embedding is not None:
        given = (f"its vectors are those of {embedding.identity}, computed once for all builds",)
    own_environment = bool(adapter.requirements) and interpreter is not None
    return SystemPlan(
        name=adapter.label,
        adapter=adapter.name,
        reference=adapter.reference,
        summary=adapter.summary,
        source=adapter.source,
        python=platform.python_version(),
        distributions=distributions(interpreter.folders[0]) if own_environment and interpreter else (),
        deviations=(*adapter.deviations, *given),
        remote=adapter.remote,
        problem=prepared.problem,
        remedy=prepared.remedy,
    )


def _versions(adapters: Sequence[Adapter]) -> dict[str, str]:
    found = {"contextbenchmark": __version__, "python": platform.python_version()}
    if any(adapter.kind == "node" for adapter in adapters):
        node = shutil.which("node")
        if node is not None:
            told = subprocess.run(
                [node, "--version"], capture_output=True, text=True, timeout=30, check=False
            )
            found["node"] = told.stdout.strip()
    return found


def _not_varied() -> tuple[str, ...]:
    """Say what isolation this machine cannot give."""
    found = []
    if not can_confine():
        found.append(
            "Writes outside an operation's own folders could not be refused here (that needs Linux 5.13 with "
            "Landlock): an answer cached elsewhere on this machine would not be noticed."
        )
    if shutil.which("git") is None:
        found.append(
            "Without git on this machine no commit time stood around the corpus: an artifact that embeds it would "
            "not be noticed."
        )
    if sys.platform == "win32":
        found.append("Memory limits are not enforced on Windows.")
    return tuple(found)


def can_confine() -> bool:
    """Tell whether the kernel can confine a child's writes (asks for the Landlock ABI version; changes nothing)."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    return int(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1)) >= 1
