"""The same list in every process, but another one when a query is asked again in the same process."""

from _base import rank, read_index, write_index

name = "by-history"
asked = set()


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    results = rank(read_index(out_dir), text, k)
    if text in asked:
        results.reverse()
    asked.add(text)
    return results
