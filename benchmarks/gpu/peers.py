#!/usr/bin/env python3
"""PyTorch and JAX on a GPU, for comparison with the compiled programs.

    benchmarks/gpu/peers.py [--library torch|jax] [--only life,ising,sor,nca,tokens]
                            [--size 4096] [--seconds 0.3] [--device cuda|cpu] [--autotune]

Prints a line of JSON for each program and form of it; what does not run is a line with `error`.
The programs are those of benchmarks/programs, and the functions are those of benchmarks/peers, in
the form that suits a GPU best: many steps a call, colours apart, whole pictures at once. A time is
the median of several calls, after some that compile and warm up; `took_s` counts all of it.

Without --library, both are measured, one after the other in processes of their own, so that neither
holds memory of the other. With --autotune, PyTorch also tries kernels of its own for the products,
which takes minutes.

Sizes: 4096 squared for life, ising and sor, 1024 squared for nca, 240 by 135 for tokens, whose
batch of 32400 rows by 4096 logits fills a GPU. `--device cpu --size 64` tries everything without a
GPU.
"""

import argparse
import importlib
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

LEAST = 0.02  # seconds of a timing
UNITS = {"life": "cells", "ising": "flips", "sor": "sites", "nca": "cells", "tokens": "cells"}


def timed(run, count):
    start = time.perf_counter()
    run(count)
    return time.perf_counter() - start


def seconds_of_call(run, seconds):
    """The median of some timings that last as long as is said altogether."""
    run(1)
    count = 1
    while (elapsed := timed(run, count)) < LEAST:
        count = min(2 * count, max(count + 1, round(count * 1.2 * LEAST / elapsed)))
    turns = min(9, max(3, int(seconds / elapsed)))
    return statistics.median(timed(run, count) for _ in range(turns)) / count


def measure(module, program, arguments):
    """The lines of a program."""
    data = importlib.import_module("peers_data")
    size = arguments.size or data.SIZES[program]
    rows, columns = data.shape_of(program, size)
    for contestant, note, build in module.contestants(program, size, arguments.device):
        line = {"program": program, "contestant": contestant, "size": size, "note": note}
        start = time.perf_counter()
        try:
            cells = rows * columns * module.STEPS
            speed = cells * 1e-9 / seconds_of_call(build(), arguments.seconds)
            line.update(unit=UNITS[program], per_ns=float(f"{speed:.4g}"))
        except Exception as error:  # noqa: BLE001: whatever it is, the others are measured
            line["error"] = f"{type(error).__name__}: {error}"[:400]
        yield {**line, "took_s": round(time.perf_counter() - start, 1)}


def measure_library(arguments):
    try:
        module = importlib.import_module(f"peers_{arguments.library}")
    except ImportError as error:
        print(json.dumps({"contestant": arguments.library, "error": str(error)}))
        return
    module.AUTOTUNE = arguments.autotune
    for program in arguments.only.split(","):
        for line in measure(module, program, arguments):
            print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--library", choices=("torch", "jax"))
    parser.add_argument("--only", default=",".join(UNITS))
    parser.add_argument("--size", type=int)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--autotune", action="store_true")
    arguments = parser.parse_args()
    if arguments.library:
        return measure_library(arguments)
    for library in ("torch", "jax"):
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--library", library], check=False)


if __name__ == "__main__":
    main()
