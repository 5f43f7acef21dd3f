#!/usr/bin/python3
"""Runs random programs of the whole grammar in every way there is, and compares the bits.

Programs come from scripts/wild: all that a person may write, some with typing errors, on sizes and arrays of
every kind. Each is refused with a sentence and the exit status 1, or runs on the interpreter, on the CPU, as
kernels, as PTX on this machine, from a bundle, from Python and under rare options of the compiler, with the
same bits and counts. Nothing may crash, hang or end otherwise. What fails is left in a folder, with commands.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import pathlib
import re
import shutil
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))
from wild.dice import KINDS, Dice  # noqa: E402
from wild.programs import make  # noqa: E402
from wild.typos import mistyped  # noqa: E402
from wild.ways import WAYS, Refused, Runner, Wrong  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build", help="the build's folder")
    parser.add_argument("--seed", default="1", help="of all programs")
    parser.add_argument("--first", type=int, default=0, help="the first program's number")
    parser.add_argument("--programs", type=int, default=100, help="how many")
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after that time; 0: no limit")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--ways", type=int, default=len(WAYS), help="how many ways each goes, in turn")
    parser.add_argument("--typos", type=int, default=15, help="percent of the programs that have typing errors")
    parser.add_argument("--limit", type=int, default=60, help="seconds of CPU that a process may take")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("wild-failures"),
                        help="where what fails is left")
    parser.add_argument("--all-kinds", action="store_true", help="fail where a kind is in no accepted program")
    return parser.parse_args()


@dataclasses.dataclass
class Result:
    """What became of one program."""

    number: int
    outcome: str  # accepted, refused or failed
    kinds: set = dataclasses.field(default_factory=set)
    ids: tuple = ()
    ways: tuple = ()
    has_typos: bool = False
    said: str = ""


def wanted(number):
    """The kinds that a program is to have: a few of all, in turn."""
    every = sorted(KINDS)
    return [every[(number * 12 + step) * 41 % len(every)] for step in range(12)]


def tried(arguments, number, folder):
    """Makes one program and runs it."""
    dice = Dice(f"{arguments.seed}/{number}/ways")
    text, kinds, bindings = make(arguments.seed, number, wanted(number))
    result = Result(number, "accepted", kinds)
    if dice.chance(arguments.typos):
        text, result.has_typos = mistyped(dice, text), True
    (folder / "p.lmpm").write_text(text)
    bindings.write(folder)
    runner = Runner(arguments.build.resolve(), folder, arguments.limit, bindings)
    ways = [WAYS[(number + step) % len(WAYS)] for step in range(arguments.ways)]
    way = "interp"
    try:
        runner.reference()
        for way in ways:
            getattr(runner, way)(dice)
        result.ways = tuple(ways)
    except Refused as refused:
        result.outcome = "refused" if way == "interp" else "failed"
        result.ids = tuple(sorted(set(re.findall(r"error: .*\[([a-z-]+)\]$", str(refused), re.MULTILINE))))
        result.said = f"{way} refuses what the interpreter runs: {refused}"
    except Wrong as wrong:
        result.outcome, result.said = "failed", f"{way}: {wrong}"
    if result.outcome == "failed":
        (folder / "run.sh").write_text("#!/bin/sh\n# Run here.\n" + "\n".join(runner.commands) + "\n")
        (folder / "said.txt").write_text(result.said)
    return result


def attempt(arguments, number, end):
    if end and time.monotonic() > end:
        return None
    with tempfile.TemporaryDirectory(prefix="wild") as name:
        folder = pathlib.Path(name)
        result = tried(arguments, number, folder)
        if result.outcome == "failed":
            kept = arguments.keep / f"{arguments.seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            print(f"program {number} failed, see {kept}: {result.said[:600]}", flush=True)
        return result


def summary(results):
    """One line of counts."""
    outcomes = collections.Counter(result.outcome for result in results)
    ids = collections.Counter(name for result in results if result.outcome == "refused" for name in result.ids)
    ways = collections.Counter(way for result in results for way in result.ways)
    typos = sum(result.has_typos for result in results)
    return (f"{len(results)} programs ({typos} with typing errors): {outcomes['accepted']} accepted, "
            f"{outcomes['refused']} refused ({', '.join(f'{name} {count}' for name, count in ids.most_common())}), "
            f"{outcomes['failed']} failed; ways: {', '.join(f'{way} {ways[way]}' for way in WAYS)}")


def main():
    arguments = parse_arguments()
    end = time.monotonic() + arguments.seconds if arguments.seconds else 0
    numbers = range(arguments.first, arguments.first + arguments.programs)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [result for result in pool.map(lambda number: attempt(arguments, number, end), numbers) if result]
    print(summary(results))
    missing = KINDS - {kind for result in results if result.outcome == "accepted" for kind in result.kinds}
    if arguments.all_kinds and missing:
        sys.exit(f"in no accepted program: {', '.join(sorted(missing))}")
    sys.exit(any(result.outcome == "failed" for result in results))


if __name__ == "__main__":
    main()
