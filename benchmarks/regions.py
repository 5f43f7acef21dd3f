#!/usr/bin/python3
"""What splitting a tick at the bounds of a locked region saves over asking a mask.

    benchmarks/regions.py [--build build] [--repeats 3] [--epochs 2000] [--size 1024]

Prints a Markdown table of median CPU seconds of whole runs, from text, without a report.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

import numpy

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """
value A : I32 shape Grid2D(W, H) boundary wrap init[x,y] x + y
visible A[x,y] <- A[x,y]
visible near: A[x,y] <- A[x+dx,y+dy] when (dx,dy) in N4
rule R:
  on A[x,y]
  emit proposal A[x,y] := (sum(near) + self) % 97
constraint Lock: forbid change(A[region("kept")]) priority 100
commit A[*] using satisfy(max_constraints_then_score)
"""


def write_case(folder, size):
    low, high = size // 20, size - size // 20 - 1
    mask = numpy.zeros((size, size), bool)
    mask[low : high + 1, low : high + 1] = True
    numpy.save(folder / "mask.npy", mask)
    (folder / "program.lmpm").write_text(PROGRAM)
    for kind, region in [("mask", {"mask": "mask.npy"}), ("bounds", {"rect": [[low, high]] * 2})]:
        bindings = {"sizes": {"W": size, "H": size}, "regions": {"kept": region}}
        (folder / f"{kind}.json").write_text(json.dumps(bindings))


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=2000)
    parser.add_argument("--size", type=int, default=1024)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_case(folder, arguments.size)
        print(f"| region | seconds for {arguments.epochs} epochs |\n|---|---|")
        for kind in ["mask", "bounds"]:
            command = [arguments.build / "bin/lmpm-run", folder / "program.lmpm", "--bindings",
                       folder / f"{kind}.json", "--backend=cpu", f"--epochs={arguments.epochs}"]
            times = [seconds(command) for _ in range(arguments.repeats)]
            print(f"| {kind} | {statistics.median(times):.2f} |")


if __name__ == "__main__":
    main()
