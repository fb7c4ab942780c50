"""The report as one self-contained page with its plots as SVG."""

from __future__ import annotations

from contextbenchmark.render.forest import forest
from contextbenchmark.render.page import render_page
from contextbenchmark.study.report.content import Content, Plot


def page(content: Content) -> str:
    """Return the page: nothing is loaded, no script runs, every value from data is escaped."""
    plots = [
        _drawn(section.plot, f"plot-{number}") if section.plot else ""
        for number, section in enumerate(content.sections)
    ]
    return render_page(
        "study.html.j2",
        title=f"{content.study}: is the context worth it?",
        content=content,
        plots=plots,
    )


def _drawn(plot: Plot, identity: str) -> str:
    return forest(
        plot.rows,
        title=plot.title,
        description=plot.description,
        identity=identity,
        left=plot.sides[0],
        right=plot.sides[1],
    )
