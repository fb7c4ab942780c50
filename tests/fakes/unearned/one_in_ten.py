"""Answers one query in ten, well; the rest not at all."""

import hashlib

from _base import rank, read_index, write_index

name = "one-in-ten"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    if hashlib.sha256(text.encode()).digest()[0] % 10:
        return []
    return rank(read_index(out_dir), text, k)
