"""JSON in the two exact forms that our hashes are taken over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import rfc8785


def canonical_json(value: Any) -> bytes:
    """Return ``value`` as RFC 8785 canonical JSON, UTF-8."""
    return rfc8785.dumps(value)


def compact_json(value: Any) -> str:
    """Return JSON without white space, keys in insertion order, non-ASCII characters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def ranked_list_json(files: Sequence[str]) -> bytes:
    """Return the bytes whose SHA-256 is a query's result hash (spec: Hashes): the ranked paths as JSON."""
    return compact_json(list(files)).encode("utf-8")
