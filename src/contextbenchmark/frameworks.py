"""What wraps a retriever of LangChain, LlamaIndex or Haystack: how each is made, asked, and says what it found.

Travels by pickle into fresh processes: standard library at the top, the frameworks inside the functions.
"""

from __future__ import annotations

import importlib
import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

RETRIEVER = "retriever.pickle"
PICKLED = (
    "its index is stored by pickle, made by contextbenchmark: bytes that differ may be those of pickle "
    "(give build= to store it as in production)"
)
FileOf = str | Callable[[Any], str]


class Opened:
    """A retriever that was made or loaded once, for a whole pass."""

    def __init__(self, framework: Framework, retriever: Any) -> None:
        self._framework, self._retriever = framework, retriever

    def query(self, text: str, k: int) -> list[dict[str, Any]]:
        """Return up to ``k`` files, in the order in which their first document came."""
        found: dict[str, float | None] = {}
        for document, score in self._framework.ask(self._retriever, text, k):
            found.setdefault(self._framework.file_of(document), score)
        return [{"file": file, "score": score} for file, score in list(found.items())[:k]]


class Framework:
    """What the three have in common: build, open, and which file a document is from."""

    def __init__(
        self, make: Callable[[Any], Any], build: Callable[[str, str], Any] | None, file: FileOf
    ) -> None:
        self._make, self._build, self._file = make, build, file

    def build(self, corpus_dir: str, out_dir: str) -> Any:
        if self._build is not None:
            return self._build(corpus_dir, out_dir)
        retriever = self._make([self.document(path, text) for path, text in read_documents(corpus_dir)])
        try:
            data = _pickler().dumps(retriever)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise TypeError(
                f"the retriever ({type(retriever).__name__}) cannot be pickled ({error}): give build=, a function "
                "that stores its index, and let the factory load it from the folder"
            ) from error
        with open(os.path.join(out_dir, RETRIEVER), "wb") as stream:
            stream.write(data)
        return None

    @property
    def deviations(self) -> tuple[str, ...]:
        """What to know about the artifact: a retriever is not stored by pickle in production."""
        return () if self._build is not None else (PICKLED,)

    def open(self, out_dir: str) -> Opened:
        if self._build is not None:
            return Opened(self, self._make(out_dir))
        self.before_loading()
        with open(os.path.join(out_dir, RETRIEVER), "rb") as stream:
            return Opened(self, pickle.load(stream))

    def query(self, out_dir: str, text: str, k: int) -> list[dict[str, Any]]:
        return self.open(out_dir).query(text, k)

    def file_of(self, document: Any) -> str:
        if callable(self._file):
            return self._file(document)
        metadata = self.metadata(document)
        if self._file not in metadata:
            raise KeyError(
                f"a document that was returned has no {self._file!r} in its metadata (it has "
                f"{', '.join(map(str, metadata)) or 'none'}): say with file= where its path stands"
            )
        return str(metadata[self._file])

    def before_loading(self) -> None:
        """Do what the framework needs before a retriever of it can be unpickled."""

    def document(self, path: str, text: str) -> Any:
        raise NotImplementedError

    def ask(self, retriever: Any, text: str, k: int) -> Iterable[tuple[Any, float | None]]:
        raise NotImplementedError

    def metadata(self, document: Any) -> dict[str, Any]:
        found: dict[str, Any] = document.metadata
        return found


class LangChain(Framework):
    def document(self, path: str, text: str) -> Any:
        documents = importlib.import_module("langchain_core.documents")
        return documents.Document(page_content=text, metadata={"source": path})

    def ask(self, retriever: Any, text: str, k: int) -> Iterable[tuple[Any, float | None]]:
        return [(document, None) for document in retriever.invoke(text)]


class LlamaIndex(Framework):
    def before_loading(self) -> None:
        # It brings its tokenizer along, but unpickling one asks the network for it unless it is loaded already.
        importlib.import_module("llama_index.core.utils").get_tokenizer()

    def document(self, path: str, text: str) -> Any:
        core = importlib.import_module("llama_index.core")
        return core.Document(text=text, metadata={"file_path": path}, doc_id=path)

    def ask(self, retriever: Any, text: str, k: int) -> Iterable[tuple[Any, float | None]]:
        return [(found.node, found.score) for found in retriever.retrieve(text)]


class Haystack(Framework):
    def __init__(
        self,
        make: Callable[[Any], Any],
        build: Callable[[str, str], Any],
        file: FileOf,
        inputs: Callable[[str, int], dict[str, Any]] | None,
    ) -> None:
        super().__init__(make, build, file)
        self._inputs = inputs

    def ask(self, retriever: Any, text: str, k: int) -> Iterable[tuple[Any, float | None]]:
        given = self._inputs(text, k) if self._inputs is not None else _haystack_inputs(retriever, text)
        lists = [out["documents"] for out in retriever.run(given).values() if "documents" in out]
        if not lists:
            raise KeyError("the pipeline put out no documents: its last component should be the retriever")
        return [(document, document.score) for document in lists[-1]]

    def metadata(self, document: Any) -> dict[str, Any]:
        found: dict[str, Any] = document.meta
        return found


def _haystack_inputs(pipeline: Any, text: str) -> dict[str, dict[str, str]]:
    given: dict[str, dict[str, str]] = {}
    for component, sockets in pipeline.inputs().items():
        for socket, facts in sockets.items():
            if socket in ("text", "query") and facts.get("is_mandatory"):
                given.setdefault(component, {})[socket] = text
    if not given:
        raise KeyError(
            "the pipeline has no mandatory input called text or query: say with inputs= what it is given"
        )
    return given


def read_documents(corpus_dir: str) -> list[tuple[str, str]]:
    """Return (path, text) of every file that is UTF-8 without a NUL byte, in ascending order of path."""
    from contextbenchmark.core.digest import list_files, sort_paths

    found = []
    for path in sort_paths(list_files(Path(corpus_dir))):
        data = (Path(corpus_dir) / path).read_bytes()
        if b"\0" not in data:
            try:
                found.append((path, data.decode("utf-8")))
            except UnicodeDecodeError:
                continue
    return found


def _pickler() -> Any:
    """Return cloudpickle where it is installed, else pickle."""
    try:
        return importlib.import_module("cloudpickle")
    except ModuleNotFoundError:
        return pickle
