"""Print every figure with its bound; exit 1 when one is not met."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys

from benchmarks.measuring import PAIRS

NAMES = ("operation", "hashing", "metrics", "resampling", "runs", "scale")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(NAMES)} (default: all)")
    parser.add_argument(
        "--pairs", type=int, default=PAIRS, help="interleaved pairs a figure (default %(default)s)"
    )
    parser.add_argument("--full", action="store_true", help="scale to 100,000 documents (takes long)")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(NAMES))
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}, Python {platform.python_version()}; medians of {chosen.pairs} interleaved pairs")
    failed = 0
    for name in chosen.names or NAMES:
        for figure in importlib.import_module(f"benchmarks.{name}").figures(chosen.pairs, chosen.full):
            print(figure.line(), flush=True)
            failed += not figure.met
    print("every bound is met" if not failed else f"{failed} not met")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
