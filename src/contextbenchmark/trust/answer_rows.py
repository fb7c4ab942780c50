"""Answers as they are stored: each distinct list and each distinct series of scores once, by its hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contextbenchmark.trust.answer import Answer
from contextbenchmark.trust.observation import ListRow, Row, ScoresRow, list_hash, scores_hash

ASKED_AGAIN = 3


@dataclass(frozen=True, kw_only=True)
class AnswerHashes:
    """The answers of a pass as a row holds them: to the queries, to the first ones again, to the probes."""

    lists: tuple[str, ...]
    scores: tuple[str | None, ...]
    again: tuple[str, ...]
    probes: tuple[str, ...]


def answer_hashes(answers: Sequence[Answer], queries: int) -> AnswerHashes:
    lists = tuple(list_hash(answer.files) for answer in answers)
    again = queries + min(ASKED_AGAIN, queries)
    return AnswerHashes(
        lists=lists[:queries],
        scores=tuple(_scores(answer) for answer in answers[:queries]),
        again=lists[queries:again],
        probes=lists[again:],
    )


def _scores(answer: Answer) -> str | None:
    return None if all(score is None for score in answer.scores) else scores_hash(answer.scores)


def answer_rows(answers: Sequence[Answer]) -> list[Row]:
    rows: list[Row] = []
    for answer in answers:
        rows.append(ListRow(hash=list_hash(answer.files), files=answer.files))
        hashed = _scores(answer)
        if hashed is not None:
            rows.append(ScoresRow(hash=hashed, scores=answer.scores))
    return rows
