"""Time one operation of an adapter with nothing around it: run by path in a fresh interpreter.

``bare.py ADAPTER build CORPUS OUT`` or ``bare.py ADAPTER pass OUT K QUERIES.json``; prints the seconds that
the adapter's own functions took, imports and start-up of the interpreter left out.
"""

import importlib
import json
import os
import sys
import time


def main() -> None:
    path, what = sys.argv[1:3]
    sys.path.insert(0, os.path.dirname(path))
    adapter = importlib.import_module(os.path.splitext(os.path.basename(path))[0])
    if what == "build":
        began = time.perf_counter()
        adapter.build(sys.argv[3], sys.argv[4])
    else:
        with open(sys.argv[5], encoding="utf-8") as stream:
            texts = json.load(stream)
        began = time.perf_counter()
        opened = adapter.open(sys.argv[3])
        for text in texts:
            opened.query(text, int(sys.argv[4]))
    print(time.perf_counter() - began)


main()
