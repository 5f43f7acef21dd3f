#!/usr/bin/env python3
"""Changes one thing in valid IR, many times, and asks every pipeline and pass what it makes of it.

    scripts/hostile_ir.py --seed 7 --count 2000 --keep findings

Each mutant must be refused with an error, or lowered to IR that is valid: a signal, a silent failure, a result that
cannot be read again, and a minute without an answer are findings. Mutants of one level go through one process
together; where it fails, one by one. Passes run without the verifier between them, as in the tools.
"""

import argparse
import pathlib
import random
import re
import shlex
import subprocess
import sys

import builds

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SEPARATOR = "// -----\n"
SECONDS = 20  # that a mutant may take
PROGRAMS = {  # small ones that differ: what they are bound to
    "examples/life/life.lmpm": "W=9,H=6",
    "examples/ising/ising.lmpm": "W=8,H=6",
    "test/Target/LMPM/programs/graph.lmpm": "N=6,M=12",
    "test/Target/LMPM/programs/everything.lmpm": "",
    "test/Target/LMPM/programs/vectors.lmpm": "",
}
NUMBERS = [0, -1, 1, 2, 3, 7, 64, 100, 1 << 31, 1 << 62, -(1 << 62), (1 << 63) - 1]
WORDS = [
    ["wrap", "open", "clamp"], ["sum", "product", "min", "max", "mean", "count", "any", "all", "argmax"],
    ["all", "red_black", "four_color", "recolor", "raster", "wavefront", "masked"],
    ["accept", "satisfy_max", "sample", "metropolis", "quorum"], ["require", "forbid"],
    ["token", "i32", "f32", "latent", "event"], ["floordiv", "ceildiv", "mod"],
    ["state", "input", "param", "palette", "region", "enable", "seed", "counts", "scratch", "sttae"],
    ["i1", "i8", "i64", "f32", "index"], ["tensor", "memref", "vector"], ["floordiv", "floormod"],
    ["addi", "subi", "muli", "shli", "divsi", "remui"], ["eq", "slt", "sge", "ult"],
]
# What follows a level: pipelines, and one pass of all there are.
DOWN = {
    1: ["--lci-bind={sizes}", "--lci-check-pipeline", "--lci-to-llvm-pipeline"],
    2: ["--lci-check-pipeline=remarks=false", "--lci-lower-rules"],
    3: ["--lci-to-linalg-pipeline", "--lci-to-llvm-pipeline", "--lci-to-nvvm-pipeline"],
    4: ["--convert-lci-to-linalg", "--lci-bitslice", "--lci-outline-ticks"],
}
MADE_BY = {2: ["--lci-check-pipeline=remarks=false"], 3: ["--lci-lower-rules"],
           4: ["--lci-split-domain", "--lci-narrow-storage", "--lci-bufferize-state", "--lci-assign-layouts"]}


# Two of a kind change places.
SWAPPED = [r"@\w+", r"%\w+", r"#\w+\b(?!\.)", r"(?:memref|tensor)<[^<>]*>", r"\[[^\[\]]*\]"]


