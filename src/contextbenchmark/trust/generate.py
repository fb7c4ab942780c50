"""The XL corpus: any number of documents from a seed, the same bytes on every platform and Python."""

from __future__ import annotations

import random
import sys
from array import array
from pathlib import Path

from contextbenchmark.core.canonical import compact_json
from contextbenchmark.core.record import CACHE, make_folder, storage_error
from contextbenchmark.errors import CorpusError

# Raise it when the bytes for a seed change: cached corpora and their names depend on it.
GENERATOR_VERSION = 1
MAX_DOCUMENTS = 100_000
MEAN_BYTES = 1200

VOCABULARY = 50_000
# Draws are 20-bit numbers into a table where the word of rank r stands about 92,000/r times (Zipf, exponent
# 1).
TABLE_BITS = 20
HEAD = 88_000
# The commonest words are in every document; topics are taken from the rare ones, as subjects are in real
# text.
FIRST_TOPIC_RANK = 5_000
TOPICS = 3
FOLDER_FILES = 100
SUFFIXES = ("md", "py", "ts", "txt")
CONSONANTS = "bdfghjklmnprstvwxz"
VOWELS = "aeiou"


def generate(
    destination: Path, documents: int, seed: int = 0, *, mean_bytes: int = MEAN_BYTES, queries: int = 50
) -> None:
    """Write ``documents`` files and a ``queries.json`` under ``destination``, a new or empty folder.

    Words follow Zipf's law (rank times frequency is constant; Zipf, 1949) over 50,000 made-up words; each
    document has three rare words of its own as its subject, in its first line and through its text, and sizes
    lie between a third and one and two thirds of ``mean_bytes``. Each of the ``queries`` asks for the subject
    of one document, which is relevant to it. Only the bits of the Mersenne Twister are drawn, no floating
    point: the bytes are the same everywhere, and the first documents of a larger corpus are those of a
    smaller.
    """
    if not 1 <= documents <= MAX_DOCUMENTS:
        raise CorpusError(
            f"A generated corpus has 1 to {MAX_DOCUMENTS:,} documents, not {documents:,}.",
            "Ask for one as xl:N, such as xl:10000.",
        )
    if seed < 0 or mean_bytes < 60:
        raise CorpusError("The seed is 0 or more and the mean size at least 60 bytes.", "Correct it.")
    words = vocabulary(seed)
    table = _zipf_table(words)
    wanted = set(_spread(documents, min(queries, documents)))
    asked: list[dict[str, object]] = []
    try:
        for index in range(documents):
            path = document_path(index, words)
            place = destination / path
            if index % FOLDER_FILES == 0:
                make_folder(place.parent, CACHE)
            topics, text = _document(index, seed, words, table, mean_bytes)
            with open(place, "xb", buffering=0) as stream:
                stream.write(text.encode("ascii"))
            if index in wanted:
                asked.append({"query": " ".join(topics), "relevant": [path]})
        with open(destination / "queries.json", "xb") as stream:
            stream.write(b"[\n" + ",\n".join(compact_json(item) for item in asked).encode() + b"\n]\n")
    except OSError as error:
        raise storage_error(error, error.filename or destination, CACHE) from error


def vocabulary(seed: int) -> list[str]:
    """Return the corpus's 50,000 distinct words, the commonest first; the first 8,100 have two syllables."""
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    _shuffle(syllables, random.Random(seed))
    count = len(syllables)
    words = [first + second for first in syllables for second in syllables]
    _shuffle(words, random.Random(seed))
    for index in range(VOCABULARY - len(words)):
        # 7 has no factor in common with 90 ** 3, so that no three syllables come twice.
        number = index * 7 % count**3
        words.append(
            syllables[number % count] + syllables[number // count % count] + syllables[number // count**2]
        )
    return words


def document_path(index: int, words: list[str]) -> str:
    """Return the path of document ``index`` (from 0): 100 files a folder, 100 folders a part."""
    folder = index // FOLDER_FILES
    name = f"{words[index % len(words)]}-{index:06}.{SUFFIXES[index % len(SUFFIXES)]}"
    return f"part-{folder // 100:02}/section-{folder % 100:02}/{name}"


def _document(
    index: int, seed: int, words: list[str], table: list[str], mean_bytes: int
) -> tuple[list[str], str]:
    draw = random.Random((seed << 32) + index)
    rare = len(words) - FIRST_TOPIC_RANK
    topics = [words[FIRST_TOPIC_RANK + draw.getrandbits(40) % rare] for _ in range(TOPICS)]
    # Words have five letters and a space on average: what is 32/96 to 159/96 of the mean in bytes.
    count = max(6, mean_bytes * (32 + draw.getrandbits(7)) // (96 * 6))
    numbers = array("I", draw.randbytes(4 * count))
    if sys.byteorder == "big":
        numbers.byteswap()
    mask = (1 << TABLE_BITS) - 1
    text = [table[number & mask] for number in numbers]
    # Every 29th word is one of the subject's, in turn: a document names its subject again and again.
    for turn, place in enumerate(range(5, count, 29)):
        text[place] = topics[turn % TOPICS]
    lines = [f"# {' '.join(topics)}", ""]
    for start in range(0, count, 12):
        sentence = " ".join(text[start : start + 12])
        lines.append(f"{sentence[0].upper()}{sentence[1:]}.")
        if start % 60 == 48:
            lines.append("")
    return topics, "\n".join(lines) + "\n"


def _zipf_table(words: list[str]) -> list[str]:
    table: list[str] = []
    for rank, word in enumerate(words, 1):
        table.extend([word] * (HEAD // rank))
    size = 1 << TABLE_BITS
    # What rounding leaves over goes to the whole vocabulary alike, from the commonest on.
    while len(table) < size:
        table.extend(words[: size - len(table)])
    return table[:size]


def _shuffle(items: list[str], draw: random.Random) -> None:
    """Shuffle in place (Fisher and Yates), bits only: ``random.shuffle`` may change between Pythons."""
    for last in range(len(items) - 1, 0, -1):
        other = draw.getrandbits(48) % (last + 1)
        items[last], items[other] = items[other], items[last]


def _spread(documents: int, count: int) -> list[int]:
    return [number * documents // count for number in range(count)]
