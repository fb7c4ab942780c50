"""The ledger: every change of a row is found, no torn line is lost or taken for a row."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from contextbenchmark.core.record import Record
from contextbenchmark.errors import ContextBenchmarkError, LedgerError, RunFolderError
from contextbenchmark.study.ledger import TORN_EVENT, Event, Ledger
from contextbenchmark.study.ledger_reading import EMPTY, Head, read_rows, verify
from contextbenchmark.study.ledger_row import Provenance

# Everything that can be done to a row, for every row: of a short ledger always, of a long one in `make test-all`.
LENGTHS = [40, pytest.param(500, marks=pytest.mark.slow)]


class Note(Record):
    number: int
    text: str = ""
    share: float = 0.5


def event(number: int) -> Event:
    provenance = Provenance(
        study="s", version=1, sha256="ab" * 32, agent="a", agent_version="2", commit="c" * 40
    )
    return Event(kind="session", provenance=provenance, body=Note(number=number, text="käse\n\u2028"))


def write(path: Path, rows: int) -> Head:
    with Ledger(path, clock=lambda: "2026-01-02T03:04:05Z") as ledger:
        return ledger.append(*(event(number) for number in range(rows)))


@pytest.fixture(scope="module", params=LENGTHS)
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[bytes], Head]:
    path = tmp_path_factory.mktemp("ledger") / "ledger.jsonl"
    head = write(path, request.param)
    return path.read_bytes().splitlines(keepends=True), head


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[list[bytes]], Path]:
    path = tmp_path / "changed.jsonl"

    def put(lines: list[bytes]) -> Path:
        path.write_bytes(b"".join(lines))
        return path

    return put


def test_a_reader_that_knows_only_the_written_format_agrees(written: tuple[list[bytes], Head]) -> None:
    """The format, written down again from its description: SHA-256 of the bytes between the two frames."""
    lines, head = written
    previous = "0" * 64
    for index, line in enumerate(lines):
        row, told = line[len(b'{"row":') : -len(b',"sha256":""}\n') - 64], json.loads(line)["sha256"]
        assert hashlib.sha256(row).hexdigest() == told
        fields = json.loads(row)
        assert (fields["index"], fields["previous"]) == (index, previous)
        # RFC 8785 here: members in order of their names, no white space, no needless escape.
        assert row.decode() == json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        previous = told
    assert str(head) == f"{head.rows}:{previous}"
    first = json.loads(lines[0])["row"]
    assert first["study"] == "s" and first["agentVersion"] == "2" and first["body"]["number"] == 0


def test_an_untouched_ledger_holds(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    found = verify(changed(lines), [head])
    assert found.holds and found.head == head and found.breaks == () and found.torn is None
    assert verify(changed(lines)).sentence.startswith(
        f"Complete to row {head.rows} as far as this file tells"
    )


def edits(line: bytes) -> list[bytes]:
    """One byte of the row, a byte of white space, the digest, the newline's neighbour, other text of equal length."""
    return [
        line.replace(b'"number":', b'"numbes":', 1),
        line.replace(b'"share":0.5', b'"share":0.6', 1),
        line.replace(b'{"row":{', b'{"row": {', 1),
        line[:-3] + (b'0"' if line[-4:-3] != b"0" else b'1"') + b"}\n",
        line.replace(b'"sha256":"', b'"sha256":"f', 1),
        b"\n",
        b"{}\n",
    ]


