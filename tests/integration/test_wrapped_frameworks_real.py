"""Retrievers of LangChain, LlamaIndex and Haystack, wrapped as their users hand them over, by the real packages.

Each is measured from a process that has both the framework and contextbenchmark, as a user's has: our interpreter
with the engine's environment on its path.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contextbenchmark.checking import DOCUMENTS
from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.engines import engine_for, install

pytestmark = pytest.mark.engine

SCRIPT = """
import sys
sys.path.append({site!r})
import contextbenchmark
{body}
report = contextbenchmark.measure(
    adapter, corpus={corpus!r}, k=3, rebuilds=2, trials=2, families="rebuild,query",
    queries=["when do tomatoes ripen", "a humpback whale sings", "trim the mainsail", "pruning roses", "bread dough"],
)
system = report.systems[0]
print(system.name, system.level, system.failure and system.failure.message, len(system.deviations), system.reasons[-1])
"""

LANGCHAIN_BM25 = '''
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

class Words(BaseRetriever):
    """Ranks by words in common."""
    texts: list
    def _get_relevant_documents(self, query, *, run_manager):
        words = set(query.lower().split())
        def key(document):
            common = words & set(document.page_content.lower().split())
            return -len(common), document.metadata["source"]
        return sorted(self.texts, key=key)[:5]

adapter = contextbenchmark.from_langchain(lambda documents: Words(texts=documents))
'''

LANGCHAIN_STORE = """
import numpy, os
from langchain_community.vectorstores import FAISS
from langchain_core.embeddings import DeterministicFakeEmbedding

def build(corpus_dir, out_dir):
    texts, meta = [], []
    for folder, _, files in sorted(os.walk(corpus_dir)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            texts.append(open(path, encoding="utf-8").read() or "empty")
            meta.append({"at": os.path.relpath(path, corpus_dir)})
    FAISS.from_texts(texts, DeterministicFakeEmbedding(size=16), metadatas=meta).save_local(out_dir)

def retriever(out_dir):
    store = FAISS.load_local(out_dir, DeterministicFakeEmbedding(size=16), allow_dangerous_deserialization=True)
    return store.as_retriever(search_kwargs={"k": 5})

adapter = contextbenchmark.from_langchain(retriever, build=build, file="at", name="faiss-store")
"""

LLAMA_INDEX = """
import hashlib
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding

class Words(BaseEmbedding):
    def _get_text_embedding(self, text):
        vector = [0.01] * 64
        for word in text.lower().replace(".", " ").replace(":", " ").split():
            vector[hashlib.sha256(word.encode()).digest()[0] % 64] += 1
        return vector
    def _get_query_embedding(self, query):
        return self._get_text_embedding(query)
    async def _aget_query_embedding(self, query):
        return self._get_text_embedding(query)

def make(documents):
    return VectorStoreIndex.from_documents(documents, embed_model=Words()).as_retriever(similarity_top_k=5)

adapter = contextbenchmark.from_llama_index(make)
"""

HAYSTACK = """
import os
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

def build(corpus_dir, out_dir):
    from haystack import Document
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    store = InMemoryDocumentStore(index="fixed")
    for folder, _, files in sorted(os.walk(corpus_dir)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            text = open(path, encoding="utf-8").read()
            store.write_documents([Document(content=text, meta={"file_path": os.path.relpath(path, corpus_dir)})])
    store.save_to_disk(os.path.join(out_dir, "store.json"))

def pipeline(out_dir):
    from haystack import Pipeline
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    found = Pipeline()
    store = InMemoryDocumentStore.load_from_disk(os.path.join(out_dir, "store.json"))
    found.add_component("retriever", InMemoryBM25Retriever(store, top_k=5))
    return found

adapter = contextbenchmark.from_haystack(pipeline, build=build)
"""


@pytest.mark.parametrize(
    ("engine", "body", "told"),
    [
        # Stored by pickle, which holds sets in an order of the process's own; the report says so.
        ("langchain-faiss", LANGCHAIN_BM25, "langchain CTL-2 None 1"),
        # Its ids are random: the answers stay, the pickle moves.
        ("langchain-faiss", LANGCHAIN_STORE, "faiss-store CTL-2 None 0"),
        ("llama-index", LLAMA_INDEX, "llama-index CTL-2 None 1"),
        ("haystack", HAYSTACK, "haystack CTL-3 None 0"),
    ],
)
def test_a_wrapped_retriever_is_measured(engine: str, body: str, told: str, tmp_path: Path) -> None:
    said = run(engine, body, tmp_path)
    assert said.startswith(told), said


def test_a_retriever_that_cannot_be_pickled_says_what_to_give_instead(tmp_path: Path) -> None:
    body = LANGCHAIN_BM25 + (
        "\nimport threading\n"
        "def locked(documents):\n"
        "    made = Words(texts=documents)\n"
        "    object.__setattr__(made, 'lock', threading.Lock())\n"
        "    made.__dict__['lock'] = threading.Lock()\n"
        "    return made\n"
        "adapter = contextbenchmark.from_langchain(locked)\n"
    )
    assert "cannot be pickled" in (said := run("langchain-faiss", body, tmp_path)) and "give build=" in said


def run(engine_name: str, body: str, tmp_path: Path) -> str:
    corpus = tmp_path / "corpus"
    for path, text in DOCUMENTS.items():
        (corpus / path).parent.mkdir(parents=True, exist_ok=True)
        (corpus / path).write_text(text, encoding="utf-8")
    adapter = resolve(engine_name)
    engine = install(engine_for(adapter.name, adapter.requirements), print)
    script = tmp_path / "mine.py"
    script.write_text(
        SCRIPT.format(site=str(engine.site_packages), body=body, corpus=str(corpus)), encoding="utf-8"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
