"""The exchange format: what a system produced, what produced it, and from what. Format 2, readable by the tool it
comes from; our extra keys are ignored there. Formats 1 and 2 from elsewhere are read.

A file is data from a stranger: its size, depth, types and hashes are checked before anything is done with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, field_validator

from contextbenchmark.core.canonical import canonical_json
from contextbenchmark.core.machine import node_arch, node_os
from contextbenchmark.core.record import Record
from contextbenchmark.trust.observation import Observations, SystemIdentity
from contextbenchmark.trust.record import Report, SystemReport

MOST_ARTIFACT_FILES = 1000
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-fA-F]{64}$", to_lower=True)]


class _Strict(Record):
    # Lax conversion would let true pass for 1 and a number for a text.
    model_config = ConfigDict(strict=True)


class Environment(_Strict):
    """The machine, which is what a comparison varies. ``os`` and ``arch`` in Node's names."""

    os: str
    arch: str
    node: str | None = None
    python: str | None = None
    cpu: str | None = None
    libc: str | None = None
    locale: str | None = None

    @field_validator("os")
    @classmethod
    def _node_os(cls, value: str) -> str:
        return node_os(value)

    @field_validator("arch")
    @classmethod
    def _node_arch(cls, value: str) -> str:
        return node_arch(value)


class FileIdentity(_Strict):
    """One file of the artifact; ``size`` in bytes."""

    path: str
    size: Annotated[int, Field(ge=0)]
    sha256: Hash


class CorpusIdentity(_Strict):
    name: str
    hash: Hash | None = None
    tree_digest: Hash | None = None
    files: int | None = None


class Evidence(_Strict):
    """What the run behind a fingerprint showed on its one machine."""

    status: str
    level: str | None
    reasons: Annotated[tuple[str, ...], Field(strict=False)] = ()
    builds: int
    passes: int
    distinct_artifacts: int
    emr: float | None
    queries: int
    answered: int
    distinct_lists: int
    artifact_identity: str


class Fingerprint(_Strict):
    """A fingerprint as read. What a format or a tool does not record is None, which means unknown."""

    contextbenchmark_fingerprint: Literal[1, 2]
    benchmark_version: str | None = None
    adapter: str
    system: SystemIdentity | None = None
    corpus: CorpusIdentity
    k: Annotated[int, Field(ge=1)] | None = None
    env: Environment
    artifact_hash: Hash
    query_hashes: dict[str, Hash]
    method_version: str | None = None
    adapter_source: str | None = None
    distributions: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    evidence: Evidence | None = None
    artifact_files: Annotated[tuple[FileIdentity, ...], Field(strict=False)] | None = None
    artifact_files_total: int | None = None
    digest: str | None = None

    @field_validator("contextbenchmark_fingerprint", mode="before")
    @classmethod
    def _a_number(cls, value: Any) -> Any:
        if isinstance(value, bool):  # which equals 1
            raise ValueError("it is a truth value, not a format's number")
        return value

    @field_validator("system", mode="before")
    @classmethod
    def _only_what_we_know_is_proof(cls, value: Any) -> Any:
        """An identity that is a bare text, or whose source is a word we do not know, counts as declared."""
        if isinstance(value, str):
            return {"id": value}
        if isinstance(value, dict) and isinstance(value.get("source"), str | None):
            known = value.get("source") in ("content-hash", "git-sha")
            return {**value, "source": value["source"] if known else "declared"}
        return value

    @field_validator("corpus", mode="before")
    @classmethod
    def _format_1_corpus(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class ReadFingerprint(Record):
    """A fingerprint with where it came from; ``altered`` when its own digest does not fit its content."""

    path: str
    fingerprint: Fingerprint
    altered: bool


def make_fingerprint(
    report: Report, system: SystemReport, observations: Observations, queries: Sequence[str]
) -> dict[str, Any]:
    """Return the fingerprint of one system of a report, keys in the format's order and then ours.

    Query hashes are those of the first pass over the first build. ``digest`` is the SHA-256 over the RFC 8785
    JSON of everything else, so that a file edited later shows; it is no signature.
    """
    first = observations.passes(system.name)[0]
    build = observations.builds(system.name)[0]
    assert system.artifact is not None and build.artifact is not None
    machine, families = report.machine, system.families
    files = build.artifact.files
    kinds = (families.query.within_build, families.query.across_builds, families.query.across_reopenings)
    shares = [kind.emr for kind in kinds if kind is not None and kind.emr is not None]
    content: dict[str, Any] = {
        "contextbenchmarkFingerprint": 2,
        "benchmarkVersion": report.benchmark_version,
        "adapter": system.adapter,
        "system": None
        if system.system is None
        else system.system.model_dump(by_alias=True, exclude_none=True),
        "corpus": {
            "name": report.corpus.name,
            "hash": report.corpus.hash,
            "treeDigest": report.corpus.tree_digest,
            "files": report.corpus.files,
        },
        "k": report.parameters.k,
        "env": {
            "os": machine.os,
            "arch": machine.arch,
            **({"node": report.versions["node"]} if "node" in report.versions else {}),
            "python": machine.python,
            "cpu": machine.cpu,
            "libc": machine.libc,
            "locale": machine.locale,
        },
        "artifactHash": system.artifact.hash,
        "queryHashes": dict(zip(queries, first.lists, strict=True)),
        "methodVersion": report.method_version,
        "adapterSource": system.adapter_source,
        "distributions": list(system.distributions),
        "evidence": {
            "status": system.status,
            "level": system.level,
            "reasons": list(system.reasons),
            "builds": families.rebuild.builds,
            "passes": families.query.passes,
            "distinctArtifacts": families.rebuild.distinct_hashes,
            "emr": min(shares, default=None),
            "queries": families.query.queries,
            "answered": families.query.answered,
            "distinctLists": families.query.distinct_lists,
            "artifactIdentity": families.rebuild.identity,
        },
        "artifactFiles": [file.model_dump(by_alias=True) for file in files[:MOST_ARTIFACT_FILES]],
        "artifactFilesTotal": len(files),
    }
    return {**content, "digest": content_digest(content)}


def content_digest(content: dict[str, Any]) -> str:
    """Return ``sha256:`` and the hex digest over the RFC 8785 JSON of ``content`` without its ``digest``."""
    return f"sha256:{hashlib.sha256(canonical_json({k: v for k, v in content.items() if k != 'digest'})).hexdigest()}"


def machine_of(fingerprint: Fingerprint) -> str:
    """Return ``<os>-<arch>`` of a fingerprint, without the release."""
    return re.sub(r"\s.*", "", fingerprint.env.os) + "-" + fingerprint.env.arch
