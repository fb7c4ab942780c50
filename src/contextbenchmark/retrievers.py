"""Adapters made of one's own functions, or of a retriever of LangChain, LlamaIndex or Haystack.

These objects travel by pickle into the fresh processes that a run starts, and are all that is imported of this
package there: standard library at the top, the frameworks inside the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from contextbenchmark.frameworks import FileOf, Framework, Haystack, LangChain, LlamaIndex


class OwnAdapter:
    """An adapter made of functions; see docs/adapters.md for what each is given and returns.

    ``open``, ``version`` and ``artifact_file`` are optional parts of the contract. ``environment`` names the
    environment variables that its processes may see, ``deviations`` says what differs from production.
    """

    def __init__(
        self,
        *,
        build: Callable[[str, str], Any],
        query: Callable[[str, str, int], Any],
        name: str = "retriever",
        open: Callable[[str], Any] | None = None,
        version: Callable[[], Any] | None = None,
        artifact_file: str | None = None,
        summary: str = "",
        environment: Sequence[str] = (),
        deviations: Sequence[str] = (),
    ) -> None:
        self.name, self.summary, self.artifact_file = name, summary, artifact_file
        self.environment, self.deviations = tuple(environment), tuple(deviations)
        self.build, self.query = build, query
        # The contract tells what an adapter can do by what it has.
        if open is not None:
            self.open = open
        if version is not None:
            self.version = version


def from_langchain(
    retriever: Callable[[Any], Any],
    *,
    build: Callable[[str, str], Any] | None = None,
    file: FileOf = "source",
    name: str = "langchain",
    environment: Sequence[str] = (),
) -> OwnAdapter:
    """Return an adapter for a LangChain retriever.

    With ``build(corpus_dir, out_dir)``, which stores the index, ``retriever(out_dir)`` returns a retriever that
    reads it. Without it, ``retriever(documents)`` makes one from LangChain documents (``metadata["source"]`` is
    the path), and the retriever itself, pickled, is the artifact.

    ``file`` says which file a document it returns is from: a key of its metadata, or a function of it. The
    retriever returns as many documents as it is set to: at least as many as the lists are long, for full lists.
    """
    return _adapter(LangChain(retriever, build, file), name, "a LangChain retriever", environment)


def from_llama_index(
    retriever: Callable[[Any], Any],
    *,
    build: Callable[[str, str], Any] | None = None,
    file: FileOf = "file_path",
    name: str = "llama-index",
    environment: Sequence[str] = (),
) -> OwnAdapter:
    """Return an adapter for a LlamaIndex retriever; parameters as for :func:`from_langchain`."""
    return _adapter(LlamaIndex(retriever, build, file), name, "a LlamaIndex retriever", environment)


def from_haystack(
    pipeline: Callable[[str], Any],
    *,
    build: Callable[[str, str], Any],
    inputs: Callable[[str, int], dict[str, Any]] | None = None,
    file: FileOf = "file_path",
    name: str = "haystack",
    environment: Sequence[str] = (),
) -> OwnAdapter:
    """Return an adapter for a Haystack pipeline.

    ``build(corpus_dir, out_dir)`` stores the index, ``pipeline(out_dir)`` returns a pipeline that reads it.
    ``inputs(text, k)`` returns what ``Pipeline.run`` is given; by default each mandatory input that is called
    ``text`` or ``query`` gets the text. The answer is the last ``documents`` that the pipeline puts out.
    """
    return _adapter(Haystack(pipeline, build, file, inputs), name, "a Haystack pipeline", environment)


def _adapter(wrapped: Framework, name: str, summary: str, environment: Sequence[str]) -> OwnAdapter:
    return OwnAdapter(
        name=name,
        summary=summary,
        build=wrapped.build,
        open=wrapped.open,
        query=wrapped.query,
        environment=environment,
        deviations=wrapped.deviations,
    )
