#!/usr/bin/python3
"""What a call of `run` costs from Python beside the program's own work, and whether memory stays.

Prints microseconds per call of `Run.step` on a program of 64 cells, and how far the process grows
over 10,000 runs of a compiled program, after 1,000 that warm it up.

    PYTHONPATH=build/python .venv/bin/python3 benchmarks/python_overhead.py
"""

import argparse
import statistics
import time

import lmpm



def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def microseconds(call, calls=2000, repeats=7):
    """The median over a few measurements."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        taken.append((time.perf_counter() - start) / calls * 1e6)
    return statistics.median(taken)


def growth(call, runs, warm_up):
    """Bytes that the process grows by over some calls."""
    for _ in range(warm_up):
        call()
    before = resident_bytes()
    for _ in range(runs):
        call()
    return resident_bytes() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10000)
    arguments = parser.parse_args()
    life = lmpm.load("examples/life/life.lmpm").compile(W=8, H=8)
    run = life.new(seed=1)
    print(f"Run.step(1): {microseconds(run.step):.1f} us")
    print(f"Run.step(0): {microseconds(lambda: run.step(0)):.1f} us")
    print(f"Compiled.run(epochs=1): {microseconds(lambda: life.run(epochs=1), 500):.1f} us")
    grown = growth(lambda: life.run(epochs=1, seed=1)["Cell"], arguments.runs, arguments.runs // 10)
    print(f"memory: {grown / 1024:+.0f} KiB over {arguments.runs} runs")


if __name__ == "__main__":
    main()
