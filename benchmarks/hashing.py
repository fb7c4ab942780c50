"""Tree hashing: against one SHA-256 stream on large files, against a bare loop on many small ones."""

from __future__ import annotations

import hashlib
import os
import random
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from benchmarks.material import django
from benchmarks.measuring import Figure, paired, seconds
from contextbenchmark.core.digest import digest_tree, digest_trees

LARGE_FILES, LARGE_BYTES = 4, 64 * 1024 * 1024


def one_stream(root: Path) -> None:
    """Read and hash every file once, one digest each: the least that any hashing of files must do."""
    for path in sorted(root.iterdir()):
        with open(path, "rb", buffering=0) as stream:
            hashlib.file_digest(stream, "sha256").hexdigest()


def bare_loop(root: Path) -> None:
    """Walk, read each file whole, feed one digest."""
    digest = hashlib.sha256()
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as stream:
                digest.update(stream.read())
    digest.hexdigest()


def two_at_once(data: bytes, pairs: int) -> float:
    """Return the time of two SHA-256 streams in two threads over that of one.

    1 where two cores are free, 2 where only one is. Both hashes of a tree need two streams, so no hashing can
    cost less than this beside one stream.
    """

    def one() -> None:
        hashlib.sha256(data).digest()

    def two() -> None:
        other = threading.Thread(target=one)
        other.start()
        one()
        other.join()

    return paired(lambda: seconds(two), lambda: seconds(one), pairs=pairs).ratio


def figures(pairs: int, full: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="contextbenchmark-bench-") as folder:
        yield from large(Path(folder), pairs)
    corpus = django().root
    measured = paired(
        lambda: seconds(lambda: digest_tree(corpus)), lambda: seconds(lambda: bare_loop(corpus)), pairs=pairs
    )
    yield Figure(
        name="tree hashing on django, over a bare loop",
        value=measured.ratio,
        bound=1.6,
        note=measured.note("both hashes and each file's", "one digest over all"),
    )


def large(root: Path, pairs: int) -> Iterator[Figure]:
    draw = random.Random(0)
    trees = [root / "one", root / "two"]
    for tree in trees:
        tree.mkdir()
        for number in range(LARGE_FILES // 2):
            (tree / f"{number}.bin").write_bytes(draw.randbytes(LARGE_BYTES))
    measured = paired(
        lambda: seconds(lambda: one_stream(trees[0])),
        lambda: seconds(lambda: digest_tree(trees[0])),
        pairs=pairs,
    )
    yield Figure(
        name="tree hashing on 64 MB files, of one stream",
        value=measured.ratio,
        bound=0.9,
        side="at least",
        note=measured.note("one SHA-256 stream", "both hashes and each file's")
        + f"; two streams at once take {two_at_once(draw.randbytes(LARGE_BYTES), pairs):.2f} times one here",
    )
    side_by_side = paired(
        lambda: seconds(lambda: digest_trees(trees)),
        lambda: seconds(lambda: [digest_tree(tree) for tree in trees]),
        pairs=pairs,
    )
    yield Figure(
        name="two trees side by side, over one by one",
        value=side_by_side.ratio,
        bound=1.05,
        note=side_by_side.note("side by side", "one by one") + "; each tree alone uses two cores already",
    )
