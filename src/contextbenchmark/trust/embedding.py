"""The shared embedding step: vectors for engines that do not embed, computed once a corpus, outside what is judged.

An adapter that embeds offers ``embed(corpus_dir, out_dir, texts)``, which cuts the tree into the same passages as
the adapters that will ask for vectors. It runs once, in a child of its own engine's environment, before any cell;
each cell with noise has the noise documents and their probes embedded besides. What it wrote is kept in the cache
folder under the digest of all that decides it, and given to every operation to read.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.digest import digest_tree
from contextbenchmark.core.folders import cache_folder, locked, scratch_beside
from contextbenchmark.core.names import safe_name
from contextbenchmark.core.record import Record, storage_error
from contextbenchmark.trust.adapter import Adapter
from contextbenchmark.trust.cell_plan import Noise
from contextbenchmark.trust.corpus import Corpus, stage
from contextbenchmark.trust.engines import distributions
from contextbenchmark.trust.observation import Failure
from contextbenchmark.trust.operation import Limits, Operation
from contextbenchmark.trust.outcome import OperationFailed
from contextbenchmark.trust.surroundings import Interpreter, operation_seed
from contextbenchmark.trust.workplace import Workplace

DEFAULT_EMBEDDER = "wordllama"
EMBEDDERS = {"minilm": "emb-minilm"}
# The step is no part of what is judged, so the time limit of a judged operation does not bound it.
LEAST_SECONDS = 3600.0
VECTORS, ROWS, EMBEDDER = "vectors.npy", "rows.json", "embedder.json"


class EmbeddingFacts(Record):
    """Whose vectors a run used: ``digest`` (SHA-256) is over the vectors of corpus and queries themselves."""

    embedder: str
    identity: str
    source: str
    distributions: tuple[str, ...]
    digest: str


@dataclass(frozen=True, kw_only=True)
class Embedder:
    """An adapter that embeds, ready to start."""

    adapter: Adapter
    interpreter: Interpreter
    workplace: Workplace
    limits: Limits

    def vectors_of(self, content: object, write_tree: Callable[[Path], None], texts: Sequence[str]) -> Path:
        """Return the folder with the vectors of a tree's passages and of ``texts``, from the cache or made now.

        ``content`` is what stands for the tree and the texts in the name under which they are kept.

        :raises OperationFailed: the embedder fails, or what it wrote are no vectors.
        """
        key = hashlib.sha256(canonical_json({"content": content, **self._facts()})).hexdigest()
        place = cache_folder() / "vectors" / f"{safe_name(self.adapter.label)}-{key[:32]}"
        with locked(place.parent / "locks" / f"{place.name}.lock"):
            if not place.is_dir():
                self._make(place, key, write_tree, texts)
        return place

    def of_documents(self, documents: Mapping[str, str], texts: Sequence[str]) -> Path:
        """Return the folder with the vectors of the passages of ``documents`` (path -> text) and of ``texts``.

        :raises OperationFailed: the embedder fails.
        """

        def write(tree: Path) -> None:
            for path, text in documents.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(text.encode("utf-8"))

        return self.vectors_of({"documents": dict(documents), "texts": list(texts)}, write, texts)

    def _facts(self) -> dict[str, object]:
        """Return what decides the vectors of a text."""
        return {
            "source": self.adapter.source,
            "distributions": list(self.installed),
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}",
        }

    @property
    def installed(self) -> tuple[str, ...]:
        return distributions(self.interpreter.folders[0]) if self.adapter.requirements else ()

    def _make(self, place: Path, key: str, write_tree: Callable[[Path], None], texts: Sequence[str]) -> None:
        work = self.workplace.new_folder("embedding")
        tree, out = work / "tree", work / "out"
        try:
            out.mkdir()
            write_tree(tree)
            limits = Limits(timeout_seconds=max(LEAST_SECONDS, self.limits.timeout_seconds))
            with Operation(
                self.workplace,
                self.adapter,
                self.interpreter,
                limits,
                seed=operation_seed(0, key),
                writable=[out],
            ) as operation:
                told = operation.hello()
                if not told.available:
                    unavailable = f"{self.adapter.label}: {told.reason}."
                    raise OperationFailed(Failure(phase="start", kind="not-started", message=unavailable))
                operation.embed(tree, out, texts)
                operation.close()
            self._check(out)
            with scratch_beside(place) as scratch:
                for name in (VECTORS, ROWS, EMBEDDER):
                    shutil.copyfile(out / name, scratch / name)
                scratch.rename(place)
        except OSError as error:
            raise storage_error(error, error.filename or place) from error
        finally:
            self.workplace.discard(work)

    def _check(self, out: Path) -> None:
        import numpy as np

        try:
            vectors = np.load(out / VECTORS, mmap_mode="r", allow_pickle=False)
            rows = json.loads((out / ROWS).read_bytes())
            identity = json.loads((out / EMBEDDER).read_bytes())["id"]
            good = vectors.dtype == np.float32 and vectors.ndim == 2 and isinstance(identity, str)
            if not good or sorted(rows.values()) != list(range(len(vectors))):
                raise ValueError(f"{VECTORS} and {ROWS} do not belong together")
            if not bool(np.isfinite(vectors).all()):
                raise ValueError(f"{VECTORS} holds numbers that are not finite")
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            unusable = f"{self.adapter.label} left no usable vectors: {error}."
            raise OperationFailed(Failure(phase="build", kind="invalid-answer", message=unusable)) from None


@dataclass(frozen=True, kw_only=True)
class SharedVectors:
    """The vectors of one run: those of corpus and queries are there; those of noise are made when asked for."""

    embedder: Embedder
    base: Path
    facts: EmbeddingFacts

    def folders(self, noise: Noise | None) -> tuple[Path, ...]:
        """Return the folders that an operation of a cell with ``noise`` is given.

        :raises OperationFailed: the noise cannot be embedded.
        """
        if noise is None:
            return (self.base,)
        return (self.base, self.embedder.of_documents(noise.documents, noise.probes))


def share_vectors(embedder: Embedder, corpus: Corpus) -> SharedVectors:
    """Do the shared embedding step for ``corpus`` and its queries.

    :raises OperationFailed: the embedder fails.
    """
    texts = [query.text for query in corpus.queries]

    def write(tree: Path) -> None:
        stage(corpus, tree, operation_seed(0, corpus.tree_digest))

    base = embedder.vectors_of({"tree": corpus.tree_digest, "texts": texts}, write, texts)
    return SharedVectors(
        embedder=embedder,
        base=base,
        facts=EmbeddingFacts(
            embedder=embedder.adapter.label,
            identity=json.loads((base / EMBEDDER).read_bytes())["id"],
            source=embedder.adapter.source,
            distributions=embedder.installed,
            digest=digest_tree(base).tree_digest,
        ),
    )
