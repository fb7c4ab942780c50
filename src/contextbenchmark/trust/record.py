"""The report as a record: schema ``contextbenchmark.report/1``, derived from observations and nothing else.

Conventions: a share or agreement lies in [0, 1]; ``n`` is the number of comparisons that a value is over;
``None`` is *undefined* (nothing to take it over), never zero. Times are not here: they stand in
``times.json`` (schema ``contextbenchmark.times/1``), so that equal observations give equal report bytes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from contextbenchmark.core.machine import Machine
from contextbenchmark.core.record import Record
from contextbenchmark.trust.observation import Failure, SystemIdentity

REPORT_SCHEMA: Literal["contextbenchmark.report/1"] = "contextbenchmark.report/1"
TIMES_SCHEMA: Literal["contextbenchmark.times/1"] = "contextbenchmark.times/1"
METHOD_VERSION = "1"

FamilyStatus = Literal["ok", "vacuous", "absent", "not-requested", "error", "not-exercised"]
SystemStatus = Literal["ok", "vacuous", "error", "unavailable"]
Level = Literal["CTL-0", "CTL-1", "CTL-2", "CTL-3", "CTL-4"]


class Estimate(Record):
    """A mean over ``n`` items with its 95 % interval; ``value`` None where ``n`` is 0."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int


class FlipRate(Record):
    """``flips`` of ``n`` comparisons differed; ``upper95`` is the one-sided 95 % Clopper-Pearson bound."""

    flips: int
    n: int
    upper95: float | None


class Agreement(Record):
    """How far ranked lists agree, over all (query, pair of passes) comparisons of one kind.

    ``emr`` is the share of lists identical to the first (n = ``rate.n`` comparisons, the first one with itself
    left out); ``jaccard``, ``kendall_top`` (K^(1/2) similarity), ``rbo`` and ``tau`` are means over all pairs,
    each with the number of pairs where it is defined.
    """

    emr: float | None
    rate: FlipRate
    jaccard: Estimate
    kendall_top: Estimate
    rbo: Estimate
    tau: Estimate


class DifferingFile(Record):
    """A file of the artifact that is not the same in every build; ``hashes[i]`` is None where build i lacks it."""

    path: str
    hashes: tuple[str | None, ...]


class RebuildFamily(Record):
    """RI. ``identity`` says what the artifact hash was taken over; ``hashes[i]`` is build i's."""

    status: FamilyStatus
    reason: str = ""
    builds: int = 0
    distinct_hashes: int = 0
    identity: Literal["file", "directory", "absent"] = "absent"
    hashes: tuple[str, ...] = ()
    rate: FlipRate | None = None
    differing_files: tuple[DifferingFile, ...] = ()
    differing_files_total: int = 0


class QueryStability(Record):
    """One query's share in QS. ``distinct_lists`` over all base passes; ``lists`` their result hashes, the first
    pass's first; ``jaccard`` the mean over all pairs of base passes."""

    query: str
    distinct_lists: int
    lists: tuple[str, ...]
    jaccard: float | None


class QueryFamily(Record):
    """QS. ``answered``: queries with a non-empty list in the worst pass, of ``queries``; ``distinct_lists``:
    distinct non-empty lists in the pass that has fewest. ``history`` and ``history_agreement`` compare a pass's
    first answers with those it gave when asked again at its end; ``pass_rate`` counts whole passes with any
    answer unlike the first pass's over the same build (n = passes - builds), ``build_rate`` builds whose first pass
    has any answer unlike the first build's (n = builds - 1). An agreement is None where nothing was compared."""

    status: FamilyStatus
    reason: str = ""
    passes: int = 0
    queries: int = 0
    answered: int = 0
    distinct_lists: int = 0
    within_build: Agreement | None = None
    across_builds: Agreement | None = None
    across_reopenings: Agreement | None = None
    history: FlipRate | None = None
    history_agreement: Agreement | None = None
    pass_rate: FlipRate | None = None
    build_rate: FlipRate | None = None
    score_only_changes: FlipRate | None = None
    reading_changed_artifact: FlipRate | None = None
    artifact_file_suffices: bool | None = None
    per_query: tuple[QueryStability, ...] = ()


