"""Says it is another version each time, so that a difference could always be blamed on that."""

import os

from _base import rank, read_index, write_index

name = "changing-version"


def version():
    return os.urandom(4).hex()


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
