"""Where independent cells are run: any ``concurrent.futures.Executor``; a local pool of threads by default.

Threads only wait for child processes, so they cost nothing and never fork.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, ThreadPoolExecutor


def default_jobs() -> int:
    """Return how many cells run at once unless told: the processors this process may use, at most 4.

    Engines use several threads themselves and hold their index in memory; more at once is the user's choice.
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, available))


def local_pool(jobs: int) -> Executor:
    """Return an executor that runs at most ``jobs`` cells at once on this machine."""
    return ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="cell")
