"""Appends to a ledger and says so: run by the tests of crashes, traced and killed by them.

``ledger_writer.py trace LEDGER ROWS [unsynced]`` appends rows and writes ``ack N`` after each.
``ledger_writer.py kill LEDGER ROUNDS SEED`` has a child do so without end, kills it at a random moment, as often
as asked, and prints a line of JSON a round: the acknowledged numbers, and whether the ledger holds afterwards.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from contextbenchmark.core.record import Record
from contextbenchmark.study import ledger as ledger_module
from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.ledger_reading import verify


class Numbered(Record):
    number: int
    filling: str = ""


def acknowledge(out: int, number: int) -> None:
    os.write(out, b"ack %d\n" % number)


def trace(path: Path, rows: int) -> None:
    with Ledger(path) as ledger:
        for number in range(rows):
            ledger.append(Event(kind="session", body=Numbered(number=number)))
            acknowledge(1, number)


def append_for_ever(path: Path, first: int, filling: str, out: int) -> None:
    with Ledger(path) as ledger:
        number = first
        while True:
            ledger.append(Event(kind="session", body=Numbered(number=number, filling=filling)))
            acknowledge(out, number)
            number += 1


def kill(path: Path, rounds: int, seed: int) -> None:
    draw = random.Random(seed)
    for turn in range(rounds):
        # Long rows, so that a kill also falls into the middle of a write.
        filling = "x" * draw.choice((10, 10_000, 3_000_000))
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                append_for_ever(path, turn * 1_000_000, filling, write_end)
            finally:
                os._exit(1)
        os.close(write_end)
        # Most kills fall into the appending, every fifth may fall into the opening.
        early = b"" if turn % 5 == 0 else os.read(read_end, 4096)
        time.sleep(draw.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        with open(read_end, "rb") as stream:
            acknowledged = [int(line.split()[1]) for line in (early + stream.read()).splitlines()]
        assert os.WTERMSIG(status) == signal.SIGKILL
        told = {"acknowledged": acknowledged, "holds": not path.exists() or verify(path).holds}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    verb, place, count, *more = sys.argv[1:]
    if verb == "kill":
        kill(Path(place), int(count), int(more[0]))
    else:
        if more == ["unsynced"]:
            ledger_module.sync = lambda descriptor: None
        trace(Path(place), int(count))
