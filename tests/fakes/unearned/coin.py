"""Two equally likely artifacts with the same answers: three builds agree one time in four."""

import os

from _base import rank, read_index, write_index

name = "coin"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir, coin=os.urandom(1)[0] % 2)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
