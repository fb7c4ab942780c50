"""From evidence to report: pure. Equal manifests and observations give equal reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextbenchmark.core.names import fingerprint_name
from contextbenchmark.trust.cell_plan import ResourceRow, SessionRow
from contextbenchmark.trust.families.drift import measure_drift
from contextbenchmark.trust.families.rebuild import measure_rebuild
from contextbenchmark.trust.families.stability import measure_stability
from contextbenchmark.trust.journal import Manifest, SystemPlan
from contextbenchmark.trust.level import LevelDecision, decide_level
from contextbenchmark.trust.metrics import chance_jaccard
from contextbenchmark.trust.observation import BuildRow, Failure, Observations
from contextbenchmark.trust.quality import measure_quality
from contextbenchmark.trust.record import (
    CorpusReport,
    DriftFamily,
    Families,
    OperationTimes,
    Quality,
    QueryFamily,
    RebuildFamily,
    Report,
    SystemArtifact,
    SystemReport,
    SystemStatus,
    SystemTimes,
    Times,
)


def derive_report(manifest: Manifest, observations: Observations) -> Report:
    """Return the report on a run. A system without a complete cell is an error row, never a level."""
    systems = tuple(_system(plan, manifest, observations) for plan in manifest.systems)
    return Report(
        benchmark_version=manifest.benchmark_version,
        method_version=manifest.method_version,
        corpus=_corpus(manifest),
        parameters=manifest.parameters,
        machine=manifest.machine,
        versions=manifest.versions,
        deviations=tuple(f"{plan.name}: {text}" for plan in manifest.systems for text in plan.deviations),
        not_varied=manifest.not_varied,
        systems=systems,
    )


def _corpus(manifest: Manifest) -> CorpusReport:
    corpus, k = manifest.corpus, manifest.parameters.k
    warnings = list(corpus.warnings)
    if 4 * k > corpus.files:
        warnings.append(
            f"k = {k} is more than a quarter of the corpus's {corpus.files} files: lists share much by chance."
        )
    return CorpusReport(
        name=corpus.name,
        hash=corpus.hash,
        tree_digest=corpus.tree_digest,
        files=corpus.files,
        bytes=corpus.bytes,
        queries=len(manifest.queries),
        queries_with_relevant=sum(1 for query in manifest.queries if query.relevant),
        chance_jaccard=chance_jaccard(corpus.files, k),
        warnings=tuple(warnings),
    )


def _system(plan: SystemPlan, manifest: Manifest, observations: Observations) -> SystemReport:
    opened = observations.systems.get(plan.name)
    builds = observations.builds(plan.name)
    families = _families(plan, manifest, observations, builds)
    failure = next(iter(observations.failures(plan.name)), opened.failure if opened else None)
    decision = _decide(plan, manifest, observations, families, failure)
    artifact = next((row.artifact for row in builds if row.artifact is not None), None)
    measured = decision.status in ("ok", "vacuous")
    return SystemReport(
        name=plan.name,
        adapter=plan.adapter,
        reference=plan.reference,
        summary=plan.summary,
        status=decision.status,
        level=decision.level,
        level_line=decision.line,
        reasons=decision.reasons,
        system=opened.version if opened else None,
        remote=plan.remote,
        adapter_source=plan.source,
        distributions=plan.distributions,
        deviations=plan.deviations,
        artifact=SystemArtifact(
            hash=families.rebuild.hashes[0] if families.rebuild.hashes else artifact.hash,
            identity=families.rebuild.identity,
            declared_file=artifact.declared_file,
            bytes=artifact.bytes,
            files=len(artifact.files),
        )
        if artifact is not None
        else None,
        families=families,
        quality=_quality(plan.name, manifest, observations) if measured else None,
        failure=failure if decision.status == "error" else None,
        fingerprint=fingerprint_name(
            plan.name, manifest.corpus.name, manifest.machine.os, manifest.machine.arch
        )
        if measured and families.query.passes
        else None,
    )


def _families(
    plan: SystemPlan, manifest: Manifest, observations: Observations, builds: Sequence[BuildRow]
) -> Families:
    name, remote, asked = plan.name, plan.remote, manifest.parameters.families
    if observations.failures(name) or not observations.builds(name):
        return _no_families()
    parameters = manifest.parameters
    texts = [query.query for query in manifest.queries]
    query = measure_stability(
        observations, name, texts, parameters.k, seed=parameters.seed, requested="query" in asked
    )
    rebuild = measure_rebuild(
        builds,
        artifact_file_suffices=query.artifact_file_suffices,
        requested="rebuild" in asked,
        remote=remote,
    )
    drift = measure_drift(
        observations, name, texts, parameters.k, manifest.corpus.files, "drift" in asked, seed=parameters.seed
    )
    return Families(rebuild=rebuild, query=query, drift=drift)


def _no_families() -> Families:
    return Families(
        rebuild=RebuildFamily(status="error"),
        query=QueryFamily(status="error"),
        drift=DriftFamily(status="error"),
    )


def _decide(
    plan: SystemPlan,
    manifest: Manifest,
    observations: Observations,
    families: Families,
    failure: Failure | None,
) -> LevelDecision:
    opened = observations.systems.get(plan.name)
    if plan.problem:
        return _none("unavailable", plan.problem, plan.remedy)
    if failure is not None:
        return _none("error", failure.message, failure.remedy)
    if opened is not None and not opened.available:
        return _none("unavailable", opened.reason, opened.remedy)
    if not observations.builds(plan.name):
        return _none(
            "error", "Nothing of it was measured: the run ended before one of its cells was complete."
        )
    decision = decide_level(families.rebuild, families.query)
    done, asked = len(observations.builds(plan.name)), manifest.parameters.rebuilds
    if decision.status == "ok" and done < asked:
        # A run that is stopped at a happy moment must not be worth more than one that is let end.
        return _none("ok", f"Unfinished, so no level yet: {done} of {asked} builds.", "Go on with --resume.")
    return decision


def _none(status: SystemStatus, *sentences: str) -> LevelDecision:
    reasons = tuple(text for text in sentences if text)
    return LevelDecision(level=None, status=status, line=reasons[0] if reasons else status, reasons=reasons)


def _quality(name: str, manifest: Manifest, observations: Observations) -> Quality | None:
    first = next((row for row in observations.passes(name) if row.failure is None), None)
    if first is None:
        return None
    return measure_quality(
        [observations.lists[hashed] for hashed in first.lists],
        [query.relevant for query in manifest.queries],
        manifest.parameters.k,
        manifest.parameters.seed,
    )


def derive_times(
    manifest: Manifest, resources: Iterable[ResourceRow], sessions: Sequence[SessionRow]
) -> Times:
    """Return what the run's operations took; seconds are of all its sittings that came to their end."""
    rows = sorted(resources, key=lambda row: row.id)
    return Times(
        run=manifest.id,
        started=manifest.started,
        seconds=sum(session.seconds for session in sessions),
        jobs=max((session.jobs for session in sessions), default=0),
        harness_seconds=sum(session.harness_seconds for session in sessions),
        systems=tuple(
            _system_times(plan.name, [row for row in rows if row.system == plan.name])
            for plan in manifest.systems
        ),
    )


def _system_times(name: str, rows: Sequence[ResourceRow]) -> SystemTimes:
    passes = [row for row in rows if not row.id.endswith("/build")]
    latencies = sorted(
        seconds for row in passes if row.cell.startswith("base-") for seconds in row.query_seconds
    )
    return SystemTimes(
        name=name,
        build=_operations([row for row in rows if row.id.endswith("/build")]),
        query_pass=_operations(passes),
        latency=_percentiles(latencies),
        queries_timed=len(latencies),
    )


def _operations(rows: Sequence[ResourceRow]) -> OperationTimes:
    return OperationTimes(
        wall=tuple(row.wall_seconds for row in rows),
        cpu=tuple(row.cpu_seconds for row in rows),
        peak_memory_bytes=tuple(row.peak_memory_bytes for row in rows),
    )


def _percentiles(ordered: Sequence[float]) -> dict[str, float]:
    """Return nearest-rank percentiles: the smallest value that at least p % of the values do not exceed."""
    if not ordered:
        return {}
    ranks = {
        name: max(1, -(-len(ordered) * share // 100))
        for name, share in (("p50", 50), ("p90", 90), ("p99", 99))
    }
    return {**{name: ordered[rank - 1] for name, rank in ranks.items()}, "max": ordered[-1]}
