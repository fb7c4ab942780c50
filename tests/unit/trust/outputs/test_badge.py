"""A badge says the level in words, fits its words, and is legible."""

from __future__ import annotations

from xml.etree import ElementTree

from contextbenchmark.trust.outputs.badge import _COLOURS, badge_svg
from tests.golden.sample import sample

SVG = "{http://www.w3.org/2000/svg}"


def test_the_word_is_the_level_or_what_stands_for_it() -> None:
    words = []
    for system in sample()[0].systems:
        root = ElementTree.fromstring(badge_svg(system))
        label, word = root.findall(f"{SVG}text")
        assert label.text == "context trust" and word.text is not None
        assert f"{system.name}: {word.text}" in (root.findtext(f"{SVG}title") or "")
        assert float(word.attrib["x"]) + float(word.attrib["textLength"]) / 2 < float(root.attrib["width"])
        words.append(word.text)
    assert words == ["CTL-3", "CTL-2", "CTL-0", "CTL-2", "VACUOUS", "ERROR", "UNAVAILABLE"]


def test_a_system_without_a_level_says_so_and_hostile_names_stay_text() -> None:
    system = sample()[0].systems[0].model_copy(update={"level": None, "name": '"/><script>x()</script>\x00'})
    root = ElementTree.fromstring(badge_svg(system))
    assert root.find(f".//{SVG}script") is None and [t.text for t in root.iter(f"{SVG}text")][1] == "no level"


def test_white_on_each_colour_has_the_contrast_that_wcag_asks_for() -> None:
    for colour in (*_COLOURS.values(), "#3b4048"):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (luminance + 0.05) >= 4.5, colour