def test_every_edit_of_every_row_is_found(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows):
        # One kind of edit a row, all kinds for the first, a middle and the last.
        kinds = edits(lines[number])
        chosen = kinds if number in (0, head.rows // 2, head.rows - 1) else [kinds[number % len(kinds)]]
        for edited in chosen:
            assert edited != lines[number]
            found = verify(changed([*lines[:number], edited, *lines[number + 1 :]]))
            assert not found.holds
            assert found.breaks[0].line in (number + 1, number + 2)


def resealed(line: bytes, **fields: object) -> bytes:
    """A row that was edited by someone who knows the format: its own digest is right again."""
    row = {**json.loads(line)["row"], **fields}
    data = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b'{"row":%b,"sha256":"%b"}\n' % (data, hashlib.sha256(data).hexdigest().encode())


def test_every_edit_that_is_given_a_digest_of_its_own_is_found(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows):
        path = changed([*lines[:number], resealed(lines[number], event="look"), *lines[number + 1 :]])
        found = verify(path, [head])
        assert not found.holds
        if number < head.rows - 1:
            assert found.breaks[0].line == number + 2
        else:
            # Nothing follows the last row: this needs the head, and the spec says so.
            assert verify(path).holds
            assert found.breaks_found == 0 and "is not the one that was kept" in found.missed[0]


def test_every_removal_is_found(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows):
        found = verify(changed(lines[:number] + lines[number + 1 :]), [head])
        assert not found.holds
        assert found.breaks_found == (1 if number < head.rows - 1 else 0)


def test_every_insertion_is_found(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows + 1):
        twin = lines[max(0, number - 1)]
        path = changed([*lines[:number], twin, *lines[number:]])
        assert verify(path).breaks[0].line == (number + 1 if number else 2)
        previous = json.loads(twin)["sha256"] if number else "0" * 64
        forged = resealed(twin, index=number, previous=previous, event="look")
        found = verify(changed([*lines[:number], forged, *lines[number:]]), [head])
        assert found.breaks_found == (1 if number < head.rows else 0)
        # A row after the last one is an ordinary append: the head still lies on the way.
        assert found.holds == (number == head.rows)


def test_every_swap_of_neighbours_and_of_far_rows_is_found(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows):
        for other in {(number + 1) % head.rows, (number + 17) % head.rows}:
            swapped = list(lines)
            swapped[number], swapped[other] = swapped[other], swapped[number]
            found = verify(changed(swapped))
            assert found.breaks[0].line == min(number, other) + 1


def test_every_truncation_is_found_against_the_head_and_only_there(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    for number in range(head.rows):
        for torn in (b"", lines[number][:1], lines[number][:200], lines[number][:-1]):
            path = changed([*lines[:number], torn])
            found = verify(path, [head])
            assert not found.holds and "was cut off" in found.missed[0] and found.breaks_found == 0
            alone = verify(path)
            assert alone.holds and f"Complete to row {number} as far as this file tells" in alone.sentence
            assert (alone.torn is None) == (torn == b"")


def test_a_head_of_an_earlier_row_is_led_through(
    written: tuple[list[bytes], Head], changed: Callable[[list[bytes]], Path]
) -> None:
    lines, head = written
    early = Head(rows=7, digest=json.loads(lines[6])["sha256"])
    assert verify(changed(lines), [EMPTY, early, head]).holds
    wrong = Head(rows=7, digest=head.digest)
    assert "Row 7 is not the one that was kept" in verify(changed(lines), [wrong, head]).sentence


@pytest.mark.parametrize("text", ["", "5", "5:ab", "x:" + "0" * 64, "-1:" + "0" * 64, "5:" + "g" * 64])
def test_a_head_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(LedgerError, match="ROWS:DIGEST"):
        Head.parse(text)


def test_a_head_is_read_as_it_is_printed() -> None:
    head = Head(rows=12, digest="0f" * 32)
    assert Head.parse(str(head)) == head == Head.parse(f" 12:{'0F' * 32}\n")


def test_a_torn_line_is_set_aside_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    head = write(path, 3)
    whole = path.read_bytes()
    torn = whole.splitlines(keepends=True)[2][:-1]
    path.write_bytes(whole + torn)
    assert verify(path, [head]).torn is not None
    with Ledger(path) as ledger:
        assert ledger.head.rows == 4
        ledger.append(event(3))
    assert path.read_bytes().startswith(whole)
    rows = list(read_rows(path))
    assert [row.event for row in rows] == ["session"] * 3 + [TORN_EVENT, "session"]
    found = verify(path, [head])
    assert found.holds and found.torn is None
    aside = path.with_name(str(rows[3].body["file"]))
    assert found.set_aside == (aside,) and aside.read_bytes() == torn
    assert rows[3].body["sha256"] == hashlib.sha256(torn).hexdigest() and rows[3].body["bytes"] == len(torn)


def test_a_file_of_a_torn_first_line_becomes_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b'{"row":{"ag')
    with Ledger(path) as ledger:
        assert ledger.append(event(0)).rows == 2
    assert verify(path).holds


def test_two_writers_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"

    def append(start: int) -> None:
        with Ledger(path) as ledger:
            for number in range(start, start + 20):
                ledger.append(event(number))

    threads = [threading.Thread(target=append, args=(start,)) for start in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify(path).holds
    numbers = [row.body_as(Note).number for row in read_rows(path)]
    assert sorted(numbers) == [*range(20), *range(100, 120), *range(200, 220)]
    assert [number for number in numbers if number < 100] == list(range(20))


def test_what_was_decided_from_rows_is_appended_after_them_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with Ledger(path) as one, Ledger(path) as other:
        head = one.append(event(0))
        other.append(event(1), after=head)
        with pytest.raises(LedgerError, match="has grown meanwhile"):
            one.append(event(2), after=head)
    assert verify(path).head.rows == 2


def test_a_torn_line_of_another_writer_is_set_aside_while_open(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with Ledger(path) as ledger:
        ledger.append(event(0))
        with open(path, "ab") as stream:
            stream.write(b'{"row":')
        ledger.append(event(1))
    assert [row.event for row in read_rows(path)] == ["session", TORN_EVENT, "session"]


def test_nothing_is_appended_to_a_ledger_that_was_cut_replaced_or_removed(tmp_path: Path) -> None:
    def cut(path: Path) -> None:
        with open(path, "r+b") as stream:
            stream.truncate(path.stat().st_size - 1)

    def replace(path: Path) -> None:
        path.rename(path.with_suffix(".old"))
        path.write_bytes(path.with_suffix(".old").read_bytes())

    for number, change in enumerate((cut, replace, Path.unlink)):
        path = tmp_path / f"{number}.jsonl"
        with Ledger(path) as ledger:
            ledger.append(event(0))
            change(path)
            with pytest.raises(LedgerError, match=r"replaced or cut|is gone"):
                ledger.append(event(1))


def test_nothing_is_appended_to_what_is_no_ledger_or_after_a_last_row_that_was_edited(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"name,age\nx,1\n")
    with pytest.raises(LedgerError, match="is not a row of a ledger"):
        Ledger(path)
    assert path.read_bytes() == b"name,age\nx,1\n"
    path.unlink()
    write(path, 2)
    path.write_bytes(path.read_bytes().replace(b'"number":1', b'"number":2'))
    with pytest.raises(LedgerError, match="was changed"):
        Ledger(path)


def test_reading_stops_at_the_row_that_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    write(path, 5)
    path.write_bytes(path.read_bytes().replace(b'"number":2', b'"number":9'))
    rows = read_rows(path)
    assert [next(rows).index, next(rows).index] == [0, 1]
    with pytest.raises(LedgerError, match="Line 3 was changed"):
        next(rows)


def test_rows_of_one_event_or_study(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with Ledger(path) as ledger:
        for study in ("a", "b"):
            for kind in ("session", "look"):
                ledger.append(Event(kind=kind, provenance=Provenance(study=study)))
    assert [row.index for row in read_rows(path, event="look")] == [1, 3]
    assert [row.index for row in read_rows(path, event="look", study="b")] == [3]


def test_a_row_that_cannot_be_kept_exactly_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with Ledger(path) as ledger:
        for body in (Note(number=2**60), Note(number=1, text="x" * (17 * 1024 * 1024))):
            with pytest.raises(LedgerError):
                ledger.append(event(0), Event(kind="session", body=body))
        assert ledger.head == EMPTY and path.read_bytes() == b""
        ledger.append(event(0))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_and_nothing_is_acknowledged() -> None:
    ledger = Ledger.__new__(Ledger)
    ledger.path, ledger._end, ledger._usable = Path("/dev/full"), 0, True
    import os

    ledger._file = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(RunFolderError, match="the disk is full"):
        ledger._write(b"row\n")
    with pytest.raises(LedgerError, match="closed"):
        ledger.append(event(0))
    ledger.close()


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="Cannot read"):
        verify(tmp_path / "none.jsonl")
    with pytest.raises(ContextBenchmarkError):
        Ledger(tmp_path)
    long = tmp_path / "long.jsonl"
    long.write_bytes(b"x" * (17 * 1024 * 1024) + b"\n")
    with pytest.raises(LedgerError, match="longer than any row"):
        verify(long)
