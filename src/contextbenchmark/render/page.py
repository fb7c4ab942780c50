"""One self-contained HTML page from a template: styles inside, nothing loaded, no script."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from contextbenchmark.core.names import printable

if TYPE_CHECKING:
    from jinja2 import Environment


def render_page(template: str, **values: object) -> str:
    """Return the page that ``template`` (in ``render/templates``) makes of ``values``.

    Every value is escaped; the filter ``shown`` also makes control characters visible. Only markup made by
    :mod:`contextbenchmark.render.svg` is passed through, by the filter ``safe``.
    """
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("contextbenchmark.render"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["shown"] = _shown
    return environment


def _shown(text: object) -> str:
    return printable(str(text))
