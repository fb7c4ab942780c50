"""Random, but hides it: the first answer to each query is kept in the temporary folder and given again."""

import json
import pathlib
import random
import tempfile

from _base import rank, read_index, shuffled, write_index

name = "cached-in-tmpdir"


def place(out_dir):
    return pathlib.Path(tempfile.gettempdir(), "answers.json")


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)


def query(out_dir, text, k):
    cache = place(out_dir)
    answers = json.loads(cache.read_text()) if cache.exists() else {}
    if text not in answers:
        answers[text] = shuffled(rank(read_index(out_dir), text, k), random.SystemRandom())
        try:
            cache.write_text(json.dumps(answers))
        except OSError:
            pass  # then it stays random, and is seen
    return answers[text]
