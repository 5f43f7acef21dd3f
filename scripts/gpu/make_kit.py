#!/usr/bin/python3
"""Packs what tests and measures GPUs, for machines that have NVIDIA's driver and no compiler.

    scripts/gpu/make_kit.py [--build build] [--random 50] [--only life,ising] KIT

Writes into the folder KIT: lmpm-run-bundle, the runtime's library for C, the bundles of all
examples and of random programs, what the reference interpreter leaves of each, large bundles for
`--bench`, what `--peers` runs, and run.py, which says on the other machine what is equal and how
fast it is.
"""

import argparse
import itertools
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(SOURCE / "scripts"), str(SOURCE / "benchmarks")]
import programs  # noqa: E402
from small_examples import PROGRAMS, arguments as words_of  # noqa: E402
from tf32_network import Network  # noqa: E402

EPOCHS = 4
# Examples, the side of their square, epochs of about a second, and what an epoch does with a cell.
BENCHES = (("life", 4096, 100000, "cells"), ("life", 16384, 20000, "cells"),
           ("ising", 4096, 50000, "flips"), ("ising", 16384, 5000, "flips"),
           ("sor", 2048, 40000, "sites"), ("sor", 4096, 10000, "sites"),
           ("gray-scott", 2048, 20000, "cells"))
# How many groups of one code at once, each with a seed; the side of their square of spins, and epochs.
GROUPS, GROUP_SIDE, GROUP_EPOCHS = (1, 2, 4, 8), 256, 20000
# At the critical temperature, as by hand; the example's own rises with the epoch.
SETTINGS = {"ising": ("--set", "beta=0.4406868")}
# What peers.py and the hand-written programs need.
PEERS = ("benchmarks/gpu", "benchmarks/harness", "benchmarks/programs", "examples/kit")
# Steps, outputs and cells of layers that tensor cores compute: what fills their blocks, and what does not.
LAYERS = (((48, 128), (64, 64)), ((81, 33), (7, 50)))
# Programs of benchmarks/programs, which bring their own networks, likewise; exactly and by tensor cores.
NETWORKS = (("nca", 1024, 1000, "cells"), ("tokens", 960, 30, "commits"))


