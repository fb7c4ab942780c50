"""Another order in each process: what a hash seed, a thread race or an address does."""

import random

from _base import rank, read_index, shuffled, write_index

name = "by-process"
seed = random.SystemRandom().random()


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    return shuffled(rank(read_index(out_dir), text, k), random.Random(f"{seed}{text}"))
