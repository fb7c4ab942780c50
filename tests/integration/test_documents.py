"""What the documents tell a newcomer to do, done."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]


def first_adapter() -> str:
    """Return the adapter that CONTRIBUTING.md starts with."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return textwrap.dedent(found[1].replace("\n   ", "\n").removeprefix("   "))


def level_of(adapter: str, folder: Path) -> object:
    """Run ``adapter`` on the bundled corpus as the document says and return its level."""
    (folder / "my_adapter.py").write_text(adapter, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "contextbenchmark",
        "run",
        "--adapters",
        "./my_adapter.py",
        "--out",
        "mine",
    ]
    done = subprocess.run([*command, "--json"], cwd=folder, capture_output=True, text=True, check=True)
    (system,) = json.loads(done.stdout)["systems"]
    assert system["name"] == "my-engine"
    return system["level"]


def test_the_first_adapter_runs_as_it_stands(tmp_path: Path) -> None:
    assert level_of(first_adapter(), tmp_path) == "CTL-3"


def test_broken_as_described_it_falls_to_ctl_2(tmp_path: Path) -> None:
    (line,) = re.findall(r"end `build` with `(.*?)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    broken = first_adapter().replace("\n\n\ndef query", f"\n    {line}\n\n\ndef query")
    assert line in broken
    assert level_of(broken, tmp_path) == "CTL-2"