class QueryDrift(Record):
    """One query's share in DN: Jaccard@k with the base lists, the same between base builds, noise entries."""

    query: str
    jaccard: float | None
    null_jaccard: float | None
    noise_in_top_k: int


class DriftFamily(Record):
    """DN. ``verdict`` is on the raw values; ``null_drift`` is what rebuilding alone moves; ``net_drift`` the
    paired difference, with an interval over queries."""

    status: FamilyStatus
    reason: str = ""
    verdict: Literal["PASS", "WARN", "FAIL"] | None = None
    noise_documents: int = 0
    noise_builds: int = 0
    drift: Estimate | None = None
    null_drift: Estimate | None = None
    net_drift: Estimate | None = None
    noise_surfaced: FlipRate | None = None
    probes_found: FlipRate | None = None
    per_query: tuple[QueryDrift, ...] = ()


class Quality(Record):
    """Retrieval quality of the first pass over the queries whose relevant files are known (binary relevance)."""

    k: int
    recall: Estimate
    ndcg: Estimate
    mrr: Estimate


class SystemArtifact(Record):
    """The first build's artifact. ``hash`` is the one that identity is judged on (see ``identity``)."""

    hash: str
    identity: Literal["file", "directory", "absent"]
    declared_file: str | None = None
    bytes: int
    files: int


class Families(Record):
    rebuild: RebuildFamily
    query: QueryFamily
    drift: DriftFamily


class SystemReport(Record):
    """One context system's row. ``level`` is None where there is none; ``reasons`` say why, in words."""

    name: str
    adapter: str
    reference: str
    summary: str = ""
    status: SystemStatus
    level: Level | None
    level_line: str
    reasons: tuple[str, ...]
    system: SystemIdentity | None = None
    remote: bool = False
    adapter_source: str
    distributions: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    artifact: SystemArtifact | None = None
    families: Families
    quality: Quality | None = None
    failure: Failure | None = None
    fingerprint: str | None = None


class CorpusReport(Record):
    """``chance_jaccard`` is the expected Jaccard@k of two random rankings of this corpus's files."""

    name: str
    hash: str
    tree_digest: str
    files: int
    bytes: int
    queries: int
    queries_with_relevant: int
    chance_jaccard: float | None
    warnings: tuple[str, ...] = ()


class Parameters(Record):
    """What was asked for. Time and memory limits are None where there is none."""

    k: int = 10
    rebuilds: int = 3
    trials: int = 5
    families: tuple[str, ...] = ("rebuild", "query", "drift")
    seed: int = 0
    noise_documents: int = 1
    noise_seeds: int = 1
    timeout_seconds: float | None = None
    memory_bytes: int | None = None


class Report(Record):
    schema_: Literal["contextbenchmark.report/1"] = Field(REPORT_SCHEMA, alias="schema")
    benchmark_version: str
    method_version: str = METHOD_VERSION
    corpus: CorpusReport
    parameters: Parameters
    machine: Machine
    versions: dict[str, str]
    deviations: tuple[str, ...]
    not_varied: tuple[str, ...] = ()
    systems: tuple[SystemReport, ...]


class OperationTimes(Record):
    """Seconds over all operations of a kind: each list is ordered by operation id."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]
    peak_memory_bytes: tuple[int, ...]


class SystemTimes(Record):
    """``latency`` maps p50, p90, p99, max to seconds a query, over every query of every base pass."""

    name: str
    build: OperationTimes
    query_pass: OperationTimes
    latency: dict[str, float]
    queries_timed: int


class Times(Record):
    schema_: Literal["contextbenchmark.times/1"] = Field(TIMES_SCHEMA, alias="schema")
    run: str
    started: str
    seconds: float
    jobs: int
    harness_seconds: float
    systems: tuple[SystemTimes, ...]
