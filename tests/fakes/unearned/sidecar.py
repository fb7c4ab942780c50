"""The honest use of artifact_file: the index is the file; a log beside it differs and is not read. Earns CTL-3."""

import os
import pathlib

from _base import rank, read_index, write_index

name = "sidecar"
artifact_file = "index.json"


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)
    pathlib.Path(out_dir, "build.log").write_text(os.urandom(8).hex())


def query(out_dir, text, k):
    return rank(read_index(out_dir), text, k)