class Kit:
    """The folder, and the tools that fill it."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, build
        self.cases, self.bounded, self.benches, self.groups, self.group_benches = [], [], [], [], []
        for name in ("bundles", "expected"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def tool(self, name, *words):
        subprocess.run([self.build / "bin" / name, *map(str, words)], stdout=subprocess.DEVNULL,
                       check=True)

    def bundle(self, name, words):
        self.tool("lmpm-translate", "--lci-to-bundle", *words, "-o",
                  self.folder / "bundles" / f"{name}.bundle")

    def add_case(self, name, words, asks_models=False):
        """A program that is to leave what the interpreter leaves: it is beside, and agrees. Of models it
        takes minutes; there the CPU's code is trusted, which tests compare with it on fewer cells."""
        self.bundle(name, words)
        run = ("lmpm-run", *words, "--quiet", "--epochs", EPOCHS)
        if not asks_models:
            self.tool(*run, "--check")
        self.tool(*run, "--checkpoint", self.folder / "expected" / name)  # without stamps
        self.cases.append(name)

    def add_random(self, seed):
        """The random program of that number, unless it contradicts itself, which is found before it runs."""
        with tempfile.TemporaryDirectory() as folder:
            self.tool("lmpm-smith", f"--seed={seed}", f"--output-dir={folder}")
            words = [f"{folder}/program.lmpm", "--bindings", f"{folder}/bindings.json"]
            if not self.refuses(words):
                self.add_case(f"random-{seed}", words)

    def add_bounded(self, sizes, sides):
        """A layer by tensor cores, whose numbers are to be as near to exact ones as is said of them."""
        name = "-".join(("tf32", *map(str, sizes)))
        with tempfile.TemporaryDirectory() as folder:
            layer = Network(pathlib.Path(folder), sizes, sides)
            self.bundle(name, [*layer.words, "--tf32"])
        for kind, numbers in (("exact", layer.exact()), ("bound", layer.bound())):
            numpy.save(self.folder / "expected" / f"{name}-{kind}.npy", numbers.astype(numpy.float32))
        self.bounded.append({"name": name, "value": "Y"})

    def add_groups(self, seeds=(1, 2, 3)):
        """Groups that are to leave what a run with their seed leaves."""
        words, name = example("ising", (8, 64)), "groups-ising"
        self.bundle(name, words)
        with tempfile.TemporaryDirectory() as folder:
            left = pathlib.Path(folder) / "left.npy"
            for seed in seeds:
                self.tool("lmpm-run", *words, "--quiet", "--epochs=60", "--seed", seed, "--output", f"Spin={left}")
                (self.folder / "expected" / f"{name}-{seed}.bin").write_bytes(numpy.load(left).tobytes())
        self.groups.append({"name": name, "value": "Spin", "epochs": 60, "seeds": seeds})

    def refuses(self, words):
        """Whether the interpreter refuses a program, for a contradiction; nothing else may be the reason."""
        run = subprocess.run([self.build / "bin" / "lmpm-run", *words, "--backend=interp", "--epochs=0"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if run.returncode and "[contradiction]" not in run.stderr:
            sys.exit(run.stderr)
        return run.returncode != 0

    def add_bench(self, name, words, cells, epochs, unit):
        """A program that is to be measured."""
        bundle = "large-" + name.replace(" ", "-")
        self.bundle(bundle, [*words, "--fixed"])
        self.benches.append({"name": name, "bundle": bundle, "epochs": epochs, "work": cells, "unit": unit})

    def add_benches(self):
        for name, side, epochs, unit in BENCHES:
            words = [*example(name, (side, side)), *SETTINGS.get(name, ())]
            self.add_bench(f"{name} {side}", words, side * side, epochs, unit)
        for name, side, epochs, unit in NETWORKS:
            contest = programs.load(name).make(side, quick=True)
            sides = [int(word.split("=")[1]) for word in contest.arguments if word[:2] in ("W=", "H=")]
            for how in ([], ["--tf32"]):
                self.add_bench(" ".join((name, *(word[2:] for word in how), str(side))),
                               [SOURCE / contest.source, *contest.arguments, *how], math.prod(sides),
                               epochs, unit)

    def add_group_benches(self):
        bundle, sides = "large-groups", (GROUP_SIDE, GROUP_SIDE)
        self.bundle(bundle, [*example("ising", sides), *SETTINGS["ising"], "--fixed"])
        for count in GROUPS:
            self.group_benches.append({"name": f"ising {GROUP_SIDE}, groups: {count}", "bundle": bundle,
                                       "epochs": GROUP_EPOCHS, "seeds": list(range(count)),
                                       "work": count * math.prod(sides), "unit": "flips"})

    def add_peers(self):
        for folder in PEERS:
            shutil.copytree(SOURCE / folder, self.folder / folder,
                            ignore=shutil.ignore_patterns("__pycache__", "test"))

    def finish(self):
        tool = self.build / "bin" / "lmpm-run-bundle"
        here = pathlib.Path(__file__)
        for file in (tool, here.with_name("run.py"), here.with_name("groups.py"),
                     self.build / "lib" / "liblmpm-runtime.so"):
            shutil.copy2(file, self.folder)
        # What a machine with a C++ program on it need not have.
        libraries = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
        (self.folder / "lib").mkdir()
        for library in re.findall(r"=> (\S+/lib(?:png|z)\S*)", libraries):
            shutil.copy2(library, self.folder / "lib")
        (self.folder / "kit.json").write_text(json.dumps(
            {"epochs": EPOCHS, "cases": self.cases, "bounded": self.bounded, "benches": self.benches,
             "groups": self.groups, "group_benches": self.group_benches}, indent=1) + "\n")


def example(name, size=None):
    """How an example is compiled."""
    return words_of(next(program for program in PROGRAMS if program.stem == name), size)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kit", type=pathlib.Path, help="the folder to fill")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--random", type=int, default=50, help="how many random programs")
    parser.add_argument("--only", help="examples, by names with commas between; no benches then")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.kit, ignore_errors=True)
    kit = Kit(arguments.kit, arguments.build)
    names = (arguments.only.split(",") if arguments.only
             else sorted(program.stem for program in PROGRAMS))
    total = len(names) + arguments.random
    for number, name in enumerate(names):
        print(f"\r{number} of {total} programs", end="", file=sys.stderr)
        words = example(name)
        bindings = json.loads(pathlib.Path(words[words.index("--bindings") + 1]).read_text())
        kit.add_case(name, words, asks_models="models" in bindings)
    seeds = itertools.count()
    while len(kit.cases) < total:
        print(f"\r{len(kit.cases)} of {total} programs", end="", file=sys.stderr)
        kit.add_random(next(seeds))
    print(file=sys.stderr)
    for layer in LAYERS:
        kit.add_bounded(*layer)
    kit.add_groups()
    if not arguments.only:
        kit.add_benches()
        kit.add_group_benches()
        kit.add_peers()
    kit.finish()
    print(f"{len(kit.cases)} programs and {len(kit.benches)} benches are in {arguments.kit}; "
          "run.py runs them where a GPU is")


if __name__ == "__main__":
    main()
