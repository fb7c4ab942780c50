"""The overhead of an operation: a child that does nothing, in starts of a bare interpreter."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import Figure, paired, seconds
from contextbenchmark.trust.adapter import resolve
from contextbenchmark.trust.operation import Limits, Operation
from contextbenchmark.trust.surroundings import own_interpreter
from contextbenchmark.trust.workplace import Workplace

# One start takes about 10 ms: several together make a pair that a scheduler's tick does not decide.
TOGETHER = 10


def each(work: Callable[[], None]) -> float:
    """Return the seconds of one of several in a row."""

    def together() -> None:
        for _ in range(TOGETHER):
            work()

    return seconds(together) / TOGETHER


def figures(pairs: int, full: bool) -> Iterator[Figure]:
    adapter = resolve(str(Path(__file__).parent / "nothing.py"))
    interpreter = own_interpreter()
    bare = [str(interpreter.python), "-s", "-S", "-P", "-c", "pass"]
    with Workplace() as workplace:
        corpus = workplace.new_folder("corpus")
        (corpus / "a.txt").write_text("a")

        def operation() -> None:
            place = workplace.new_folder("place")
            out = place / "out"
            out.mkdir()
            with Operation(workplace, adapter, interpreter, Limits(), seed=1, writable=(place,)) as child:
                child.hello()
                child.build(corpus, out)
                child.close()
            workplace.discard(place)

        def start() -> None:
            subprocess.run(bare, check=True)

        measured = paired(lambda: each(operation), lambda: each(start), pairs=pairs)
    yield Figure(
        name="operation, in bare interpreter starts",
        value=measured.ratio,
        bound=3.0,
        note=measured.note("operation", "`python -s -S -P -c pass`"),
    )
