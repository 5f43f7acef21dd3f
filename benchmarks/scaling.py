#!/usr/bin/python3
"""How the time of a cell grows with the grid, the vocabulary, the radius, the rules and the threads.

    benchmarks/scaling.py [--build build] [--repeats 5] [--core 0] [--output build/scaling.png]

Nanoseconds of a cell's update, medians, of ticks alone; prints a Markdown table for each and draws
them. The grid is Life's, from cache to memory; the others have 512² cells: sums modulo so
many tokens, a sum over a Moore neighbourhood of that radius, and so many values, each with a rule
that reads its neighbours and the value before. Threads, from one to one for each core, have a figure
for each of four programs on 4096² cells, on cores of the machine's choice.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "benchmarks"))

import compile_time  # noqa: E402
from harness import contestants, plot  # noqa: E402

LIFE = (SOURCE / "examples" / "life" / "life.lmpm").read_text(encoding="utf-8")
SUMS = """
value C : Token[V] shape Grid2D(W, H) boundary wrap init randint(V)
visible C[x,y] <- C[x,y]
visible near: C[x,y] <- C[x+dx,y+dy] when (dx,dy) in N4
rule Add:
  on C[x,y]
  emit proposal C[x,y] := (self + sum(near)) % V
commit C[*] using accept
"""
MAJORITY = """
value C : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.5)
visible C[x,y] <- C[x,y]
visible near: C[x,y] <- C[x+dx,y+dy] when (dx,dy) in Moore({radius})
rule Vote:
  on C[x,y]
  let n = sum(near)
  emit proposal C[x,y] := if 2 * n > {cells} then 1 else if 2 * n < {cells} then 0 else 1 - self
commit C[*] using accept
"""
SIDE = 512
# Programs that threads share, with epochs for about a second of one thread: the first calls of a run
# are short, and epochs that go over memory together must be enough for that.
SHARED = {"life": 4000, "ising": 250, "sor": 100, "gray-scott": 30}


def figures(quick):
    """Name, axis and points of each figure; a point is (x, text, options, cells, epochs)."""
    square = ("--set", f"W={SIDE}", "--set", f"H={SIDE}")
    sides = (64, 256, 1024) if quick else (64, 128, 256, 512, 1024, 2048, 4096, 8192)
    yield "cells", "cells in a row and a column", [
        (side, LIFE, ("--set", f"W={side}", "--set", f"H={side}"), side**2,
         max(4, 2**25 // side**2)) for side in sides]
    tokens = (2, 16, 1024) if quick else (2, 4, 16, 64, 256, 1024, 4096)
    yield "vocabulary", "tokens", [
        (count, SUMS, (*square, "--set", f"V={count}"), SIDE**2, 40) for count in tokens]
    yield "radius", "radius", [
        (radius, MAJORITY.format(radius=radius, cells=(2 * radius + 1)**2 - 1), square, SIDE**2, 20)
        for radius in ((1, 3) if quick else (1, 2, 3, 4, 5, 6, 8, 10, 12, 15))]
    yield "rules", "values with a rule of their own", [
        (count, compile_time.program(count).replace("16, 16", f"{SIDE}, {SIDE}"), (),
         SIDE**2 * count, 10) for count in ((1, 4) if quick else (1, 2, 4, 8, 16, 32))]
    side = 1024 if quick else 4096
    for name, epochs in SHARED.items():
        folder = SOURCE / "examples" / name
        yield f"threads, {name}", "threads", [
            (count, (folder / f"{name}.lmpm").read_text(encoding="utf-8"),
             ("--bindings", folder / "bindings.json", "--set", f"W={side}", "--set", f"H={side}",
              "--threads", count), side**2, epochs) for count in thread_counts()]


def thread_counts():
    """Powers of two up to the number of cores, and that number."""
    cores = len(os.sched_getaffinity(0))
    return sorted({2**power for power in range(cores.bit_length())} | {cores})


def measure(arguments, text, options, cells, epochs, folder):
    """Nanoseconds of a cell."""
    program = folder / "program.lmpm"
    program.write_text(text, encoding="utf-8")
    tool = [arguments.build / "bin" / "lmpm-run"]
    command = tool if "--threads" in options else ["taskset", "-c", arguments.core, *tool]
    ours = contestants.Ours(command[0], [*command[1:], program, *options], "", folder)
    reports = [ours.call(f"--epochs={epochs}", "--backend=cpu") for _ in range(arguments.repeats)]
    # Where nothing changes any more a run ends before its last epoch.
    return statistics.median(report["seconds"] / report["epochs"] for report in reports) / cells * 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--core", default="0")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="figures whose names begin so")
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    panels = []
    for name, axis, points in figures(arguments.quick):
        if not name.startswith(arguments.only):
            continue
        print(f"\n{name}\n\n| {axis} | ns per cell |\n|---|---|")
        xs, ys = [], []
        for x, text, options, cells, epochs in points:
            with tempfile.TemporaryDirectory() as folder:
                time = measure(arguments, text, options, cells, epochs, pathlib.Path(folder))
            print(f"| {x} | {time:.3g} |", flush=True)
            xs.append(x)
            ys.append(time)
        panels.append((name, axis, xs, ys))
    plot.draw_panels(panels, arguments.output or arguments.build / "scaling.png")


if __name__ == "__main__":
    main()
