#!/usr/bin/env python3
"""Plants bugs in the compiler, one at a time, and says which the differential test finds, or, of what
that misses, the test of draws on planes.

Works on a copy of the sources (`--tree`) that has a configured build folder and no changes of its
own; each bug is one replaced line, which is put back afterwards. A bug that the test misses is a
hole in the random programs.
"""

import argparse
import pathlib
import subprocess
import sys

# File, what stands there, what stands there instead, what is wrong then; and the program that is to find
# it, if it is not the differential test.
BUGS = [
    ("lib/Conversion/ProgramToTick/Policies.cpp",
     "arith::CmpFPredicate::OGE, proposal.score", "arith::CmpFPredicate::OGT, proposal.score",
     "an equal score no longer prefers the proposal"),
    ("lib/Conversion/ProgramToTick/Agreement.cpp",
     "llvm::sort(priorities, std::greater<>());", "llvm::sort(priorities);",
     "the lowest priority ranks first"),
    ("lib/Conversion/ProgramToTick/Checks.cpp",
     "body.both(keep.present, body.negate(sameToken(token, keep.value)))",
     "body.negate(sameToken(token, keep.value))",
     "a first token counts as a change"),
    ("lib/Conversion/ProgramToTick/Schedules.cpp",
     "return makeColours(2, sum % 2, splitsRows);", "return makeColours(2, sum % 2, splitsRows || rank > 0);",
     "red_black on another axis counts every second cell"),
    ("lib/Conversion/ProgramToTick/Reductions.cpp",
     "return constant(member, -0.0, 0);", "return constant(member, 0.0, 0);",
     "a sum of negative zeros is a positive zero"),
    ("lib/Conversion/ProgramToTick/Reductions.cpp",
     "Value bestIsNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, best, best);",
     "Value bestIsNaN = body.truthValue(false);",
     "argmax stays at a NaN"),
    ("lib/Transforms/Tick/SplitDomain.cpp",
     "extents.push_back(part.count());",
     "extents.push_back(std::max<int64_t>(part.count() - (part.count() > 3), 0));",
     "a box of more than three cells on an axis misses its last"),
    ("include/LCI/Transforms/Support/TokenBits.h",
     'int64_t numTokens = vocabulary.getInt() + attributes.contains("lci.may_be_absent");',
     "int64_t numTokens = vocabulary.getInt();",
     "the absent token does not fit its storage"),
    ("lib/Transforms/Bufferize/BufferizeState/StateFlow.cpp",
     "info.high[axis] = std::max(info.high[axis], widths.high);",
     "info.high[axis] = widths.high;",
     "a halo is as wide as its last window only"),
    ("lib/Conversion/TickToLinalg/GatherLowering.cpp",
     "range->low >= -extent && range->high - extent < extent",
     "range->low >= -2 * extent && range->high - 2 * extent < extent",
     "an index that goes around twice is wrapped once"),
    ("lib/Transforms/Layout/Bitslice/SliceDraws.cpp",
     "group = group + cast(place.half);", "group = group | cast(place.half);",
     "the second half of a word takes the first one's bits in every other row of three groups", "LCIPlaneDrawsTests"),
    ("lib/Transforms/Layout/Bitslice/UndecidedDraws.cpp",
     "if (sweep.stage > 0) {", "if (sweep.stage > 99) {",
     "a draw keeps the threshold of before what decides it was drawn", "LCIPlaneDrawsTests"),
    ("lib/Dialect/Folds.cpp",
     "bool wraps = divisor.isAllOnes() && ranges[0].smin().isMinSignedValue();",
     "bool wraps = false;",
     "the range of a quotient by -1 ends before it begins", "LCIInterpreterTests"),
    ("lib/Conversion/ProgramToTick/Start.cpp",
     "token = body.canonicalNumber(token);", "(void)token;",
     "a NaN of an init is not the canonical one"),
    ("lib/Conversion/ProgramToTick/Agreement.cpp",
     "voice.proposal = body.canonicalNumber(voice.proposal);", "(void)voice;",
     "a NaN that is proposed is not the canonical one"),
    ("lib/Transforms/Tick/NarrowArithmetic.cpp",
     "arith::IntegerOverflowFlags::none));", "flagged.getOverflowAttr().getValue()));",
     "what is said of overflow in 64 bits is said in 8"),
]


def run(command, tree, **options):
    return subprocess.run(command, cwd=tree, text=True, capture_output=True, check=False, **options)


def try_bug(tree, bug, arguments):
    """Returns what the test said with the bug in place: found, missed or not compiled."""
    name, old, new, _, *other = bug
    path = tree / name
    text = path.read_text()
    if text.count(old) != 1:
        return "not planted", "the line has changed"
    path.write_text(text.replace(old, new))
    try:
        target = other[0] if other else "LCIDifferentialTests"
        build = run(["ninja", "-C", arguments.build, f"-j{arguments.jobs}", target], tree)
        if build.returncode != 0:
            return "not compiled", build.stdout[-300:]
        test = run([f"{arguments.build}/unittests/{target}"] +
                   ([] if other else ["--max-failures=1", "--no-reduce",
                                      f"--programs={arguments.programs}",
                                      f"--native-every={arguments.native_every}"]), tree)
        first = next((line for line in (test.stderr + test.stdout).splitlines()
                      if line.startswith(("program", "[  FAILED  ]"))), "")
        return ("found" if test.returncode != 0 else "missed"), first
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--native-every", type=int, default=1)
    parser.add_argument("--only", type=int, help="number of one bug, from 1")
    arguments = parser.parse_args()
    if run(["git", "status", "--porcelain", "--untracked-files=no"], arguments.tree).stdout:
        sys.exit("error: the copy has changes of its own, which would be lost")
    found = 0
    bugs = BUGS if arguments.only is None else [BUGS[arguments.only - 1]]
    for number, bug in enumerate(bugs, arguments.only or 1):
        verdict, detail = try_bug(arguments.tree, bug, arguments)
        found += verdict == "found"
        print(f"{number:2} {verdict:12} {bug[3]}\n   {detail}", flush=True)
    print(f"{found} of {len(bugs)} found")


if __name__ == "__main__":
    main()
