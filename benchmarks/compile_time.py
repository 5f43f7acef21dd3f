#!/usr/bin/python3
"""How long a program takes from its text to native code and PTX, and how that grows with its rules.

    benchmarks/compile_time.py [--build build] [--repeats 5] [--rules 1,10,100,1000]

Prints a Markdown table of medians in seconds: reading alone (lmpm-translate), one epoch of a tiny
grid on the interpreter, everything up to native code with its inputs loaded (no epochs), and up to
PTX for sm_90. Every value has one rule that reads its neighbours and the value before.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def program(rules, alike=False):
    """A chain of `rules` values, each an automaton with a table of its own, under the influence of
    the value before; if they are `alike`, with one table, so that ticks are compiled once."""
    lines = []
    for i in range(rules):
        before, table = f"V{max(i - 1, 0)}", 4 if alike else i
        lines += [
            f"value V{i} : Token[2] shape Grid2D(16, 16) boundary wrap init bernoulli(0.3)",
            f"visible near{i}: V{i}[x,y] <- V{i}[x+dx,y+dy] when (dx,dy) in N8",
            f"visible V{i}[x,y] <- V{i}[x,y]",
            *([f"visible V{i}[x,y] <- {before}[x,y]"] if i else []),
            f"rule R{i}:",
            f"  on V{i}[x,y]",
            f"  let n = sum(near{i})",
            f"  emit proposal V{i}[x,y] := "
            f"((if {before}[x,y] == 1 then {table + 1} else {37 * table % 512}) >> n) & 1",
            f"commit V{i}[*] using accept",
        ]
    return "\n".join(lines) + "\n"


def median_time(command, repeats):
    """Median wall-clock seconds of a command that must succeed."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(tools, text, bindings, repeats):
    """Seconds for reading, for interpreting one epoch, and for compiling a program, for this machine
    and for a GPU."""
    run = [tools / "lmpm-run", text, *bindings]
    return (median_time([tools / "lmpm-translate", "--import-lmpm", text], repeats),
            median_time([*run, "--backend=interp", "--epochs=1"], repeats) if not bindings else None,
            median_time([*run, "--backend=cpu", "--epochs=0"], repeats),
            median_time([tools / "lmpm-translate", "--lci-to-ptx", "--chip=sm_90", text, *bindings],
                        repeats))


def parse_arguments(description):
    """Where the tools are, how often to measure, and the numbers of rules."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--build", default=SOURCE / "build", type=pathlib.Path)
    parser.add_argument("--repeats", default=5, type=int)
    parser.add_argument("--rules", default="1,10,100,1000")
    return parser.parse_args()


def main():
    arguments = parse_arguments(__doc__)
    tools = arguments.build / "bin"
    video = SOURCE / "examples" / "video"
    print("| program | text → IR | text → one interpreted epoch | text → native code | text → PTX |")
    print("|---|---|---|---|---|")

    def row(name, seconds):
        cells = ("–" if s is None else f"{s:.3f} s" for s in seconds)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    row("the video program", measure(tools, video / "video.lmpm",
                                     ["--bindings", video / "bindings.json"], arguments.repeats))
    with tempfile.TemporaryDirectory() as folder:
        for rules in map(int, arguments.rules.split(",")):
            text = pathlib.Path(folder) / f"rules{rules}.lmpm"
            text.write_text(program(rules))
            row(f"{rules} rules", measure(tools, text, [], arguments.repeats))


if __name__ == "__main__":
    main()
