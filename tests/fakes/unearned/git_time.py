"""Writes the commit time of the repository around the corpus into the artifact."""

import subprocess

from _base import rank, read_index, write_index

name = "git-time"


def build(corpus_dir, out_dir):
    told = subprocess.run(
        ["git", "-C", corpus_dir, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False
    )
    write_index(corpus_dir, out_dir, committed=told.stdout.strip())


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
