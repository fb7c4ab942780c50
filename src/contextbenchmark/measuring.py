"""Measuring from Python: ``contextbenchmark.measure(build=..., query=..., corpus=...)``."""

from __future__ import annotations

import difflib
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from contextbenchmark.carrying import carry
from contextbenchmark.errors import ConfigurationError
from contextbenchmark.jobs import default_jobs
from contextbenchmark.retrievers import OwnAdapter
from contextbenchmark.trust.adapter import Adapter, resolve
from contextbenchmark.trust.named import corpus_by_name
from contextbenchmark.trust.operation import Limits
from contextbenchmark.trust.pipeline import Progress, Request, run
from contextbenchmark.trust.record import Parameters, Report

Queries = str | Path | Sequence[str | Mapping[str, Any]]
TIMEOUT_SECONDS = 900.0


def measure(
    adapter: object = None,
    /,
    *,
    build: Callable[[str, str], Any] | None = None,
    query: Callable[[str, str, int], Any] | None = None,
    corpus: str | Path,
    queries: Queries | None = None,
    name: str | None = None,
    open: Callable[[str], Any] | None = None,
    version: Callable[[], Any] | None = None,
    artifact_file: str | None = None,
    environment: Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    install: bool = True,
    progress: Progress | None = None,
    **parameters: Any,
) -> Report:
    """Measure a retriever and return its report; ``report.systems[0].level`` is the level.

    :param adapter: instead of ``build`` and ``query``: the name or file of an adapter, an object that has
        ``name``, ``build`` and ``query``, or what :func:`contextbenchmark.from_langchain` and the like return.
    :param build: ``build(corpus_dir, out_dir)`` writes the whole index beneath ``out_dir``.
    :param query: ``query(out_dir, text, k)`` returns up to ``k`` ``{"file": path, "score": number or None}``.
    :param corpus: a corpus by name, or a folder.
    :param queries: a file as for ``run --queries``, or texts, or ``{"query": text, "relevant": [path, ...]}``;
        by default those of the corpus.
    :param open: ``open(out_dir)`` returns an object with ``query(text, k)``, loaded once a pass.
    :param environment: names of environment variables that the retriever may see.
    :param out: a folder for reports and evidence; without one nothing is kept but what is returned.
    :param parameters: any of ``k``, ``rebuilds``, ``trials``, ``families``, ``seed``, ``noise_documents``,
        ``noise_seeds``, ``timeout_seconds`` (a whole operation's), ``memory_bytes``.

    Every build and every pass runs in a fresh interpreter. Functions that can be imported go there by reference;
    others (from a notebook, a lambda) by value, which needs cloudpickle. A retriever that fails is no exception
    here: its row says so.

    :raises ContextBenchmarkError: a mistake in what was given.
    """
    chosen = _parameters(parameters)
    with tempfile.TemporaryDirectory(prefix="contextbenchmark-") as scratch:
        place = Path(scratch)
        own: object = adapter
        if build is not None or query is not None or adapter is None:
            if adapter is not None or build is None or query is None:
                raise ConfigurationError(
                    "measure() needs either an adapter, or build= and query=.",
                    "Give both functions, or the name of an adapter alone.",
                )
            own = OwnAdapter(
                name=name or "retriever", build=build, query=query, open=open, version=version,
                artifact_file=artifact_file, environment=environment,
            )  # fmt: skip
        outcome = run(
            Request(
                adapters=[to_adapter(own, place / "carried")],
                corpus=corpus_by_name(str(corpus), queries_file=_queries_file(queries, place)),
                parameters=chosen,
                out=Path(out) if out is not None else place / "results",
                jobs=jobs or default_jobs(),
                limits=Limits(
                    timeout_seconds=chosen.timeout_seconds or TIMEOUT_SECONDS,
                    memory_bytes=chosen.memory_bytes,
                ),
                install=install,
            ),
            progress,
        )
    return outcome.report


def to_adapter(own: object, folder: Path) -> Adapter:
    """Return the adapter that ``own`` is or names; what has to be carried to it is stored in ``folder``."""
    if isinstance(own, Adapter):
        return own
    if isinstance(own, str | Path):
        return resolve(str(own))
    return carry(own, folder)


def _parameters(given: Mapping[str, Any]) -> Parameters:
    known = tuple(Parameters.model_fields)
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            raise ConfigurationError(
                f"measure() knows no {key!r}.{f' Did you mean {near[0]}?' if near else ''}",
                f"There are {', '.join(known)}.",
            )
    families = given.get("families")
    asked = families.split(",") if isinstance(families, str) else families
    wanted = {**given, "families": tuple(asked)} if asked is not None else dict(given)
    unknown = set(wanted.get("families", ())) - set(Parameters().families)
    if unknown:
        raise ConfigurationError(
            f"families: {sorted(unknown)[0]!r} is not one.", f"There are {', '.join(Parameters().families)}."
        )
    try:
        found = Parameters.model_validate({"timeout_seconds": TIMEOUT_SECONDS, **wanted})
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}.", "See the help of measure()."
        ) from error
    for key in ("k", "rebuilds", "trials", "noise_documents", "noise_seeds"):
        if getattr(found, key) < 1:
            raise ConfigurationError(f"{key} is {getattr(found, key)}.", "Give at least 1.")
    return found


def _queries_file(queries: Queries | None, folder: Path) -> Path | None:
    if queries is None or isinstance(queries, str | Path):
        return None if queries is None else Path(queries)
    path = folder / "queries.json"
    path.write_text(json.dumps(_plain(queries), ensure_ascii=False), encoding="utf-8")
    return path


def _plain(queries: Iterable[str | Mapping[str, Any]]) -> list[Any]:
    return [
        item if isinstance(item, str) else {**item, "relevant": list(item.get("relevant", ()))}
        for item in queries
    ]
