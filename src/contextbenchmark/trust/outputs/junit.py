"""The report as JUnit XML: a suite a system, a test case a family. No times, so equal evidence gives equal bytes.

*failure*: it was measured, and it is not the same (or drift is FAIL, or the result is vacuous: never a pass).
*error*: an operation failed. *skipped*: absent, unavailable, not asked for, not exercised, each with that word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from contextbenchmark.render.text import number, plural, xml_text
from contextbenchmark.trust.outputs.glance import agreements
from contextbenchmark.trust.record import (
    DriftFamily,
    FamilyStatus,
    QueryFamily,
    RebuildFamily,
    Report,
    SystemReport,
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """``result`` is ``passed`` or the JUnit element; ``kind`` its type; ``message`` says why in words."""

    family: str
    result: Literal["passed", "failure", "error", "skipped"]
    kind: str = ""
    message: str = ""


def junit_xml(report: Report) -> str:
    """Return the whole document."""
    root = Element("testsuites", {"name": f"contextbenchmark {xml_text(report.corpus.name)}"})
    everything: list[Case] = []
    for system in report.systems:
        cases = test_cases(system)
        everything += cases
        suite = SubElement(root, "testsuite", {"name": xml_text(system.name), **_counts(cases)})
        properties = SubElement(suite, "properties")
        level = system.level or "none"
        SubElement(properties, "property", {"name": "level", "value": level})
        SubElement(properties, "property", {"name": "status", "value": system.status})
        for case in cases:
            _write(suite, case, system)
    root.attrib.update(_counts(everything))
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(cases: list[Case]) -> dict[str, str]:
    def count(result: str) -> str:
        return str(sum(case.result == result for case in cases))

    return {
        "tests": str(len(cases)), "failures": count("failure"), "errors": count("error"), "skipped": count("skipped"),
    }  # fmt: skip


def _write(suite: Element, case: Case, system: SystemReport) -> None:
    name = {"classname": f"contextbenchmark.{xml_text(system.name)}", "name": case.family}
    element = SubElement(suite, "testcase", name)
    if case.result == "passed":
        return
    found = SubElement(element, case.result, {"message": xml_text(case.message)})
    if case.result != "skipped":
        found.set("type", case.kind)
    if case.result == "error" and system.failure is not None and system.failure.output:
        found.text = xml_text(system.failure.output)


def test_cases(system: SystemReport) -> list[Case]:
    """Return the cases of one system, in the order rebuild, query, drift."""
    families = system.families
    if system.status in ("error", "unavailable"):
        result: Literal["error", "skipped"] = "error" if system.status == "error" else "skipped"
        why = " ".join(system.reasons) or system.level_line
        kind = system.failure.kind if system.failure is not None else system.status
        message = f"{system.status}: {why}"
        return [
            Case(family=f, result=result, kind=kind, message=message) for f in ("rebuild", "query", "drift")
        ]
    return [_rebuild(families.rebuild), _query(families.query), _drift(families.drift)]


test_cases.__test__ = False  # type: ignore[attr-defined]  # its name makes a test runner take it for a test


def _not_ok(family: str, status: FamilyStatus, reason: str) -> Case:
    message = f"{status.replace('-', ' ')}: {reason}"
    if status == "vacuous":
        return Case(family=family, result="failure", kind="vacuous", message=message)
    if status == "error":
        return Case(family=family, result="error", kind="error", message=message)
    return Case(family=family, result="skipped", message=message)


def _rebuild(family: RebuildFamily) -> Case:
    if family.status != "ok":
        return _not_ok("rebuild", family.status, family.reason)
    if family.distinct_hashes == 1:
        return Case(family="rebuild", result="passed")
    message = f"{family.distinct_hashes} distinct artifacts over {plural(family.builds, 'build')}."
    return Case(family="rebuild", result="failure", kind="artifact-differs", message=message)


def _query(family: QueryFamily) -> Case:
    if family.status != "ok":
        return _not_ok("query", family.status, family.reason)
    said = [f"{a.rate.flips} of {a.rate.n} {name}" for name, a in agreements(family) if a.rate.flips]
    if not said:
        return Case(family="query", result="passed")
    return Case(
        family="query",
        result="failure",
        kind="answers-differ",
        message=f"Answers differed: {', '.join(said)}.",
    )


def _drift(family: DriftFamily) -> Case:
    if family.status != "ok" or family.drift is None:
        return _not_ok("drift", "absent" if family.status == "ok" else family.status, family.reason)
    if family.verdict is None:
        return Case(family="drift", result="skipped", message=family.reason)
    if family.verdict != "FAIL":
        return Case(family="drift", result="passed")
    message = f"Drift {number(family.drift.value, up=True)} (n = {family.drift.n})."
    return Case(family="drift", result="failure", kind="drift", message=message)