class Mutator:
    """One change of a text, of a kind and at a place that dice choose. `others` are texts of which some are added."""

    def __init__(self, dice, others=()):
        self.dice, self.others = dice, list(others)

    def change(self, text):
        kinds = [self.number] * 4 + [self.word] * 2 + [self.line] * 2 + [self.swap] * 2 + [self.divide, self.mix]
        return self.dice.choice(kinds)(text)

    def swap(self, text):
        found = list(re.finditer(self.dice.choice(SWAPPED), text))
        pairs = [(a, b) for a, b in (self.dice.sample(found, 2) for _ in range(10)) if a.group() != b.group()] \
            if len(found) > 1 else []
        if not pairs:
            return text
        first, last = sorted(pairs[0], key=lambda match: match.start())
        return (text[:first.start()] + last.group() + text[first.end():last.start()] + first.group() +
                text[last.end():])

    def mix(self, text):
        """What is of another level, or of another program, in the same module."""
        if not self.others:
            return text
        other = re.sub(r"#(\w+)\b(?!\.)", r"#o_\1", self.dice.choice(self.others))
        aliases = re.findall(r"^#.*", other, re.MULTILINE)
        rest = "\n".join(line for line in other.split("\n") if not line.startswith("#"))
        both = [text, rest]
        return "\n".join(aliases + self.dice.sample(both, 2))

    def replace(self, text, pattern, new):
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        at = self.dice.choice(found)
        return text[:at.start()] + new(at.group()) + text[at.end():]

    def number(self, text):
        near = lambda old: str(self.dice.choice(NUMBERS + [int(old) + 1, int(old) - 1]))
        return self.replace(text, r"(?<![\w%#^.@\"])-?\d+(?![\w.:])|(?<=<)\d+(?=x)|(?<=x)\d+(?=x)", near)

    def word(self, text):
        known = [words for words in WORDS if any(re.search(rf"\b{word}\b", text) for word in words)]
        words = self.dice.choice(known or WORDS)
        # Upstream's reader asks how many bits an index has in an array of them.
        return self.replace(text, rf"(?<!array<)\b({'|'.join(words)})\b", lambda old: self.dice.choice(words))

    def divide(self, text):
        divisor = self.dice.choice(["mod 0", "mod -3", "floordiv 0", "ceildiv -1", "* 4611686018427387904", "mod 2"])
        return self.replace(text, r"(?<=[ (])d\d+(?=[ ,)])(?=[^{]*>)", lambda old: f"({old} {divisor})")

    def line(self, text):
        """Operations without regions are a line each: one is dropped, doubled or moved."""
        lines = text.split("\n")
        whole = [number for number, line in enumerate(lines)
                 if line.startswith("  ") and not line.rstrip().endswith(("{", "}", ":"))]
        if not whole:
            return text
        at, to = self.dice.choice(whole), self.dice.choice(whole)
        kind = self.dice.randrange(3)
        line = lines.pop(at) if kind != 1 else lines[at]
        if kind:
            lines.insert(to, line)
        return "\n".join(lines)


