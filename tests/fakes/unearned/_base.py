"""A small honest retriever that the dishonest ones beside it are made from: word overlap, ties by path."""

import json
import os
import pathlib
import re


def words(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def documents(corpus_dir):
    found = {}
    for folder, _, names in os.walk(corpus_dir):
        for name in names:
            path = os.path.join(folder, name)
            text = pathlib.Path(path).read_text("utf-8")
            found[os.path.relpath(path, corpus_dir).replace(os.sep, "/")] = sorted(words(text))
    return dict(sorted(found.items()))


def write_index(corpus_dir, out_dir, name="index.json", **extra):
    index = {"documents": documents(corpus_dir), **extra}
    pathlib.Path(out_dir, name).write_text(json.dumps(index), "utf-8")


def read_index(out_dir, name="index.json"):
    return json.loads(pathlib.Path(out_dir, name).read_text("utf-8"))


def rank(index, text, k):
    wanted = words(text)
    scored = [(-len(wanted & set(found)), path) for path, found in index["documents"].items()]
    return [{"file": path, "score": float(-score)} for score, path in sorted(scored) if score < 0][:k]


def shuffled(results, source):
    """Return the results in an order drawn from ``source``, which is the planted instability."""
    files = [item["file"] for item in results]
    source.shuffle(files)
    return [{"file": file, "score": None} for file in files]
