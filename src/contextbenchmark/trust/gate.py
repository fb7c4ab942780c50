"""Gates for CI: a required level, a bound on drift, no worse than a baseline. Pure but for reading the baseline.

A gate fails on error, vacuous, unavailable and absent: only what was measured can pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from contextbenchmark.core.reading import read_regular
from contextbenchmark.errors import EXIT_FAIL, EXIT_NOT_COMPARABLE, EXIT_PASS, ConfigurationError
from contextbenchmark.trust.record import Report, SystemReport

LARGEST_REPORT = 256 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Gates:
    """What must hold. ``require`` a level 0 to 3, ``max_drift`` in [0, 1], ``baseline`` an earlier report."""

    require: int | None = None
    max_drift: float | None = None
    baseline: Report | None = None


@dataclass(frozen=True, kw_only=True)
class GateVerdict:
    """``lines`` say what each gate found, one a system and gate."""

    exit_code: int
    lines: tuple[str, ...]


def read_gates(*, require: str | None, max_drift: float | None, baseline: Path | None) -> Gates:
    """Return the gates that the command line asks for; read before anything is measured, so that a mistake shows."""
    return Gates(
        require=_level_number(require) if require is not None else None,
        max_drift=max_drift,
        baseline=read_report(baseline) if baseline is not None else None,
    )


def _level_number(text: str) -> int:
    found = re.fullmatch(r"\s*(?:CTL-?)?([0-4])\s*", text, re.IGNORECASE)
    if not found:
        raise ConfigurationError(
            f"--require {text!r} is not a level.", "There are CTL-0 to CTL-3 for one machine."
        )
    if found[1] == "4":
        raise ConfigurationError(
            "--require CTL-4 cannot be met by a run on one machine.",
            "Require CTL-3 here, and compare the fingerprints of several machines with `compare`.",
        )
    return int(found[1])


def read_report(path: Path) -> Report:
    """Read a ``report.json``; a :class:`ConfigurationError` says what is wrong with it."""
    remedy = "Name the report.json that an earlier run left."
    try:
        return Report.model_validate_json(read_regular(path, LARGEST_REPORT))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.", remedy) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigurationError(f"{path} is not a report: {where}: {first['msg']}.", remedy) from error


def check_gates(gates: Gates, report: Report) -> GateVerdict:
    """Return whether every system of ``report`` passes every gate; without gates that is a pass without lines."""
    failures: list[str] = []
    passed: list[str] = []
    incomparable: list[str] = []
    for system in report.systems:
        if gates.require is not None:
            _sort(
                _check_level(system, gates.require), system, failures, passed, f"reaches CTL-{gates.require}"
            )
        if gates.max_drift is not None:
            _sort(
                _check_drift(system, gates.max_drift),
                system,
                failures,
                passed,
                f"drift is at most {gates.max_drift}",
            )
    if gates.baseline is not None:
        why = _not_comparable(gates.baseline, report)
        if why:
            incomparable.append(f"NOT COMPARABLE with the baseline: {why}.")
        else:
            for system in report.systems:
                _sort(
                    _check_baseline(system, gates.baseline),
                    system,
                    failures,
                    passed,
                    "no worse than the baseline",
                )
            failures += _missing(gates.baseline, report)
    code = EXIT_FAIL if failures else EXIT_NOT_COMPARABLE if incomparable else EXIT_PASS
    lines = (
        [f"GATE FAILED  {line}" for line in failures]
        + incomparable
        + [f"gate passed  {line}" for line in passed]
    )
    return GateVerdict(exit_code=code, lines=tuple(lines))


def _sort(problem: str, system: SystemReport, failures: list[str], passed: list[str], claim: str) -> None:
    if problem:
        failures.append(f"{system.name}: {problem}")
    else:
        passed.append(f"{system.name}: {claim}")


def _unmeasured(system: SystemReport) -> str:
    return "" if system.status == "ok" else f"{system.status}, so no gate can pass: {system.level_line}"


def _check_level(system: SystemReport, require: int) -> str:
    if system.level is None:
        return _unmeasured(system) or f"has no level: {system.level_line}"
    return "" if int(system.level[-1]) >= require else f"is {system.level}, below CTL-{require}"


def _check_drift(system: SystemReport, most: float) -> str:
    family = system.families.drift
    if system.status != "ok":
        return _unmeasured(system)
    if family.status != "ok" or family.drift is None or family.drift.value is None:
        return f"drift is {family.status}: {family.reason or 'nothing was compared'}"
    if family.verdict is None:
        return f"drift has no verdict: {family.reason}"
    value = family.drift.value
    return "" if value <= most else f"drift is {value:.3f} (n = {family.drift.n}), above {most}"


def _not_comparable(before: Report, now: Report) -> str:
    if before.corpus.tree_digest != now.corpus.tree_digest:
        return "it is of another corpus"
    if before.method_version != now.method_version:
        return "it was made by another version of the method"
    if before.parameters.k != now.parameters.k:
        return f"its k is {before.parameters.k}, this run's is {now.parameters.k}"
    if before.corpus.queries != now.corpus.queries:
        return "it is over other queries"
    return ""


def _missing(before: Report, now: Report) -> Sequence[str]:
    names = {system.name for system in now.systems}
    return [
        f"{system.name}: is in the baseline and was not run"
        for system in before.systems
        if system.name not in names
    ]


def _check_baseline(system: SystemReport, baseline: Report) -> str:
    before = next((row for row in baseline.systems if row.name == system.name), None)
    if before is None or before.status != "ok":
        return _unmeasured(system)  # nothing to be worse than; but it must have been measured
    if system.status != "ok":
        return _unmeasured(system)
    if before.level is not None and (system.level is None or system.level < before.level):
        return f"is {system.level or 'without a level'}, was {before.level}"
    was, now = before.families.drift.drift, system.families.drift.drift
    if was is not None and was.value is not None:
        if now is None or now.value is None:
            return "drift was measured in the baseline and is not now"
        if now.value > was.value + 1e-12:
            return f"drift is {now.value:.3f}, was {was.value:.3f}"
    if before.quality is not None and before.quality.ndcg.value is not None:
        ndcg = system.quality.ndcg.value if system.quality is not None else None
        if ndcg is None or ndcg < before.quality.ndcg.value - 1e-12:
            return f"nDCG@k is {'unknown' if ndcg is None else f'{ndcg:.3f}'}, was {before.quality.ndcg.value:.3f}"
    return ""