class Tools:
    def __init__(self, build):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.limit = [] if builds.is_sanitized(build) else ["--limit-memory=4G"]
        self.options = {}  # of each pass and pipeline of this project: (name, kind)
        options = []
        for line in subprocess.run([self.bin / "lmpm-opt", "--help"], capture_output=True, text=True,
                                   check=True).stdout.splitlines():
            if flag := re.match(r" {6}(--[\w-]+) ", line):
                is_ours = re.match("--(convert-)?lci-", flag[1])
                options = self.options.setdefault(flag[1], []) if is_ours else []
            elif option := re.match(r" {8}--([\w-]+)(?:=<(\w+)>)? ", line):
                options.append((option[1], option[2] or "bool"))
        self.passes = sorted(self.options)

    def opt(self, flags, text, seconds):
        """What comes out, what is said, and how it ended; nothing where it did not end."""
        try:
            done = subprocess.run([self.bin / "lmpm-opt", "--split-input-file", "--mlir-disable-threading",
                                   *self.limit, *flags], input=text, capture_output=True, text=True,
                                  errors="replace", timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return "", "", None
        return done.stdout, done.stderr, done.returncode

    def tests(self):
        """IR that tests of passes are given, one piece at a time: (flags, text)."""
        for file in sorted((SOURCE / "test").rglob("*.mlir")):
            first, _, whole = file.read_text().partition("\n")
            if not first.startswith("// RUN: lmpm-opt %s -") or first.endswith("\\") or first.count("'") % 2:
                continue
            command = shlex.split(first.removeprefix("// RUN: ").split(" | ")[0])
            flags = [word for word in command[2:] if not re.match("--?split-input-file|--?verify|--mlir-print", word)]
            passes = all(re.match("--?pass-pipeline|--(convert-)?lci-|--canonicalize|--cse", flag) for flag in flags)
            if not flags or not passes or "invalid" in file.name:
                continue
            for piece in whole.split(SEPARATOR):
                if piece.strip():
                    yield flags, re.sub(r"//.*", "", piece)

    def levels(self, programs=tuple(PROGRAMS)):
        """Valid IR: (level, sizes, text)."""
        for name in programs:
            sizes = PROGRAMS[name]
            text = subprocess.run([self.bin / "lmpm-translate", "--import-lmpm", SOURCE / name], capture_output=True,
                                  text=True, check=True).stdout
            names = re.findall(r'"(\w+)"', text.split("sizes [")[1].split("]")[0])
            sizes = sizes or ",".join(f"{name}=6" for name in names)
            yield 1, sizes, text
            flags = [f"--lci-bind=sizes={sizes}"]
            for level, more in MADE_BY.items():
                text, said, code = self.opt(flags + more, text, 60)
                flags = []
                if code != 0:  # a program with a model, say
                    break
                yield level, sizes, text


class Judge:
    def __init__(self, tools, keep):
        self.tools, self.keep = tools, keep
        self.findings = []

    def ask(self, flags, mutants):
        """Runs mutants together, and apart where that fails."""
        wrong = self.fault(flags, SEPARATOR.join(mutants), SECONDS * (1 + len(mutants) // 8))
        if not wrong:
            return
        if len(mutants) == 1:
            self.report(flags, mutants[0], wrong)
            return
        half = len(mutants) // 2
        self.ask(flags, mutants[:half])
        self.ask(flags, mutants[half:])

    def fault(self, flags, text, seconds):
        out, said, code = self.tools.opt(["--verify-each=0", *flags], text, seconds)
        if code is None:
            return f"no answer in {seconds} seconds"
        if code not in (0, 1, 123, 124):
            return f"ended with {code}: {said.strip().splitlines()[0] if said.strip() else ''}"
        if code == 1 and "error:" not in said:
            return "failed without an error"
        again, said, code = self.tools.opt([], out, seconds)
        return f"wrote what cannot be read: {said.splitlines()[0] if said else code}" if code else ""

    def report(self, flags, text, wrong):
        self.findings.append(f"{' '.join(flags)}: {wrong}")
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{len(self.findings)}.mlir").write_text(f"// {' '.join(flags)}: {wrong}\n{text}")
        print(self.findings[-1], file=sys.stderr)


def flags_for(tools, level, sizes, dice):
    down = [flag.replace("{sizes}", f"sizes={sizes}") for flag in DOWN[level]]
    return [down[0]] if dice.randrange(3) else [dice.choice(down + [with_option(tools, dice) for _ in range(3)])]


def with_option(tools, dice):
    """Any pass, half of them with an option that may be anything."""
    flag = dice.choice(tools.passes)
    options = [name for name, kind in tools.options[flag] if kind == "long"]
    return f"{flag}={dice.choice(options)}={dice.choice(NUMBERS)}" if options and dice.randrange(2) else flag


def run(build, seed, count, keep=None, together=25):
    """The findings among so many mutants: of programs on their way down, and of what tests of passes are given."""
    dice, tools = random.Random(seed), Tools(build)
    seeds, tests = list(tools.levels()), list(tools.tests())
    judge, mutator = Judge(tools, keep), Mutator(dice, [text for _, _, text in seeds] + [text for _, text in tests])
    for _ in range(0, count, together):
        if dice.randrange(2):
            flags, text = dice.choice(tests)
        else:
            level, sizes, text = dice.choice(seeds)
            flags = flags_for(tools, level, sizes, dice)
        judge.ask(flags, [mutator.change(text) for _ in range(together)])
    return judge.findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what was found")
    options = parser.parse_args()
    findings = run(options.build, options.seed, options.count, options.keep)
    print(f"{options.count} mutants, {len(findings)} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
