from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

TESTS = Path(__file__).parents[3]
VECTORS = TESTS / "vectors" / "bm25"
FAKE = TESTS / "fakes" / "bm25.mjs"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node.js to compare with")


@pytest.fixture(scope="module")
def bm25(load_adapter: Callable[[str], ModuleType]) -> ModuleType:
    return load_adapter("bm25")


def result_hash(files: list[str]) -> str:
    return hashlib.sha256(json.dumps(files, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def node(script: str, *arguments: str, text: str = "") -> str:
    assert NODE is not None
    return subprocess.run(
        [NODE, "--input-type=module", "-e", script, *arguments],
        input=text.encode(), capture_output=True, check=True, timeout=60,
    ).stdout.decode()  # fmt: skip


def write(root: Path, files: dict[str, bytes]) -> Path:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


@pytest.mark.parametrize("vector", ["edges", "numeric", "plain", "unicode"])
def test_a_published_vector_comes_out_byte_for_byte(bm25: ModuleType, vector: str, tmp_path: Path) -> None:
    folder = VECTORS / vector
    expected = json.loads((folder / "expected.json").read_bytes())
    bm25.build(str(folder / "corpus"), str(tmp_path))
    written = (tmp_path / "index.json").read_bytes()
    assert written == (folder / "index.json").read_bytes()
    assert hashlib.sha256(b"index.json\0" + written + b"\0").hexdigest() == expected["artifactHash"]
    index = bm25.open(str(tmp_path))
    for text, known in expected["queryHashes"].items():
        assert result_hash([found["file"] for found in index.query(text, expected["k"])]) == known, text
        assert bm25.query(str(tmp_path), text, expected["k"]) == index.query(text, expected["k"])


pieces = st.one_of(
    st.binary(max_size=4),
    st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(["\u212a", "\u0130", "\u03a3", "\ufeff", "K7", "aB", "\u212bx"]).map(str.encode),
    st.sampled_from(
        [b"\xe2\x84", b"\xc4", b"\xe2\xe2\x84\xaa", b"\xf0\xc4\xb0", b"\xed\xa0\x80", b"\xc3(", b"x"]
    ),
)


@given(st.lists(pieces, max_size=12).map(b"".join))
def test_tokens_taken_from_bytes_are_those_of_the_decoded_and_lowered_text(
    load_adapter: Callable[[str], ModuleType], data: bytes
) -> None:
    by_the_rule = re.findall("[a-z0-9]{2,}", data.decode("utf-8", "replace").lower())
    assert [word for word in load_adapter("bm25")._words(data) if len(word) > 1] == by_the_rule


def test_two_characters_beside_ascii_have_ascii_letters_in_their_lower_case() -> None:
    """What the shortcut over bytes rests on, in the Unicode tables of this Python."""
    lowered = ((character, character.lower()) for character in map(chr, range(128, 0x110000)))
    ascii_too = {character for character, lower in lowered if re.search("[a-z0-9]", lower)}
    assert ascii_too == {"\u212a", "\u0130"}


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0.0, "0"), (10.0, "10"), (0.1, "0.1"), (2.5, "2.5"), (1 / 3, "0.3333333333333333"),
        (1e-6, "0.000001"), (1.5e-6, "0.0000015"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (5e-324, "5e-324"),
        (2.0**53, "9007199254740992"), (2.0**60, "1152921504606847000"), (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"), (1e21, "1e+21"), (1.5e300, "1.5e+300"),
    ],
)  # fmt: skip
def test_numbers_print_as_ecmascript_does(bm25: ModuleType, value: float, printed: str) -> None:
    assert bm25._number(value) == printed


@needs_node
def test_numbers_print_as_node_prints_them(bm25: ModuleType) -> None:
    draw = random.Random(2)
    values = [draw.randrange(1, 10**6) / draw.randrange(1, 10**6) for _ in range(500)]
    values += [abs(struct.unpack("<d", draw.randbytes(8))[0]) for _ in range(1500)]
    values = [value for value in values if value < float("inf")]
    script = (
        "let text=''; for await (const part of process.stdin) text += part;"
        "console.log(JSON.stringify(text.split(' ').map((hex) => String(Buffer.from(hex, 'hex').readDoubleLE()))))"
    )
    text = " ".join(struct.pack("<d", value).hex() for value in values)
    assert [bm25._number(value) for value in values] == json.loads(node(script, text=text))


def test_a_score_worked_out_by_hand(bm25: ModuleType, tmp_path: Path) -> None:
    """N = 2, avgLen = 2.5, a.txt: tf 2, len 3: ln 2 * 2 * 2.2 / (2 + 1.2 * 1.15) = 0.6931472 * 4.4 / 3.38."""
    corpus = write(tmp_path / "corpus", {"a.txt": b"cat cat dog", "b.txt": b"dog bird"})
    bm25.build(str(corpus), str(tmp_path))
    index = bm25.open(str(tmp_path))
    assert index.query("cat", 5) == [{"file": "a.txt", "score": 0.90232177}]
    assert index.query("Cat cat", 5) == [{"file": "a.txt", "score": 1.80464355}]
    assert [found["file"] for found in index.query("dog", 5)] == ["b.txt", "a.txt"]
    assert index.query("cow", 5) == []


def test_ties_go_by_code_point_and_k_cuts(bm25: ModuleType, tmp_path: Path) -> None:
    names = ["b.txt", "a.txt", "B.txt", "a/x.txt", "a-b.txt", "\uffff.txt", "\U00010000.txt"]
    corpus = write(tmp_path / "corpus", dict.fromkeys(names, b"same words"))
    bm25.build(str(corpus), str(tmp_path))
    ranked = [found["file"] for found in bm25.query(str(tmp_path), "words", 10)]
    assert ranked == ["B.txt", "a-b.txt", "a.txt", "a/x.txt", "b.txt", "\uffff.txt", "\U00010000.txt"]
    assert [found["file"] for found in bm25.query(str(tmp_path), "words", 2)] == ["B.txt", "a-b.txt"]
    # The artifact lists keys by UTF-16 code unit, where the surrogates of U+10000 come before U+FFFF.
    assert list(json.loads((tmp_path / "index.json").read_bytes())["docs"])[-2:] == [
        "\U00010000.txt",
        "\uffff.txt",
    ]


def test_what_is_a_document(bm25: ModuleType, tmp_path: Path) -> None:
    inside = [".md", "a.tar.txt", "deep/queries.json", ".git.md", "node_modules.txt", "x/.mjs"]
    outside = [
        "queries.json",
        "a.MD",
        "a.txt.bak",
        "md",
        "a.tsx~",
        ".git/a.md",
        "x/node_modules/b.md",
        "a.jsonl",
    ]
    bm25.build(str(write(tmp_path / "corpus", dict.fromkeys(inside + outside, b"words"))), str(tmp_path))
    assert sorted(json.loads((tmp_path / "index.json").read_bytes())["docs"]) == sorted(inside)


def test_no_document_at_all(bm25: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    bm25.build(str(tmp_path / "corpus"), str(tmp_path))
    assert (tmp_path / "index.json").read_text() == '{"version":1,"N":0,"avgLen":0,"df":{},"docs":{}}'
    assert bm25.query(str(tmp_path), "anything", 10) == []


def test_the_version_is_the_hash_of_the_source(bm25: ModuleType) -> None:
    source = Path(bm25.__file__ or "").read_bytes()
    assert bm25.version() == {
        "id": f"sha256:{hashlib.sha256(source).hexdigest()[:16]}",
        "source": "content-hash",
    }


COMPARE = """
const adapter = await import(process.argv[1]);
await adapter.build(process.argv[2], process.argv[3]);
const ranked = [];
for (const text of JSON.parse(process.argv[4])) ranked.push(await adapter.query(process.argv[3], text, 10));
console.log(JSON.stringify(ranked));
"""


def nasty_corpus(seed: int) -> dict[str, bytes]:
    draw = random.Random(seed)
    words = [
        "constructor",
        "toString",
        "__proto__",
        "10",
        "007",
        "9",
        "00",
        "4294967294",
        "4294967295",
        "K\u212a",
    ]
    words += [
        "\u0130stanbul",
        "STRASSE",
        "stra\u00dfe",
        "\u03a3\u03a3",
        "x1",
        "length",
        "hasOwnProperty",
        "caf\u00e9",
    ]
    names = [
        "plain",
        "constructor",
        "__proto__",
        "10",
        "sp ace",
        'quo"te',
        "\u00e9t\u00e9",
        "\uffee",
        "\U0001f600",
    ]
    files = {}
    for number in range(40):
        folder, suffix = draw.choice(["", "a/", "a-b/", "Z/", "\u00fc/"]), draw.choice(["md", "ts"])
        path = f"{folder}{draw.choice(names)}{number}.{suffix}"
        parts = [draw.choice(words).encode() for _ in range(draw.randrange(60))]
        parts += [draw.randbytes(draw.randrange(6)) for _ in range(3)]
        files[path] = draw.choice([b" ", b"\r\n", b"_", b"\xef\xbb\xbf"]).join(parts)
    return files


@needs_node
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_independent_writing_in_javascript_writes_the_same_bytes(
    bm25: ModuleType, seed: int, tmp_path: Path
) -> None:
    corpus = write(tmp_path / "corpus", nasty_corpus(seed))
    queries = [
        "constructor",
        "to string x1",
        "10 007 4294967295",
        "istanbul kk",
        "stra e",
        "caf length caf",
        "",
    ]
    bm25.build(str(corpus), str(tmp_path / "ours"))
    theirs = json.loads(
        node(COMPARE, FAKE.as_uri(), str(corpus), str(tmp_path / "theirs"), json.dumps(queries))
    )
    assert (tmp_path / "ours/index.json").read_bytes() == (tmp_path / "theirs/index.json").read_bytes()
    index = bm25.open(str(tmp_path / "ours"))
    assert [index.query(text, 10) for text in queries] == theirs
    assert any(theirs[:-1]) and theirs[-1] == []
