"""Noise documents for DN: seeded prose about everyday things that shares no word with any query."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from contextbenchmark.errors import CorpusError
from contextbenchmark.trust.families.dress import dress
from contextbenchmark.trust.families.vocabulary import GLUE, TOPICS, Topic

WORDS_A_DOCUMENT = 120
PROBE_WORDS = 8
_NOUNS, _VERBS, _ADJECTIVES = 12, 6, 6
_LEAST_NOUNS, _LEAST_OTHERS = 8, 2
_LONG_STEM, _SHORT_STEM = 5, 4

_RUN = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


def noise_documents(
    seed: int, count: int, queries: Sequence[str], like_files: Sequence[str], taken: Collection[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return ``count`` documents (path -> text of about 120 words) and for each the 8 words to ask for it by.

    No word of a text or a file's name is a word of a query, nor shares its stem (see :class:`BannedWords`).
    Folder and extension are the commonest among ``like_files``, paths that the engine returned, one an
    occurrence; a folder that shares no word with a query is preferred. No path is one of ``taken``, whatever
    the case. The same arguments give the same documents. CorpusError when the queries leave too few words.
    """
    banned = BannedWords(queries)
    draws = random.Random(f"noise {seed}")
    topics = [_left(topic, banned) for topic in TOPICS]
    draws.shuffle(topics)
    folder, extension = _home(like_files, banned)
    used_names = {path.casefold() for path in taken}
    words = [_words(draws, topics[i % len(topics) :] + topics[: i % len(topics)]) for i in range(count)]
    spread = Counter(word for chosen in words for word in set(chosen.all))
    glue = tuple(word for word in GLUE if word not in banned)
    documents: dict[str, str] = {}
    probes: list[str] = []
    for chosen in words:
        sentences, counts = _sentences(draws, chosen, glue)
        path = _free_path(draws, chosen, folder, extension, used_names)
        used_names.add(path.casefold())
        documents[path] = dress(sentences, chosen.nouns, extension, banned)
        rarest = sorted(chosen.all, key=lambda word: (spread[word], -counts[word], word))
        probes.append(" ".join(rarest[:PROBE_WORDS]))
    return documents, tuple(probes)


def query_words(text: str) -> set[str]:
    """Return the words of a text, case-folded: runs of letters and digits, and parts of camelCase names."""
    found: set[str] = set()
    for run in _RUN.findall(text):
        for word in (run, *_CAMEL.findall(run)):
            plain = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
            found.update((word.casefold(), plain.casefold()))
    return found


class BannedWords:
    """The words of some texts, and everything that shares a stem with one of them.

    Shared stem: a common beginning of 5 letters or more, or a word of 4 that the other begins with.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._words = {word for text in texts for word in query_words(text)}
        self._beginnings = {word[:_LONG_STEM] for word in self._words if len(word) >= _LONG_STEM}
        self._starts = {word[:_SHORT_STEM] for word in self._words if len(word) >= _SHORT_STEM}

    def __contains__(self, word: object) -> bool:
        """Tell whether ``word`` is, or shares its stem with, a word of the texts, whatever the case."""
        if not isinstance(word, str):
            return False
        word = word.casefold()
        if word in self._words or (word[:_SHORT_STEM] in self._words and len(word) > _SHORT_STEM):
            return True
        if len(word) >= _LONG_STEM:
            return word[:_LONG_STEM] in self._beginnings
        return len(word) == _SHORT_STEM and word in self._starts


@dataclass(frozen=True, kw_only=True)
class _Words:
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.nouns + self.verbs + self.adjectives


def _left(topic: Topic, banned: BannedWords) -> Topic:
    """Return what a topic has left of words."""
    return Topic(
        nouns=tuple(word for word in topic.nouns if word not in banned),
        verbs=tuple(word for word in topic.verbs if word not in banned),
        adjectives=tuple(word for word in topic.adjectives if word not in banned),
    )


def _words(draws: random.Random, topics: Sequence[Topic]) -> _Words:
    """Return the words of one document: the first topic's, filled up from the next where too few are left."""
    nouns: list[str] = []
    verbs: list[str] = []
    adjectives: list[str] = []
    for topic in topics:
        for kept, wanted, offered in (
            (nouns, _NOUNS, topic.nouns),
            (verbs, _VERBS, topic.verbs),
            (adjectives, _ADJECTIVES, topic.adjectives),
        ):
            kept.extend(draws.sample(offered, min(len(offered), wanted - len(kept))))
    if len(nouns) < _LEAST_NOUNS or min(len(verbs), len(adjectives)) < _LEAST_OTHERS:
        raise CorpusError(
            "The queries use up the words that noise documents are made of: too few are left.",
            "Ask fewer or shorter queries, or leave drift out with --families rebuild,query.",
        )
    return _Words(nouns=tuple(nouns), verbs=tuple(verbs), adjectives=tuple(adjectives))


def _sentences(draws: random.Random, words: _Words, glue: Sequence[str]) -> tuple[list[str], Counter[str]]:
    """Return sentences of about 120 words in all, in which each word comes equally often, and how often."""
    article = "the" if "the" in glue else ""
    places = [word for word in glue if word != "the"]
    counts: Counter[str] = Counter()
    sentences: list[str] = []
    total = 0

    def pick(pool: Sequence[str]) -> str:
        least = min(counts[word] for word in pool)
        chosen = draws.choice([word for word in pool if counts[word] == least])
        counts[chosen] += 1
        return chosen

    while total < WORDS_A_DOCUMENT:
        place = draws.choice(places) if places else ""
        subject = [article, pick(words.adjectives), pick(words.nouns), pick(words.verbs)]
        text = [
            word for word in (*subject, place, article, pick(words.adjectives), pick(words.nouns)) if word
        ]
        total += len(text)
        sentences.append(" ".join(text).capitalize() + ".")
    return sentences, counts


def _home(like_files: Sequence[str], banned: BannedWords) -> tuple[str, str]:
    """Return the folder (``.`` for the root) and the extension of the commonest kind of returned file."""
    paths = [PurePosixPath(path) for path in like_files]
    if not paths:
        return ".", ".txt"
    extension = _by_frequency(path.suffix for path in paths)[0]
    folders = _by_frequency(str(path.parent) for path in paths if path.suffix == extension)
    unasked = (folder for folder in folders if not any(word in banned for word in query_words(folder)))
    return next(unasked, folders[0]), extension


def _by_frequency(names: Iterable[str]) -> list[str]:
    counts = Counter(names)
    return sorted(counts, key=lambda name: (-counts[name], name))


def _free_path(
    draws: random.Random, words: _Words, folder: str, extension: str, used: Collection[str]
) -> str:
    names = [f"{a}_{b}{extension}" for a in words.nouns for b in words.nouns if a != b]
    draws.shuffle(names)
    paths = [name if folder == "." else f"{folder}/{name}" for name in names]
    free = next((path for path in paths if path.casefold() not in used), None)
    if free is None:
        raise CorpusError(
            f"Every name for a noise document is taken in {folder}.",
            "Ask for fewer noise documents with --noise-documents.",
        )
    return free
