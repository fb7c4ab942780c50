"""A page escapes what it is given and brings everything with it."""

from __future__ import annotations

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from contextbenchmark.render.page import render_page


def test_the_frame_escapes_its_title_and_loads_nothing() -> None:
    page = render_page("frame.html.j2", title="</title><script>x()</script>\x1b")
    assert "<title>&lt;/title&gt;&lt;script&gt;x()&lt;/script&gt;\\x1b</title>" in page
    assert "default-src 'none'" in page
    assert not any(
        word in page for word in ("http:", "https:", "url(", "@import", "src=", "<link", "<script")
    )


def test_a_missing_value_or_template_is_our_bug_and_said() -> None:
    with pytest.raises(UndefinedError):
        render_page("frame.html.j2")
    with pytest.raises(TemplateNotFound):
        render_page("no-such.html.j2")
