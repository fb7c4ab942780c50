"""Retrieval quality beside the level: determinism of a retriever that finds nothing is worth nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from contextbenchmark.trust.families.intervals import mean_interval
from contextbenchmark.trust.record import Quality


def measure_quality(
    lists: Sequence[Sequence[str]], relevant: Sequence[Collection[str]], k: int, seed: int
) -> Quality | None:
    """Return recall@k, nDCG@k and MRR@k over the queries with relevant files; None where no query has any.

    ``lists[i]`` are query i's ranked paths, ``relevant[i]`` its relevant ones (empty: not known, left out).
    Relevance is binary. nDCG: Jarvelin and Kekalainen, ACM TOIS 20 (2002), gain 1, discount log2(rank + 1),
    over the best order of min(k, number relevant) files. Each lies in [0, 1], with an interval over queries.
    """
    judged = [(ranked[:k], set(wanted)) for ranked, wanted in zip(lists, relevant, strict=True) if wanted]
    if not judged:
        return None
    recall = [sum(path in wanted for path in ranked) / len(wanted) for ranked, wanted in judged]
    return Quality(
        k=k,
        recall=mean_interval(recall, seed),
        ndcg=mean_interval([_ndcg(ranked, wanted, k) for ranked, wanted in judged], seed),
        mrr=mean_interval([_reciprocal_rank(ranked, wanted) for ranked, wanted in judged], seed),
    )


def _ndcg(ranked: Sequence[str], wanted: Collection[str], k: int) -> float:
    gained = math.fsum(1 / math.log2(rank + 1) for rank, path in enumerate(ranked, 1) if path in wanted)
    best = math.fsum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
    return gained / best


def _reciprocal_rank(ranked: Sequence[str], wanted: Collection[str]) -> float:
    return next((1 / rank for rank, path in enumerate(ranked, 1) if path in wanted), 0.0)
