#!/usr/bin/python3
"""How often passes changed something, and ways were taken, in random programs.

    build/unittests/LCIDifferentialTests --ways-file=ways.txt
    scripts/ways_table.py ways.txt              prints a table
    scripts/ways_table.py --check ways.txt …    fails if a pass or a way is in none of the programs
    scripts/ways_table.py --write ways.txt …    writes the table into docs/reliability.md

Several files are added up, as those of the parts in which `make test` runs its programs. Every pass of
the project is listed, and every way of include/LCI/Transforms/Support/Ways.def.
"""

import argparse
import collections
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PAGE = SOURCE / "docs/reliability.md"
BEGIN, END = "<!-- ways: by scripts/ways_table.py -->", "<!-- end of ways -->"
CHANGES = "lci-changes"

# What random programs cannot change, and what does instead.
ELSEWHERE = {
    "lci-check-level": "refuses, and changes nothing",
    "lci-search": "in no pipeline, and changes what the schedule does: `test/Pipelines/search.test`",
    "lci-merge-functions": "the drivers' programs are one a module: `test/Pipelines/merge-functions.mlir`",
    "lci-bind": "every program is bound, by the function that the pass calls",
    "lci-check-visibility": "refuses, and changes nothing",
    "lci-check-causality": "refuses, but for `forbid read_future`: `test/Transforms/Program`",
    "lci-check-schedule": "refuses, and changes nothing",
    "lci-check-constraints": "warns, and changes nothing",
    "lci-infer-ranges": "refuses, and changes nothing",
    "lci-pad-constants": "tables of numbers that do not fill their bytes: `scripts/test/test_model_tensors.py`",
    "ListByVectors": "takes instructions that not every machine has",
    "lci-contractions-to-mma": "TF32, which has other bits: `scripts/test/test_tf32.py`",
}
# What follows LLVM's pipeline, by the functions of include/LCI/Codegen/Optimize.h; some of it takes
# instructions that only vectors of 512 bits come with.
CODEGEN = ["stopTicks", "permuteLookups", "transposeBits", "splitAggregatePhis", "skipHugeFunction",
           "narrowMultiplies", "compareNaNs", "fixupNaNs", "maskCounts", "fuseTernaryLogic",
           "alignSpills", "limitVectorizer"]
OF_MACHINE = {"permuteLookups", "transposeBits", "narrowMultiplies", "fixupNaNs", "maskCounts",
              "fuseTernaryLogic"}
TOO_LARGE = {"skipHugeFunction": "hundreds of calls: `unittests/Codegen/SkipHugeFunctionsTest.cpp`"}
# The rooms of passes, in the order in which a program goes through them.
ROOMS = ("Transforms/Program", "Conversion/ProgramToTick", "Transforms/Tick", "Transforms/Bufferize",
         "Transforms/Layout", "Transforms/Schedule", "Transforms/Models", "Conversion/DrawsToArith",
         "Transforms/CPU", "Conversion/TickToLinalg", "Conversion/LinalgToLoops", "Transforms/GPU",
         "Transforms/GPU/Emulation", "Conversion/MathToNVVM", "Pipelines")


def passes():
    """The flags of all passes, in the order in which they are declared."""
    names = []
    for room in ROOMS:
        text = (SOURCE / "include/LCI" / room / "Passes.td").read_text()
        names += re.findall(r'def \w+Pass : (?:Check)?Pass<"([\w-]+)"', text)
    return names


def ways():
    """(pass, name, what it is) of each way."""
    text = (SOURCE / "include/LCI/Transforms/Support/Ways.def").read_text()
    found = re.findall(r'^LCI_WAY\((\w+),\s*"([\w-]+)",\s*"([^"]*)"\)', text, re.M)
    return [(owner, name, what) for name, owner, what in found]


def read(files):
    """How many programs there were, and (yes, no) for each pair of a category and a name."""
    programs, counts = 0, collections.Counter()
    for file in files:
        for line in pathlib.Path(file).read_text().splitlines():
            words = line.split("\t")
            if words[0] == "programs":
                programs += int(words[1])
            else:
                counts[words[0], words[1], "yes"] += int(words[2])
                counts[words[0], words[1], "no"] += int(words[3])
    return programs, counts


def rows(counts):
    """(what, how many programs, in how many it ran in vain or None, why it need not be any)."""
    for name in passes():
        yield (f"`{name}`", counts[CHANGES, name, "yes"], counts[CHANGES, name, "no"],
               ELSEWHERE.get(name))
        for owner, way, what in ways():
            if owner == name:
                yield f"– {what}", counts[owner, way, "yes"], None, ELSEWHERE.get(way)
    for name in CODEGEN:
        excuse = ("takes instructions that not every machine has" if name in OF_MACHINE
                  else TOO_LARGE.get(name))
        yield f"`{name}` of LLVM IR", counts[CHANGES, name, "yes"], None, excuse


def table(programs, counts):
    lines = [f"| of {programs:,} programs | changed, or taken | as it was |", "|---|---|---|"]
    for what, yes, no, excuse in rows(counts):
        vain = excuse if excuse and not yes else "" if no is None else f"{no:,}"
        lines.append(f"| {what} | {yes:,} | {vain} |")
    return "\n".join(lines)


def missing(counts):
    return [what for what, yes, _, excuse in rows(counts) if yes == 0 and not excuse]


def write(text):
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n\n" + text + "\n\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", help="what LCIDifferentialTests wrote")
    parser.add_argument("--check", action="store_true", help="fail for what no program reaches")
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    options = parser.parse_args()
    programs, counts = read(options.files)
    text = table(programs, counts)
    if options.write:
        write(text)
    else:
        print(text)
    unreached = missing(counts)
    for what in unreached:
        print(f"error: none of {programs:,} programs reaches {what}", file=sys.stderr)
    return 1 if options.check and unreached else 0


if __name__ == "__main__":
    sys.exit(main())
