"""A build server counts what we count: failure, error and skipped are three things, and vacuous is no pass."""

from __future__ import annotations

from xml.etree import ElementTree

from contextbenchmark.trust.outputs.junit import junit_xml
from tests.golden.sample import SYSTEMS, sample


def _results() -> dict[tuple[str, str], str]:
    root = ElementTree.fromstring(junit_xml(sample()[0]))
    return {
        (suite.attrib["name"], case.attrib["name"]): next((child.tag for child in case), "passed")
        for suite in root
        for case in suite.iter("testcase")
    }


def test_every_system_and_family_is_a_case_with_the_right_result() -> None:
    expected = {
        "steady": ("passed", "passed", "passed"),
        "stamped@1.2.0": ("failure", "passed", "passed"),
        "graph-ann@0.9.1": ("failure", "failure", "failure"),
        "hosted": ("skipped", "passed", "skipped"),
        "constant": ("passed", "failure", "failure"),
        "hangs": ("error", "error", "error"),
        "needs-a-key": ("skipped", "skipped", "skipped"),
    }
    found = _results()
    assert {
        name: tuple(found[name, f] for f in ("rebuild", "query", "drift")) for name in SYSTEMS
    } == expected


def test_the_counts_add_up_and_no_time_is_told() -> None:
    text = junit_xml(sample()[0])
    root = ElementTree.fromstring(text)
    for key, tag in (
        ("failures", "failure"),
        ("errors", "error"),
        ("skipped", "skipped"),
        ("tests", "testcase"),
    ):
        assert int(root.attrib[key]) == len(list(root.iter(tag)))
        assert int(root.attrib[key]) == sum(int(suite.attrib[key]) for suite in root)
    assert " time=" not in text and "timestamp" not in text


def test_output_of_a_failed_operation_is_kept_and_harmless() -> None:
    root = ElementTree.fromstring(junit_xml(sample()[0]))
    error = next(root.iter("error"))
    assert error.attrib["type"] == "timed-out"
    assert error.text is not None and "\\x1b[31mwaiting for <lock>" in error.text
