"""What each kind of operation took: time and memory, of every one that was done."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from contextbenchmark.render.text import plural, seconds, size
from contextbenchmark.trust.record import OperationTimes, Times

HEADINGS = ("System", "Operation", "Wall, median", "longest", "CPU, median", "Peak memory")


def costs(times: Times) -> tuple[tuple[str, ...], ...]:
    """Return a row of texts, in the order of :data:`HEADINGS`, for each system and kind of operation it did."""
    return tuple(
        (system.name, plural(len(operations.wall), kind), *_figures(operations))
        for system in times.systems
        for kind, operations in (("build", system.build), ("pass", system.query_pass))
        if operations.wall
    )


def _figures(operations: OperationTimes) -> Sequence[str]:
    peak = max(operations.peak_memory_bytes)
    return (
        seconds(median(operations.wall)),
        seconds(max(operations.wall)),
        seconds(median(operations.cpu)),
        size(peak) if peak else "unknown",
    )


def costs_note(times: Times) -> str:
    """Return how to read the table, in a sentence."""
    at_once = f"{plural(times.jobs, 'cell')} at once" if times.jobs else "the run was cut off"
    return (
        f"Wall time is from the start of a child to its end, engine loading included ({at_once}); a pass asks every "
        "query. Peak memory is the largest of any operation of the kind."
    )
