"""Noise prose as a file of the corpus's kind: comments and a small definition in code, else plain text."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class _Style:
    """How a kind of file writes a comment line, and a definition with the words that it brings along."""

    before: str
    after: str = ""
    definition: str = ""
    keywords: tuple[str, ...] = ()


_VALUE = '{name} = "{words}"'
_CLASS = _Style(before="// ", definition="class {title} {{}}", keywords=("class",))
_STYLES = {
    ".py .pyi .rb .r .jl .toml": _Style(before="# ", definition=_VALUE),
    ".yaml .yml": _Style(before="# ", definition='{name}: "{words}"'),
    ".sh .bash .pl .ex .exs .tf .nim": _Style(before="# "),
    ".ts .tsx .mts .cts .js .jsx .mjs .cjs": _Style(
        before="// ", definition=f"export const {_VALUE};", keywords=("export", "const")
    ),
    ".go": _Style(before="// ", definition=f"package {{other}}\n\nvar {_VALUE}", keywords=("package", "var")),
    ".rs": _Style(
        before="// ", definition='pub const {upper}: &str = "{words}";', keywords=("pub", "const", "str")
    ),
    ".c .h": _Style(
        before="// ",
        definition='static const char *{name} = "{words}";',
        keywords=("static", "const", "char"),
    ),
    ".java .cs .kt .scala .swift .dart": _CLASS,
    ".cc .cpp .cxx .hpp .hh": _Style(before="// ", definition="class {title} {{}};", keywords=("class",)),
    ".scss .less .zig .groovy .proto .kts": _Style(before="// "),
    ".sql .lua .hs .elm": _Style(before="-- "),
    ".css": _Style(before="/* ", after=" */"),
    ".html .htm .xml .svg .vue": _Style(before="<!-- ", after=" -->"),
}
_BY_EXTENSION = {extension: style for group, style in _STYLES.items() for extension in group.split()}


def dress(sentences: Sequence[str], nouns: Sequence[str], extension: str, banned: Container[str]) -> str:
    """Return ``sentences`` as the text of a file with ``extension`` (``.ts``; empty: plain text).

    In code they are comments, with one definition made of ``nouns`` (at least five); it is left out when one
    of its keywords is ``banned``. JSON is one object; every other kind of file is plain text.
    """
    kind = extension.lower()
    if kind == ".json":
        return json.dumps({nouns[0]: " ".join(sentences)}, indent=2) + "\n"
    style = _BY_EXTENSION.get(kind)
    if style is None:
        return "\n".join(sentences) + "\n"
    lines = [f"{style.before}{sentence}{style.after}" for sentence in sentences]
    if style.definition and not any(word in banned for word in style.keywords):
        name = nouns[0]
        lines += [
            "",
            style.definition.format(
                name=name,
                upper=name.upper(),
                title=name.capitalize(),
                other=nouns[1],
                words=" ".join(nouns[2:5]),
            ),
        ]
    return "\n".join(lines) + "\n"
