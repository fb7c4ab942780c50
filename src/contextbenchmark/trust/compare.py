"""Comparing fingerprints: pure. What must match, what may differ, and what a match on another machine is worth.

The rule book's four outcomes. PASS: artifact and all results identical. FAIL: they differ although the inputs are
provably identical. NOT COMPARABLE: a controlled variable provably differs, or there is nothing to compare.
INCONCLUSIVE: they differ and an input is not attributable.

What the rule book leaves open. A corpus may have two names where both sides have its tree digest, which decides;
the tree hash must agree all the same. Packages that differ are an input that cannot be attributed, since some of
them are not part of the system. An identity that is only declared proves nothing about the bytes that ran: results
that differ are then INCONCLUSIVE (the rule book's tool says FAIL), unless both sides record the same adapter source
and the same packages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from contextbenchmark.errors import EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_NOT_COMPARABLE, EXIT_PASS
from contextbenchmark.trust.ctl4 import worth_for_ctl4
from contextbenchmark.trust.families.vacuity import ANSWERED_AT_LEAST, DISTINCT_AT_LEAST
from contextbenchmark.trust.fingerprint import Fingerprint, ReadFingerprint
from contextbenchmark.trust.observation import EMPTY_LIST_HASH

Outcome = Literal["PASS", "FAIL", "NOT COMPARABLE", "INCONCLUSIVE"]
EXIT_CODES: dict[Outcome, int] = {
    "PASS": EXIT_PASS,
    "FAIL": EXIT_FAIL,
    "NOT COMPARABLE": EXIT_NOT_COMPARABLE,
    "INCONCLUSIVE": EXIT_INCONCLUSIVE,
}
WORST_FIRST: tuple[Outcome, ...] = ("FAIL", "INCONCLUSIVE", "NOT COMPARABLE", "PASS")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two fingerprints compared. ``blockers`` make them incomparable; ``unknowns`` are unattributable inputs.

    ``verdict`` is the outcome with its qualifiers; ``ctl4`` says what the pair is worth for CTL-4, and why.
    ``machines`` are the two systems and architectures, in Node's names.
    ``query_total`` counts the queries of both; ``differing_queries`` names those whose results differ.
    """

    first: str
    second: str
    machines: tuple[str, str]
    outcome: Outcome
    verdict: str
    blockers: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()
    artifact_match: bool = False
    query_matches: int = 0
    query_total: int = 0
    differing_queries: tuple[str, ...] = ()
    differing_files: tuple[str, ...] = ()
    ctl4: str = ""
    ctl4_eligible: bool = False


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Every pair of the files, and the worst outcome: FAIL > INCONCLUSIVE > NOT COMPARABLE > PASS."""

    pairs: tuple[Pair, ...]
    outcome: Outcome
    exit_code: int


def compare(fingerprints: Sequence[ReadFingerprint]) -> Comparison:
    """Compare two or more fingerprints, each with every other."""
    if len(fingerprints) < 2:
        raise ValueError("a comparison takes two fingerprints or more")
    pairs = tuple(compare_pair(first, second) for first, second in combinations(fingerprints, 2))
    outcome = next(worst for worst in WORST_FIRST if any(pair.outcome == worst for pair in pairs))
    return Comparison(pairs=pairs, outcome=outcome, exit_code=EXIT_CODES[outcome])


def compare_pair(first: ReadFingerprint, second: ReadFingerprint) -> Pair:
    """Compare two fingerprints."""
    a, b = first.fingerprint, second.fingerprint
    blockers, unknowns = _controlled(a, b)
    blockers += [
        f"{read.path} was changed after it was written: its content does not fit its own digest"
        for read in (first, second)
        if read.altered
    ]
    vacuous = [
        f"{read.path} is vacuous: {why}"
        for read in (first, second)
        if (why := _vacuous(read.fingerprint)) is not None
    ]
    blockers += _query_sets(a, b)
    shared = [query for query in a.query_hashes if query in b.query_hashes]
    differing = tuple(query for query in shared if a.query_hashes[query] != b.query_hashes[query])
    artifact_match = a.artifact_hash == b.artifact_hash
    identical = artifact_match and not differing
    if not identical and "system identity" not in unknowns and not _provably_same_system(a, b):
        unknowns.append("system identity (declared only, which says nothing about the bytes that ran)")
    outcome = _outcome(blockers + vacuous, unknowns, identical=identical)
    ctl4, eligible = worth_for_ctl4(a, b, passed=outcome == "PASS")
    return Pair(
        first=first.path,
        second=second.path,
        machines=(f"{a.env.os} {a.env.arch}", f"{b.env.os} {b.env.arch}"),
        outcome=outcome,
        verdict=_verdict(outcome, bool(unknowns), bool(vacuous and not blockers), not differing, eligible),
        blockers=tuple(dict.fromkeys(blockers + vacuous)),  # a file may be compared with itself
        unknowns=tuple(unknowns),
        artifact_match=artifact_match,
        query_matches=len(shared) - len(differing),
        query_total=len(a.query_hashes.keys() | b.query_hashes.keys()),
        differing_queries=differing,
        differing_files=() if artifact_match else _differing_files(a, b),
        ctl4=ctl4,
        ctl4_eligible=eligible,
    )


def _controlled(a: Fingerprint, b: Fingerprint) -> tuple[list[str], list[str]]:
    """Return the controlled variables that provably differ, and those that cannot be attributed."""
    blockers, unknowns = [], []
    for label, left, right in _variables(a, b):
        if left is None or right is None:
            unknowns.append(label)
        elif left != right:
            blockers.append(f"{label} differs: {left} and {right}")
    if a.adapter_source is not None and b.adapter_source is not None and a.adapter_source != b.adapter_source:
        blockers.append(f"adapter source differs: {a.adapter_source} and {b.adapter_source}")
    if a.distributions is not None and b.distributions is not None and a.distributions != b.distributions:
        changed = sorted(set(a.distributions) ^ set(b.distributions))
        unknowns.append(f"installed distributions (they differ: {', '.join(changed[:6])})")
    return blockers, unknowns


def _variables(a: Fingerprint, b: Fingerprint) -> Iterator[tuple[str, object, object]]:
    yield "adapter", a.adapter, b.adapter
    if a.corpus.tree_digest is not None and b.corpus.tree_digest is not None:
        # It is injective and taken over the whole tree, so it decides, whatever the corpora are called.
        yield "corpus tree digest", a.corpus.tree_digest, b.corpus.tree_digest
    else:
        yield "corpus name", a.corpus.name, b.corpus.name
    yield "corpus hash", a.corpus.hash, b.corpus.hash
    yield "k", a.k, b.k
    if a.method_version is not None and b.method_version is not None:
        yield "method version", a.method_version, b.method_version
    else:
        yield "benchmark version", a.benchmark_version, b.benchmark_version
    yield "system identity", a.system.id if a.system else None, b.system.id if b.system else None


def _query_sets(a: Fingerprint, b: Fingerprint) -> list[str]:
    only_a = [query for query in a.query_hashes if query not in b.query_hashes]
    only_b = [query for query in b.query_hashes if query not in a.query_hashes]
    if not only_a and not only_b:
        return []
    example = (only_a or only_b)[0]
    return [
        f"the queries differ: {len(only_a)} only in the first, {len(only_b)} only in the second, like {example!r}"
    ]


def _vacuous(fingerprint: Fingerprint) -> str | None:
    """Return why the results mean nothing, by the rule for levels, on what a fingerprint shows: list hashes."""
    hashes = list(fingerprint.query_hashes.values())
    answered = [value for value in hashes if value != EMPTY_LIST_HASH]
    if not hashes:
        return "it has no queries"
    if fingerprint.evidence is not None and fingerprint.evidence.status == "vacuous":
        return "its own run found so"
    if not answered:
        return "every query returned nothing"
    if len(answered) < ANSWERED_AT_LEAST * len(hashes):
        return f"only {len(answered)} of {len(hashes)} queries returned anything"
    if len(hashes) == 1:
        return "one query cannot tell a retriever from a constant list"
    distinct, needed = len(set(answered)), min(DISTINCT_AT_LEAST, len(hashes))
    if distinct < needed:
        return f"{len(hashes)} queries gave {distinct} distinct list{'s' if distinct > 1 else ''}"
    return None


def _outcome(blockers: Sequence[str], unknowns: Sequence[str], *, identical: bool) -> Outcome:
    if blockers:
        return "NOT COMPARABLE"
    if identical:
        return "PASS"
    return "INCONCLUSIVE" if unknowns else "FAIL"


def _provably_same_system(a: Fingerprint, b: Fingerprint) -> bool:
    """A declared identity is a claim, not a proof: equal sources and distributions, as recorded, make up for it."""
    if all(side.system is not None and side.system.source != "declared" for side in (a, b)):
        return True
    recorded = a.adapter_source is not None and a.adapter_source == b.adapter_source
    return recorded and a.distributions is not None and a.distributions == b.distributions


def _verdict(outcome: Outcome, unknown: bool, vacuous: bool, results_agree: bool, eligible: bool) -> str:
    if outcome == "NOT COMPARABLE":
        return "NOT COMPARABLE (vacuous)" if vacuous else "NOT COMPARABLE"
    text = str(outcome)
    if outcome != "PASS" and results_agree:
        text += " (artifact only)"
    if unknown:
        text += " (UNVERIFIED)"
    return f"{text}, CTL-4-eligible (unattested)" if eligible else text


def _differing_files(a: Fingerprint, b: Fingerprint) -> tuple[str, ...]:
    if a.artifact_files is None or b.artifact_files is None:
        return ()
    left = {file.path: file.sha256 for file in a.artifact_files}
    right = {file.path: file.sha256 for file in b.artifact_files}
    # Of a long list only the head is recorded: what stands in one head alone may still be in the other artifact.
    whole = all((side.artifact_files_total or 0) <= len(side.artifact_files or ()) for side in (a, b))
    paths = left.keys() | right.keys() if whole else left.keys() & right.keys()
    return tuple(path for path in sorted(paths) if left.get(path) != right.get(path))
