"""A small honest retriever that the dishonest ones beside it are made from: word overlap, ties by path."""

import json
import os
import re


def words(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def documents(corpus_dir):
    found = {}
    for folder, _, names in os.walk(corpus_dir):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as stream:
                found[os.path.relpath(path, corpus_dir).replace(os.sep, "/")] = sorted(words(stream.read()))
    return dict(sorted(found.items()))


def write_index(corpus_dir, out_dir, name="index.json", **extra):
    with open(os.path.join(out_dir, name), "w", encoding="utf-8") as stream:
        json.dump({"documents": documents(corpus_dir), **extra}, stream)


def read_index(out_dir, name="index.json"):
    with open(os.path.join(out_dir, name), encoding="utf-8") as stream:
        return json.load(stream)


def rank(index, text, k):
    wanted = words(text)
    scored = [(-len(wanted & set(found)), path) for path, found in index["documents"].items()]
    return [{"file": path, "score": float(-score)} for score, path in sorted(scored) if score < 0][:k]


def shuffled(results, source):
    """Return the results in an order drawn from ``source``, which is the planted instability."""
    files = [item["file"] for item in results]
    source.shuffle(files)
    return [{"file": file, "score": None} for file in files]
