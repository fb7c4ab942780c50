"""Opening: the vectors that some systems need are computed, and each system says who it is, once, in a child."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from contextbenchmark.errors import EngineError, RunFolderError
from contextbenchmark.trust.adapter import Adapter, resolve
from contextbenchmark.trust.cell_plan import System
from contextbenchmark.trust.corpus import Corpus
from contextbenchmark.trust.embedding import EMBEDDERS, Embedder, SharedVectors, share_vectors
from contextbenchmark.trust.journal import Journal, read_observations
from contextbenchmark.trust.manifest import Prepared, prepare
from contextbenchmark.trust.observation import SystemRow
from contextbenchmark.trust.operation import Limits, Operation
from contextbenchmark.trust.outcome import OperationFailed
from contextbenchmark.trust.surroundings import Interpreter, operation_seed
from contextbenchmark.trust.workplace import Workplace


def resolve_embedder(name: str) -> Adapter:
    """Return the adapter that ``name`` means as an embedder: ``wordllama``, ``minilm``, or any that embeds."""
    bare, at, version = name.partition("@")
    return resolve(f"{EMBEDDERS.get(bare, bare)}{at}{version}")


def ready_embedder(
    name: str, workplace: Workplace, limits: Limits, say: Callable[[str], None], *, install: bool
) -> Embedder:
    """Return the embedder called ``name``, its engine installed where that is needed and allowed.

    :raises EngineError: nothing can run it.
    """
    adapter = resolve_embedder(name)
    ready = prepare(adapter, say, install)
    if ready.interpreter is None:
        raise EngineError(ready.problem, ready.remedy)
    return Embedder(adapter=adapter, interpreter=ready.interpreter, workplace=workplace, limits=limits)


def prepare_vectors(
    adapters: Sequence[Adapter],
    prepared: dict[str, Prepared],
    corpus: Corpus,
    embedder_name: str,
    workplace: Workplace,
    limits: Limits,
    say: Callable[[str], None],
    *,
    install: bool,
) -> SharedVectors | None:
    """Return the vectors for those ``adapters`` that ask for them; None where none does, or there are none.

    Where they cannot be computed, ``prepared`` says why for each that needs them; the others go on.
    """
    wanting = [
        adapter for adapter in adapters if adapter.vectors and prepared[adapter.label].interpreter is not None
    ]
    if not wanting:
        return None
    try:
        embedder = ready_embedder(embedder_name, workplace, limits, say, install=install)
        say(f"vectors of {corpus.name} by {embedder.adapter.label}")
        return share_vectors(embedder, corpus)
    except EngineError as error:
        problem, remedy = error.problem, error.remedy
    except OperationFailed as failed:
        problem, remedy = failed.failure.message, failed.failure.remedy
    for adapter in wanting:
        prepared[adapter.label] = Prepared(
            interpreter=None,
            problem=f"It has no vectors: {problem}",
            remedy=remedy or "Name another embedder with --embedder.",
        )
    return None


def open_systems(
    adapters: Sequence[Adapter],
    prepared: Mapping[str, Prepared],
    workplace: Workplace,
    limits: Limits,
    journal: Journal,
    say: Callable[[str], None],
    shared: SharedVectors | None = None,
) -> tuple[System, ...]:
    """Open each system once in a child, write down who it says it is, and return those that can be measured."""
    before = read_observations(journal.folder).systems
    found = []
    for adapter in adapters:
        interpreter = prepared[adapter.label].interpreter
        if interpreter is None:
            continue
        say(f"opening {adapter.label}")
        vectors = shared if adapter.vectors else None
        row, artifact_file = describe(
            adapter, interpreter, workplace, limits, journal.manifest.parameters.seed, vectors
        )
        earlier = before.get(adapter.label)
        if earlier is not None and earlier.version != row.version and row.failure is None:
            raise RunFolderError(
                f"{adapter.label} said it was {earlier.version} when the run began and is {row.version} now.",
                "Start a new run without --resume.",
            )
        if earlier != row:
            journal.append([row])
        if row.available and row.failure is None:
            found.append(
                System(
                    name=adapter.label,
                    adapter=adapter,
                    interpreter=interpreter,
                    artifact_file=artifact_file,
                    version=row.version,
                    vectors=vectors,
                )
            )
    return tuple(found)


def describe(
    adapter: Adapter,
    interpreter: Interpreter,
    workplace: Workplace,
    limits: Limits,
    seed: int = 0,
    vectors: SharedVectors | None = None,
) -> tuple[SystemRow, str | None]:
    """Return who an adapter says it is, or why it cannot say, and the artifact file that it declares."""
    name = adapter.label
    try:
        operation = Operation(
            workplace,
            adapter,
            interpreter,
            limits,
            seed=operation_seed(seed, f"{name}/describe"),
            vectors=(vectors.base,) if vectors else (),
        )
        with operation:
            told = operation.hello()
            operation.close()
    except OperationFailed as failed:
        return SystemRow(
            system=name, available=False, reason=failed.failure.message, failure=failed.failure
        ), None
    row = SystemRow(
        system=name,
        available=told.available,
        reason=told.reason,
        remedy="" if told.available else "Provide what it asks for and run again.",
        version=told.version,
    )
    return row, told.artifact_file


def describe_alone(adapter: Adapter) -> SystemRow:
    """Return who an adapter says it is, outside any run. Its engine must be installed."""
    ready = prepare(adapter, lambda _: None, may_install=False)
    if ready.interpreter is None:
        return SystemRow(system=adapter.label, available=False, reason=ready.problem, remedy=ready.remedy)
    with Workplace() as workplace:
        return describe(adapter, ready.interpreter, workplace, Limits(timeout_seconds=60))[0]
