"""RI, rebuild identity: is the artifact of every fresh build of one corpus the same bytes?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from contextbenchmark.trust.families.intervals import flip_rate
from contextbenchmark.trust.observation import Artifact, BuildRow
from contextbenchmark.trust.record import DifferingFile, FamilyStatus, RebuildFamily

DIFFERING_FILES_KEPT = 20

Identity = Literal["file", "directory", "absent"]


def measure_rebuild(
    builds: Sequence[BuildRow],
    *,
    artifact_file_suffices: bool | None,
    requested: bool,
    remote: bool = False,
) -> RebuildFamily:
    """Return what the artifacts of ``builds`` (the base builds, in order) say about rebuilding.

    ``artifact_file_suffices`` tells whether passes over a copy holding only the declared file answered the
    same (None: not tried); only then is identity the file's alone, else it is the whole directory's.
    Directories are told apart by the injective tree digest, since different trees can share a tree hash.
    ``rate`` counts builds that differ from the first.
    """
    failed = [row for row in builds if row.failure is not None or row.artifact is None]
    artifacts = [row.artifact for row in builds if row.artifact is not None and row.failure is None]
    # What a remote system keeps cannot be hashed; what its adapter leaves here is not it.
    identity = "absent" if remote else _identity(artifacts, artifact_file_suffices)
    keys = [] if identity == "absent" else [_key(artifact, identity) for artifact in artifacts]
    status, reason = _status(len(builds), len(failed), identity, requested)
    if remote and status == "absent" and len(builds) > 1:
        reason = "The system is remote: what it keeps cannot be hashed here."
    differing = _differing(artifacts)
    compared = requested and len(keys) > 1
    return RebuildFamily(
        status=status,
        reason=reason or _note(artifacts, identity, artifact_file_suffices, keys),
        builds=len(builds),
        distinct_hashes=len(set(keys)),
        identity=identity,
        hashes=tuple(key[0] for key in keys),
        rate=flip_rate(sum(key != keys[0] for key in keys[1:]), len(keys) - 1) if compared else None,
        differing_files=tuple(differing[:DIFFERING_FILES_KEPT]),
        differing_files_total=len(differing),
    )


def _identity(artifacts: Sequence[Artifact], suffices: bool | None) -> Identity:
    if not any(file.size for artifact in artifacts for file in artifact.files):
        return "absent"
    declared = {artifact.declared_file for artifact in artifacts}
    if suffices is not True or len(declared) != 1 or None in declared:
        return "directory"
    sizes = [_declared_size(artifact) for artifact in artifacts]
    if not any(sizes) and None not in sizes:
        return "absent"  # answers come from an empty file: that is, from somewhere else
    return "file" if all(sizes) else "directory"


def _declared_size(artifact: Artifact) -> int | None:
    return next((file.size for file in artifact.files if file.path == artifact.declared_file), None)


def _key(artifact: Artifact, identity: Identity) -> tuple[str, ...]:
    """Return what two builds must share to be the same; its first part is the hash that is shown."""
    if identity == "file":
        return (next(file.sha256 for file in artifact.files if file.path == artifact.declared_file),)
    return artifact.hash, artifact.tree_digest


def _status(builds: int, failed: int, identity: Identity, requested: bool) -> tuple[FamilyStatus, str]:
    if not requested:
        return "not-requested", "The rebuild family was not asked for."
    if failed:
        return "error", f"{failed} of {builds} builds failed."
    if builds < 2:
        return (
            "absent",
            f"{builds} build{'s' if builds != 1 else ''}: nothing to compare, at least 2 are needed.",
        )
    if identity == "absent":
        return "absent", "The builds leave no artifact, or only empty files: nothing to compare."
    return "ok", ""


def _note(
    artifacts: Sequence[Artifact], identity: Identity, suffices: bool | None, keys: Sequence[tuple[str, ...]]
) -> str:
    """Say what a reader of the hashes would not guess; empty where there is nothing of the kind."""
    declared = next((a.declared_file for a in artifacts if a.declared_file is not None), None)
    if identity == "directory" and declared is not None:
        why = {
            True: "is missing or empty in a build, or is not the same file in each",
            False: "is not enough to give the same answers",
            None: "was not shown to be enough to give the same answers",
        }[suffices]
        return f"The declared artifact file {declared} {why}, so the whole directory is compared."
    if len(set(keys)) > len({key[0] for key in keys}):
        return "Different directories share a tree hash; the tree digest tells them apart."
    return ""


def _differing(artifacts: Sequence[Artifact]) -> list[DifferingFile]:
    """Return the files, by path, that are not the same in every artifact."""
    contents = [{file.path: file.sha256 for file in artifact.files} for artifact in artifacts]
    rows = ((path, tuple(of.get(path) for of in contents)) for path in sorted(set().union(*contents)))
    return [DifferingFile(path=path, hashes=hashes) for path, hashes in rows if len(set(hashes)) > 1]
