"""An adapter's answer to one query, checked before it counts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One query's ranked paths, most relevant first, with a score each or None where the adapter gave none."""

    files: tuple[str, ...]
    scores: tuple[float | None, ...]


def is_inner_path(path: object) -> bool:
    """Tell whether ``path`` is a relative path with ``/`` between its parts that stays inside its folder."""
    if not isinstance(path, str) or not path or path.startswith("/") or "\\" in path or "\0" in path:
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


def _is_finite(score: object) -> bool:
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        return False
    try:
        return math.isfinite(score)
    except OverflowError:  # an integer that no float can hold
        return False


def read_answer(results: object, k: int, documents: Collection[str]) -> Answer:
    """Return the checked answer, or raise ValueError saying what is wrong with it.

    ``results`` is a list of at most ``k`` distinct ``{"file", "score"}``, files of the corpus, scores finite
    numbers or null; None counts as nothing found.
    """
    if results is None:
        return Answer(files=(), scores=())
    if not isinstance(results, list):
        raise ValueError(f"it answered with a {type(results).__name__}, not a list")
    if len(results) > k:
        raise ValueError(f"it returned {len(results)} files, more than k = {k}")
    files: list[str] = []
    scores: list[float | None] = []
    for place, item in enumerate(results, 1):
        if not isinstance(item, dict) or not isinstance(item.get("file"), str):
            raise ValueError(f"result {place} is {str(item)[:80]!r}, not an object with a file and a score")
        file, score = item["file"], item.get("score")
        if file not in documents:
            hint = (
                "; paths are relative to the corpus, with / between parts" if not is_inner_path(file) else ""
            )
            raise ValueError(f"result {place} is {file[:200]!r}, which is no file of the corpus{hint}")
        if score is not None and not _is_finite(score):
            raise ValueError(
                f"result {place} ({file}) has the score {str(score)[:40]}, not a finite number or null"
            )
        files.append(file)
        scores.append(None if score is None else float(score))
    if len(set(files)) < len(files):
        twice = next(file for file in files if files.count(file) > 1)
        raise ValueError(f"it returned {twice!r} more than once")
    return Answer(files=tuple(files), scores=tuple(scores))


def read_number(told: object) -> float | None:
    """Return a child's word for a time or a size; None where it is no number that can be stored."""
    if isinstance(told, bool) or not isinstance(told, (int, float)) or not 0 <= told < 2**63:
        return None
    return float(told)


def without_halves(value: Any) -> Any:
    """Return JSON-like ``value`` with each half of a surrogate pair in its texts spelled out (``\\ud800``).

    JSON can spell such a half; it can be neither stored nor shown.
    """
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", text))


def is_message(line: bytes) -> bool:
    """Tell a line of the protocol from something printed to the channel (only a command or native code can)."""
    return line.lstrip()[:1] == b"{" and b'"jsonrpc"' in line
