"""Leaves nothing at all and finds its answers in its own source."""

name = "no-artifact"
FILES = [f"doc{number:02d}.txt" for number in range(60)]


def build(corpus_dir, out_dir):
    pass


def query(out_dir, text, k):
    first = sum(text.encode()) % 50
    return [{"file": file, "score": None} for file in FILES[first : first + k]]
