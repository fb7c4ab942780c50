"""The control: earns CTL-3."""

from _base import rank, read_index, write_index

name = "honest"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
