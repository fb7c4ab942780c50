"""Another order for each build, the same in every pass over one build: what trials on one build cannot see."""

import random

from _base import rank, read_index, shuffled, write_index

name = "by-build"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir, seed=random.SystemRandom().random())


def query(out_dir, text, k):
    index = read_index(out_dir)
    return shuffled(rank(index, text, k), random.Random(f"{index['seed']}{text}"))
