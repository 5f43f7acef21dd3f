#!/usr/bin/python3
"""What a search for schedules gains, and how good its model is.

    benchmarks/tune.py [--build build] [--candidates 96] [--small] [PROGRAM…]

Each program is searched with every candidate measured (up to `--candidates`). The table has, as parts
of the default's time: the fastest of all; the fastest of the 32 that the model ranks first, which is what
`lmpm-tune` runs; and the model's own choice, which `--measure 0` takes. `--small` takes sizes that
fit into the second cache.
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
VARIETY = "benchmarks/programs/variety"
#: Each program with its sizes: large ones, and some that fit into a cache.
PLANE, SPACE = (("W=1024", "H=1024"), ("W=256", "H=256")), (("D=128", "W=128", "H=128"), ("D=32", "W=64", "H=64"))
PROGRAMS = {
    "Gray and Scott": (f"{VARIETY}/reaction.lmpm", PLANE),
    "FitzHugh and Nagumo": (f"{VARIETY}/excitable.lmpm", PLANE),
    "heat, 3-D": (f"{VARIETY}/heat.lmpm", SPACE),
    "Life, 3-D": (f"{VARIETY}/life3.lmpm", SPACE),
    "Larger than Life": (f"{VARIETY}/bugs.lmpm", PLANE),
    "Brian's Brain": (f"{VARIETY}/brain.lmpm", PLANE),
    "plurality": (f"{VARIETY}/plurality.lmpm", PLANE),
    "SOR": ("examples/sor/sor.lmpm", (("W=2048", "H=2048"), ("W=256", "H=256"))),
    "Life": ("examples/life/life.lmpm", (("W=4096", "H=4096"), ("W=512", "H=512"))),
    "Ising": ("examples/ising/ising.lmpm", PLANE),
}
MEASURED = 32


def search(build, program, sizes, candidates):
    """The rows of a trace in which every candidate was run."""
    with tempfile.TemporaryDirectory() as folder:
        trace = f"{folder}/trace.csv"
        sets = [word for size in sizes for word in ("--set", size)]
        subprocess.run([build / "bin/lmpm-tune", SOURCE / program, *sets, "--candidates", str(candidates), "--measure",
                        str(candidates), "-o", f"{folder}/s.mlir", "--trace", trace, "--quiet"], check=True)
        with open(trace) as file:
            return list(csv.DictReader(file))


def summary(rows):
    """The ratios of the table; the rows are in the order of the model, the default first."""
    ratios = [float(row["ratio"]) if row["ratio"] else float("inf") for row in rows]
    estimates = [float(row["cycles"] or "inf") for row in rows]
    chosen = 1 if len(rows) > 1 and estimates[1] < estimates[0] else 0
    return min(ratios), min(ratios[:MEASURED]), ratios[chosen], rows[ratios.index(min(ratios))]["candidate"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--candidates", type=int, default=96)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    print("| program | candidates | fastest of all | of the model's 32 | the model's choice | which | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.programs or PROGRAMS:
        program, sizes = PROGRAMS[name]
        start = time.monotonic()
        rows = search(arguments.build, program, sizes[arguments.small], arguments.candidates)
        best, few, model, which = summary(rows)
        print(f"| {name}, {' '.join(sizes[arguments.small])} | {len(rows)} | {best:.3f} | {few:.3f} | {model:.3f} | "
              f"{which} | {time.monotonic() - start:.0f} |", flush=True)


if __name__ == "__main__":
    main()
