"""Returns one list to everything."""

from _base import read_index, write_index

name = "constant"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    return [{"file": path, "score": 1.0} for path in list(read_index(out_dir)["documents"])[:k]]
