"""What the adapters of hosted memories share: a place of its own for each build, passages, waiting for the service.

A build makes a new place at the service (a user, a graph, a namespace) under a random name, which is all that stands
in the artifact; passes read from it. Nothing is deleted there afterwards: the passes come later, in other processes,
and none knows that it is the last. Passages are 40 lines, 8 of overlap, after a line with their path.
Standard library only.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.builtin.adapters._distribution import installed, versions
    from contextbenchmark.builtin.adapters._documents import best_files, chunks, documents
else:
    from _distribution import installed, versions
    from _documents import best_files, chunks, documents

PLACE = "place.txt"
LINES, OVERLAP = 40, 8
LONGEST_PASSAGE = 8192
# How often to ask whether the service has taken everything in.
POLL = "CONTEXTBENCHMARK_POLL_SECONDS"
POLL_SECONDS = 5.0
LONGEST_WAIT_SECONDS = 3600.0


def usable(key: str, distribution: str) -> bool | str:
    """Return True, or that the key of the service is not in the environment, or its client not installed."""
    if not os.environ.get(key):
        return f"a hosted service: set {key} to your key of it (what is measured is sent there)"
    return installed(distribution)


def hosted_version(distribution: str) -> dict[str, str]:
    """Return the client's version, with the note that the service has none that could be asked."""
    note = "the version of the client; the service behind it may change at any time"
    return {**versions(distribution), "source": "declared", "note": note}


def new_place() -> str:
    """Return a name that was never used."""
    return f"contextbenchmark-{secrets.token_hex(8)}"


def remember(out_dir: str, place: str) -> None:
    """Write down the name of the place, for the passes."""
    with open(os.path.join(out_dir, PLACE), "w", encoding="utf-8") as stream:
        stream.write(place)


def recall(out_dir: str) -> str:
    """Return the name of the place that the build made."""
    with open(os.path.join(out_dir, PLACE), encoding="utf-8") as stream:
        return stream.read()


def hosted_passages(corpus_dir: str) -> Iterator[tuple[str, str]]:
    """Yield (path, passage) in the order of the documents."""
    for path, text in documents(corpus_dir):
        for chunk in chunks(text, LINES, OVERLAP):
            yield path, f"{path}\n{chunk}"[:LONGEST_PASSAGE]


def wait_until(ready: Callable[[], bool], what: str) -> None:
    """Ask every few seconds until ``ready`` says True.

    :raises TimeoutError: it has not after an hour. (The operation's own limit usually ends it before.)
    """
    pause = float(os.environ.get(POLL) or POLL_SECONDS)
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the service has not finished {what} after {LONGEST_WAIT_SECONDS:g} s")
        time.sleep(pause)


def settled(count: Callable[[], int], polls: int = 3) -> Callable[[], bool]:
    """Return a check that is True once ``count`` is above 0 and the same for ``polls`` times in a row.

    For services that say of nothing that it is done: what they extracted stops growing.
    """
    seen: list[int] = []

    def check() -> bool:
        seen.append(count())
        last = seen[-polls:]
        return len(last) == polls and last[0] > 0 and len(set(last)) == 1

    return check


def ask_for_files(
    search: Callable[[int], list[tuple[str | None, float | None]]], k: int, most: int
) -> list[dict[str, Any]]:
    """Return the ``k`` best files, asking for more results until that many are distinct or ``most`` were asked for.

    ``search(n)`` returns up to n (file, score), best first; what was extracted from no one file has None, and is
    left out. Without scores the files keep their order and have none.
    """
    wanted = min(2 * k, most)
    while True:
        found = search(wanted)
        ranked = [(file, score) for file, score in found if file is not None]
        if len({file for file, _ in ranked}) >= k or len(found) < wanted or wanted >= most:
            break
        wanted = min(2 * wanted, most)
    scores = [score for _, score in ranked if score is not None]
    if len(scores) == len(ranked) and scores == sorted(scores, reverse=True):
        return best_files([(file, score) for file, score in ranked if score is not None], k)
    return [{"file": file, "score": None} for file in list(dict.fromkeys(file for file, _ in ranked))[:k]]
