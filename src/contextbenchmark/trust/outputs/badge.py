"""A badge with a system's level, as an SVG that stands alone."""

from __future__ import annotations

from contextbenchmark.render.svg import element, picture
from contextbenchmark.trust.outputs.glance import Look, level_cell
from contextbenchmark.trust.record import SystemReport

LABEL = "context trust"
# White on each of these has a contrast of at least 4.5; the words differ too, so colour alone tells nothing.
_COLOURS: dict[Look, str] = {
    "CTL-4": "#0f6b3c", "CTL-3": "#0f6b3c", "CTL-2": "#0b6283", "CTL-1": "#855a00", "CTL-0": "#a5281f",
    "vacuous": "#84308f", "error": "#a5281f", "unavailable": "#4b5563", "none": "#4b5563",
}  # fmt: skip
_LETTER = 7.0
_HEIGHT = 20.0


def badge_svg(system: SystemReport) -> str:
    """Return the badge: ``context trust`` and the level, or the word that stands where there is none."""
    cell = level_cell(system)
    word = {"none": "no level"}.get(cell.text, cell.text)
    left, right = (len(text) * _LETTER + 12 for text in (LABEL, word))
    parts = [
        element("rect", width=left + right, height=_HEIGHT, rx=3, fill=_COLOURS[cell.look]),
        element(
            "path", d=f"M3 0h{left - 3:g}v20h-{left - 3:g}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z", fill="#3b4048"
        ),
        _words(LABEL, left / 2),
        _words(word, left + right / 2),
    ]
    title = f"Context Trust Level of {system.name}: {word}"
    drawn = picture(
        left + right, _HEIGHT, parts, title=title, description=system.level_line, identity="badge"
    )
    size = f'<svg width="{left + right:g}" height="{_HEIGHT:g}"'
    return drawn.replace("<svg", size, 1) + "\n"


def _words(text: str, middle: float) -> str:
    return element(
        "text", text=text, x=middle, y=14, fill="#ffffff", font_size=11, text_anchor="middle",
        font_family="Verdana, DejaVu Sans, sans-serif", textLength=len(text) * _LETTER - 2,
    )  # fmt: skip
