"""The reader that docs/ledger.md gives to everyone is right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from contextbenchmark.study.ledger import Event, Ledger
from contextbenchmark.study.register import register

DOCUMENT = Path(__file__).parents[3] / "docs" / "ledger.md"


def test_the_documents_own_reader_agrees_and_finds_an_edit(study_file: Path) -> None:
    made = register(study_file)
    ledger = study_file.parent / "ledger.jsonl"
    with Ledger(ledger) as opened:
        head = opened.append(Event(kind="look", provenance=made.version.provenance()))
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    command = [sys.executable, "-c", found[1]]
    done = subprocess.run(command, cwd=ledger.parent, capture_output=True, text=True)
    assert done.stdout.strip() == str(head)
    ledger.write_bytes(ledger.read_bytes().replace(b'"event":"look"', b'"event":"note"'))
    assert subprocess.run(command, cwd=ledger.parent, capture_output=True).returncode != 0
