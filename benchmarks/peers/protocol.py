"""How the harness talks to a peer: the Python side of hand/protocol.h.

A peer has `load(cells)`, `run(first, last)` and `save()`; `run` returns when the work is done. Whatever
is printed from the import of this module on goes to the log.
"""

import os
import sys
import time

import numpy

ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def serve(peer, dtype, shape):
    """Does what the harness says until it says no more."""
    for line in sys.stdin:
        command, *words = line.split()
        answer = "ok"
        if command == "load":
            peer.load(numpy.fromfile(words[0], dtype).reshape(shape))
        elif command == "save":
            numpy.ascontiguousarray(peer.save()).astype(dtype).tofile(words[0])
        elif command == "run":
            start = time.perf_counter()
            peer.run(int(words[0]), int(words[1]))
            answer = f"{time.perf_counter() - start:.9f}"
        print(answer, file=ANSWERS, flush=True)
