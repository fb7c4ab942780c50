"""Declares a file that never changes as its artifact; queries read another, which differs at every build."""

import os
import pathlib

from _base import rank, read_index, write_index

name = "decoy-artifact-file"
artifact_file = "manifest.json"


def build(corpus_dir, out_dir):
    pathlib.Path(out_dir, "manifest.json").write_text("{}")
    write_index(corpus_dir, out_dir, nonce=os.urandom(8).hex())


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
