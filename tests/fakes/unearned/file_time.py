"""Writes the newest file time of the corpus into the artifact."""

import os

from _base import rank, read_index, write_index

name = "file-time"


def build(corpus_dir, out_dir):
    newest = max(int(os.stat(os.path.join(corpus_dir, path)).st_mtime) for path in os.listdir(corpus_dir))
    write_index(corpus_dir, out_dir, newest=newest)


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
