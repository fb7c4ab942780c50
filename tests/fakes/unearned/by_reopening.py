"""Another order once an artifact has been opened before: pristine copies alone would never show it."""

import pathlib

from _base import rank, read_index, write_index

name = "by-reopening"


class Opened:
    def __init__(self, out_dir):
        mark = pathlib.Path(out_dir, "opened")
        self.before = mark.exists()
        self.index = read_index(out_dir)
        mark.write_text("x")

    def query(self, text, k):
        results = rank(self.index, text, k)
        return results[::-1] if self.before else results


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def open(out_dir):
    return Opened(out_dir)


def query(out_dir, text, k):
    return Opened(out_dir).query(text, k)
