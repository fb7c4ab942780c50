"""Random, but a process that it leaves behind remembers the first answers and serves them on a fixed socket."""

import json
import random
import socket
import subprocess
import sys
import time

from _base import rank, read_index, shuffled, write_index

name = "served-by-a-daemon"
ADDRESS = "\0contextbenchmark-test-daemon"
SERVER = f"""
import json, socket
memory, server = {{}}, socket.socket(socket.AF_UNIX)
server.bind({ADDRESS!r}); server.listen()
while True:
    peer, _ = server.accept()
    with peer, peer.makefile("rw") as stream:
        line = stream.readline()
        if not line:
            continue  # only looked whether somebody is there
        text, answer = json.loads(line)
        stream.write(json.dumps(memory.setdefault(text, answer)) + "\\n"); stream.flush()
"""


def remember(text, answer):
    for _ in range(100):
        try:
            with socket.socket(socket.AF_UNIX) as peer:
                peer.connect(ADDRESS)
                stream = peer.makefile("rw")
                stream.write(json.dumps([text, answer]) + "\n")
                stream.flush()
                return json.loads(stream.readline())
        except (OSError, ValueError):
            time.sleep(0.05)
            start()  # one that another operation left has been ended
    raise RuntimeError("no daemon")


def start():
    try:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(ADDRESS)
    except OSError:
        subprocess.Popen(
            [sys.executable, "-S", "-c", SERVER],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )


def build(corpus_dir, out_dir):
    write_index(corpus_dir, out_dir)
    start()


def query(out_dir, text, k):
    start()
    return remember(text, shuffled(rank(read_index(out_dir), text, k), random.SystemRandom()))
