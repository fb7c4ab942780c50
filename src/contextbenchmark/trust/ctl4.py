"""What two matching fingerprints are worth for CTL-4: only another system or architecture counts, and only if the
files do not contradict themselves. Nothing here is signed, so a pair is at most eligible."""

from __future__ import annotations

import hashlib

from contextbenchmark.core.machine import NODE_ARCHS, NODE_SYSTEMS
from contextbenchmark.trust.fingerprint import Fingerprint, machine_of

# The hash of an artifact that holds nothing, as a file or as a folder.
_NOTHING = hashlib.sha256(b"").hexdigest()


def worth_for_ctl4(a: Fingerprint, b: Fingerprint, *, passed: bool) -> tuple[str, bool]:
    """Return what the pair says about CTL-4, and whether it is eligible. Without signatures it is never more."""
    here, there = machine_of(a), machine_of(b)
    if here == there:
        return (
            f"No evidence for CTL-4: both are from {here}, and it takes another system or architecture.",
            False,
        )
    if not passed:
        return "No evidence for CTL-4: that takes a PASS.", False
    for side in (a, b):
        if side.artifact_hash == _NOTHING:
            return "No evidence for CTL-4: there is no artifact, and without one the ceiling is CTL-2.", False
        if side.evidence is not None and side.evidence.level != "CTL-3":
            found = side.evidence.level or side.evidence.status
            return (
                f"No evidence for CTL-4: on {machine_of(side)} alone it was {found}, and CTL-3 is needed.",
                False,
            )
        if contradiction := _contradiction(side) or _unearned(side):
            return f"No evidence for CTL-4: {contradiction}.", False
    if _one_release_of_two_systems(a, b):
        return (
            f"No evidence for CTL-4: {a.env.os} and {b.env.os} have the same release, which looks like one machine "
            "under two names.",
            False,
        )
    if _relabelled(a, b):
        return (
            f"No evidence for CTL-4: {here} and {there} have the same processor, C library, Python and locale, "
            "which looks like one machine under two names.",
            False,
        )
    known = "" if a.evidence and b.evidence else " One side carries no evidence of CTL-3."
    return f"Eligible for CTL-4 ({here} and {there}), but unattested: nothing here is signed.{known}", True


def _contradiction(side: Fingerprint) -> str:
    system = side.env.os.partition(" ")[0]
    if system not in NODE_SYSTEMS or side.env.arch not in NODE_ARCHS:
        return f"no machine is known as {machine_of(side)}"
    libc = (side.env.libc or "").lower()
    homes = {"glibc": "linux", "musl": "linux", "libsystem": "darwin", "ucrt": "win32", "msvcrt": "win32"}
    home = next((name for start, name in homes.items() if libc.startswith(start)), system)
    if home != system:
        return f"its env contradicts itself, {side.env.libc} does not run on {system}"
    cpu = (side.env.cpu or "").lower()
    if side.env.arch in ("arm64", "arm") and any(
        maker in cpu for maker in ("intel", "amd ", "genuineintel", "xeon")
    ):
        return f"its env contradicts itself, {side.env.cpu} is not {side.env.arch}"
    if side.env.arch in ("x64", "ia32") and any(
        maker in cpu for maker in ("apple m", "cortex", "neoverse", "graviton")
    ):
        return f"its env contradicts itself, {side.env.cpu} is not {side.env.arch}"
    return ""


def _one_release_of_two_systems(a: Fingerprint, b: Fingerprint) -> bool:
    """No two systems count their releases alike; two architectures of one system do."""
    left, _, left_release = a.env.os.partition(" ")
    right, _, right_release = b.env.os.partition(" ")
    return left != right and bool(left_release) and left_release == right_release


def _unearned(side: Fingerprint) -> str:
    """Return how the evidence of a side contradicts the CTL-3 that it states; empty where it does not."""
    found = side.evidence
    if found is None or (
        found.status == "ok"
        and found.builds >= 2
        and found.passes >= 2 * found.builds
        and found.distinct_artifacts == 1
        and found.artifact_identity in ("file", "directory")
        and found.emr == 1.0
        and found.queries == len(side.query_hashes)
    ):
        return ""
    return f"the evidence of {machine_of(side)} contradicts its level, {found.level}"


def _relabelled(a: Fingerprint, b: Fingerprint) -> bool:
    left = (a.env.cpu, a.env.libc, a.env.python, a.env.locale, a.env.node)
    right = (b.env.cpu, b.env.libc, b.env.python, b.env.locale, b.env.node)
    recorded = a.env.cpu is not None and a.env.libc is not None
    return recorded and left == right
