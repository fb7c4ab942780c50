"""JSON lines for the host, without the ``json`` module: importing that, with all it brings, would take longer than
starting the interpreter, in every operation. Its C parts are used directly; where they are not as expected, ``json``.

Standard library only; imported by path, beside ``host.py``.
"""

from __future__ import annotations

# Importing typing costs every operation milliseconds; a type checker takes this branch all the same.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Context:
    """What the C scanner asks of a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}


def _quick() -> tuple[Callable[[str], Any], Callable[[Any, Callable[[Any], Any]], str]]:
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    context: Any = _Context()
    scan = make_scanner(context)

    def read(text: str) -> Any:
        value, end = scan(text, 0)
        if text[end:].strip():
            raise ValueError("a line holds more than one JSON value")
        return value

    def write(value: Any, default: Callable[[Any], Any]) -> str:
        encode = make_encoder(None, default, encode_basestring_ascii, None, ": ", ", ", False, False, True)
        return "".join(encode(value, 0))

    sample = {"a": [1, 2.5, None, True, "\u00e9\n"], "b": {}}
    if read(write(sample, repr)) != sample:
        raise ValueError("the C parts of json are not as expected")
    return read, write


def _slow() -> tuple[Callable[[str], Any], Callable[[Any, Callable[[Any], Any]], str]]:
    import json

    return json.loads, lambda value, default: json.dumps(value, default=default)


try:
    read, write = _quick()
except (ImportError, TypeError, ValueError, AttributeError):
    read, write = _slow()
