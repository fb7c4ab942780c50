"""Writes the corpus's absolute path into the artifact."""

from _base import rank, read_index, write_index

name = "absolute-path"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir, root=corpus_dir)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
