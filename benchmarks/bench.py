#!/usr/bin/python3
"""Ours and others, side by side: `make bench` runs this.

    benchmarks/bench.py [--quick] [--programs ising,life] [--peers numba,jax,torch,taichi,thrml]
    benchmarks/bench.py [--quick] --before OTHER/BUILD

Each contestant is checked first: compiled code against the interpreter, hand-written programs and
peers against ours (equal cells where they make the same decisions, else the same energies). Then
they take turns on one core; medians, minima and maxima are printed as a Markdown table, and written
to build/bench.json and build/bench.png. A peer that does not install or does not run is left out,
with a line that says why. `--before` lets the tools of another build take turns with ours instead:
what a change of the compiler costs, with the same bits.
"""

import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import programs  # noqa: E402
from harness import contestants, environment, measure, plot, rows  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PEERS = "numba,jax,torch,taichi,thrml"


def peers_of(text):
    """Names of peers, none of them another one."""
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PEERS.split(","):
            raise argparse.ArgumentTypeError(f"expected some of {PEERS}, but got '{name}'")
    return names


def build_of(text):
    """A folder that holds built tools."""
    folder = pathlib.Path(text).resolve()
    if not (folder / "bin" / "lmpm-run").exists():
        raise argparse.ArgumentTypeError(f"expected a folder with bin/lmpm-run, but got '{text}'")
    return folder


def parse_arguments():
    """What is measured, and how often."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--quick", action="store_true", help="two minutes, without Python peers")
    parser.add_argument("--programs", default=",".join(programs.ALL))
    parser.add_argument("--peers", type=peers_of, default=PEERS, help="'' for none")
    parser.add_argument("--before", type=build_of, help="another build; nobody else takes part")
    parser.add_argument("--sizes", default="", help="only these")
    parser.add_argument("--repeats", type=int, default=0, help="samples (9, or 3 if quick)")
    parser.add_argument("--core", default="0", help="where everybody runs")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    arguments.repeats = arguments.repeats or (3 if arguments.quick else 9)
    return arguments


class Stage:
    """Starts the contestants of a contest in a folder, pinned to one core."""

    def __init__(self, arguments, python, folder):
        self.arguments = arguments
        self.python = python
        self.folder = folder
        self.pinned = ["taskset", "-c", arguments.core]

    def ours(self, contest):
        """lmpm-run on the program."""
        checked = self.tool(contestants.Ours, self.arguments.build, contest, ())
        return self.tool(contestants.Ours, self.arguments.build, contest, contest.arguments), checked

    def tool(self, kind, build, contest, arguments):
        """The lmpm-run of a build on the program."""
        command = [*self.pinned, str(build / "bin" / "lmpm-run"), SOURCE / contest.source]
        folder = pathlib.Path(self.folder) / kind.name
        folder.mkdir(exist_ok=True)
        return kind(command[0], [*command[1:], *arguments], contest.value, folder)

    def hand(self, name, file, arguments):
        """A program of hand/."""
        program = environment.compile_hand(SOURCE / "benchmarks" / "hand" / file,
                                           self.arguments.build / "bench-hand")
        return contestants.Process(name, [*self.pinned, program, *arguments], self.folder)

    def peer(self, name, script, arguments):
        """A script of peers/, in the environment of the peers."""
        command = [*self.pinned, self.python, SOURCE / "benchmarks" / "peers" / script, *arguments]
        return contestants.Process(name, command, self.folder, environment.peer_environment())

    def limits(self, contest):
        """What the core can do of what the program needs."""
        for kind in () if self.arguments.before else contest.limits:
            if kind.startswith("bytes") or environment.describe_machine()["avx512"]:
                yield self.hand(kind, "limits.cpp", (kind,))

    def others(self, contest):
        """Those who start, and are like us."""
        if self.arguments.before:
            yield self.tool(contestants.Before, self.arguments.before, contest, contest.arguments)
            return
        for name, (file, arguments) in contest.hand.items():
            if "AVX-512" in name and not environment.describe_machine()["avx512"]:
                print(f"{contest.program}: without {name}: this machine has no AVX-512",
                      file=sys.stderr)
                continue
            yield self.hand(name, file, arguments)
        for name, (script, arguments) in contest.peers.items():
            if self.python and name in self.arguments.peers:
                yield self.peer(name, script, arguments)


def run_contest(stage, contest, repeats):
    """The rates of everybody who takes part."""
    ours, checked = stage.ours(contest)
    measure.check_ours(contest, checked)
    cells = ours.start().astype(contest.dtype)
    everyone = [ours]
    for other in stage.others(contest):
        try:
            measure.check_others(contest, ours, [other], cells)
            everyone.append(other)
        except contestants.Failure as failure:
            if other.name in contest.hand:
                raise
            print(f"{contest.program}: without {other.name}: {failure}", file=sys.stderr)
    everyone += stage.limits(contest)
    try:
        return measure.take_turns(contest, everyone, cells, repeats)
    finally:
        for one in everyone:
            one.close()


def measure_program(arguments, python, module):
    """The rows of a program: one for each contest, unless it has rows of its own."""
    if hasattr(module, "measure_all"):
        yield from module.measure_all(arguments)
        return
    sizes = [int(size) for size in arguments.sizes.split(",") if size]
    for contest in programs.contests(module, arguments.quick, sizes):
        with tempfile.TemporaryDirectory() as folder:
            rates = run_contest(Stage(arguments, python, folder), contest, arguments.repeats)
        yield rows.make_row(contest, rates)


def main():
    arguments = parse_arguments()
    python = None
    if arguments.peers and not arguments.quick and not arguments.before:
        python = environment.install(arguments.peers, arguments.build / "bench-venv")
    measured = []
    for name in arguments.programs.split(","):
        for row in measure_program(arguments, python, programs.load(name)):
            measured.append({**row, "machine": environment.describe_machine()})
            print(rows.markdown(measured[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    print(rows.markdown(measured), end="")
    (arguments.build / "bench.json").write_text(json.dumps(measured, indent=1) + "\n",
                                                encoding="utf-8")
    plot.draw([row for row in measured if row["peers"]], arguments.build / "bench.png")


if __name__ == "__main__":
    main()
