"""DN, drift under noise: how far do answers move when irrelevant documents land in the corpus?

The raw drift is what the rule book judges. A system that moves at every rebuild is charged for that too, so
beside it stand the same measure between builds without noise (the *null*) and the difference (*net*).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contextbenchmark.errors import RunFolderError
from contextbenchmark.trust.families.agreement import mean_jaccard
from contextbenchmark.trust.families.intervals import flip_rate, mean_interval, paired_interval
from contextbenchmark.trust.families.vacuity import vacuous_reason
from contextbenchmark.trust.metrics import PairCache, PairCounts, pair_counts
from contextbenchmark.trust.observation import NoiseRow, Observations, PassRow
from contextbenchmark.trust.record import DriftFamily, FamilyStatus, FlipRate, QueryDrift

PASS_AT_LEAST = 0.9
WARN_AT_LEAST = 0.75
FILES_PER_RANK = 5
_ROUNDING = 1e-12

Verdict = Literal["PASS", "WARN", "FAIL"]


@dataclass(frozen=True, kw_only=True)
class _NoiseBuild:
    """The first pass over a corpus with noise, and what was planted in it."""

    row: PassRow
    noise: NoiseRow


def measure_drift(
    observations: Observations,
    system: str,
    queries: Sequence[str],
    k: int,
    corpus_files: int,
    requested: bool,
    *,
    seed: int = 0,
) -> DriftFamily:
    """Return the drift of ``system``: noise builds' first passes against that of the first base build.

    ``corpus_files`` is N, the number of documents without noise; there is a verdict from N >= 5k on, since
    below that even random rankings share much of their top k. Jaccard@k is per query, averaged over noise
    cells; drift is 1 minus its mean over queries. RunFolderError when the rows do not fit ``queries``.
    """
    if not requested:
        return DriftFamily(status="not-requested", reason="The drift family was not asked for.")
    base = _first_passes(observations.passes(system))
    noisy = _first_passes(observations.passes(system, "noise-"))
    planted = observations.noise(system)
    failed = _failures(observations, system)
    if failed or not base or not noisy:
        status: FamilyStatus = "error" if failed else "absent"
        return DriftFamily(status=status, reason=failed or "No build with noise documents was made.")
    builds = [_NoiseBuild(row=row, noise=planted[row.cell]) for row in noisy if row.cell in planted]
    if len(builds) != len(noisy) or any(len(row.lists) != len(queries) for row in (*base, *noisy)):
        raise RunFolderError(
            f"The noise rows of {system} do not fit its {len(queries)} queries, or name no noise documents.",
            "The observations file is damaged or of other queries: run again into another folder.",
        )
    probes = _probes(builds, observations)
    per_query = _per_query(base, builds, queries, PairCache(observations.lists, k), observations, k)
    status, reason = _status([*base[:1], *noisy], len(queries), probes)
    return _family(status, reason, builds, probes, per_query, k, corpus_files, seed)


def _family(
    status: FamilyStatus,
    reason: str,
    builds: Sequence[_NoiseBuild],
    probes: FlipRate,
    per_query: tuple[QueryDrift, ...],
    k: int,
    corpus_files: int,
    seed: int,
) -> DriftFamily:
    both = [
        (1 - q.jaccard, 1 - q.null_jaccard)
        for q in per_query
        if q.jaccard is not None and q.null_jaccard is not None
    ]
    surfaced = sum(_surfaced_in(q) for q in per_query)
    drift = mean_interval([1 - q.jaccard for q in per_query if q.jaccard is not None], seed)
    verdict: Verdict | None = None
    if status == "ok" and corpus_files < FILES_PER_RANK * k:
        reason = (
            f"No verdict: {corpus_files} files at k = {k}; at least {FILES_PER_RANK * k} files are needed to"
            " tell drift from chance."
        )
    elif status == "ok":
        verdict = _verdict([q.jaccard for q in per_query if q.jaccard is not None], surfaced)
    return DriftFamily(
        status=status,
        reason=reason,
        verdict=verdict,
        noise_documents=max(len(build.noise.documents) for build in builds),
        noise_builds=len(builds),
        drift=drift,
        null_drift=mean_interval([1 - q.null_jaccard for q in per_query if q.null_jaccard is not None], seed),
        net_drift=paired_interval([raw for raw, _ in both], [null for _, null in both], seed),
        noise_surfaced=flip_rate(surfaced, len(per_query)),
        probes_found=probes,
        per_query=per_query,
    )


def _surfaced_in(query: QueryDrift) -> bool:
    return query.noise_in_top_k > 0


def _failures(observations: Observations, system: str) -> str:
    rows = [*observations.builds(system), *observations.builds(system, "noise-")]
    passes = [*observations.passes(system), *observations.passes(system, "noise-")]
    failed = [row.id for row in rows if row.failure is not None]
    failed += [row.id for row in passes if row.failure is not None and row.copy_kind != "artifact-file"]
    return f"{len(failed)} operations failed, the first of them {failed[0]}." if failed else ""


def _first_passes(passes: Sequence[PassRow]) -> list[PassRow]:
    """Return the first pass of each cell, in the order of the cells."""
    first: dict[str, PassRow] = {}
    for row in passes:
        if row.copy_kind != "artifact-file":
            first.setdefault(row.cell, row)
    return [first[cell] for cell in sorted(first)]


def _probes(builds: Sequence[_NoiseBuild], observations: Observations) -> FlipRate:
    """Count the noise documents that were found when asked for by their own words, over all noise builds."""
    found = n = 0
    for build in builds:
        answers = [*build.row.probes, *([""] * len(build.noise.documents))]
        for path, answer in zip(build.noise.documents, answers, strict=False):
            n += 1
            found += path in observations.lists.get(answer, ())
    return flip_rate(found, n)


def _status(passes: Sequence[PassRow], queries: int, probes: FlipRate) -> tuple[FamilyStatus, str]:
    vacuous = vacuous_reason(passes, queries)
    if vacuous:
        return "vacuous", vacuous
    if probes.flips < probes.n or probes.n == 0:
        missed = probes.n - probes.flips
        return (
            "not-exercised",
            f"Not exercised: {missed} of {probes.n} noise documents were not found by their own words, so"
            " their absence elsewhere says nothing.",
        )
    return "ok", ""


def _per_query(
    base: Sequence[PassRow],
    builds: Sequence[_NoiseBuild],
    queries: Sequence[str],
    cache: PairCache,
    observations: Observations,
    k: int,
) -> tuple[QueryDrift, ...]:
    rows: list[QueryDrift] = []
    for i, query in enumerate(queries):
        pairs: PairCounts = PairCounts((base[0].lists[i], build.row.lists[i]) for build in builds)
        null = pair_counts(row.lists[i] for row in base)
        surfaced = sum(
            path in build.noise.documents
            for build in builds
            for path in observations.lists[build.row.lists[i]][:k]
        )
        rows.append(
            QueryDrift(
                query=query,
                jaccard=mean_jaccard(pairs, cache),
                null_jaccard=mean_jaccard(null, cache),
                noise_in_top_k=surfaced,
            )
        )
    return tuple(rows)


def _verdict(jaccards: Sequence[float], surfaced: int) -> Verdict:
    """Judge by the rule book: PASS from a mean of 0.9 with no noise in a top k, WARN from 0.75, else FAIL."""
    mean = math.fsum(jaccards) / len(jaccards)
    if mean >= PASS_AT_LEAST - _ROUNDING and not surfaced:
        return "PASS"
    return "WARN" if mean >= WARN_AT_LEAST - _ROUNDING else "FAIL"
