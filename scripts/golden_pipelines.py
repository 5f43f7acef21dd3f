#!/usr/bin/python3
"""Writes the passes of each pipeline into test/Pipelines/golden, where lit compares them line by line.

Each test there names its pipeline in its RUN line. Without arguments the lines below it are written
anew; `--check` says which tests are out of date and exits 1. What changed is for a reviewer to read.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = SOURCE / "test" / "Pipelines" / "golden"
RUN = re.compile(r"^# RUN: lmpm-opt (\S*=\".*?\"|\S+) --dump-pass-pipeline")


def dump(option, build):
    """The lines that lmpm-opt prints for a pipeline, from `builtin.module(` to its closing parenthesis."""
    empty = SOURCE / "test" / "Pipelines" / "Inputs" / "empty.mlir"
    printed = subprocess.run([build / "bin" / "lmpm-opt", option.replace('"', ""), "--dump-pass-pipeline", empty],
                             capture_output=True, text=True, check=True).stderr
    return [line.strip() for line in printed.splitlines()[1:] if line.strip()]


def checks(lines):
    """FileCheck's directives for these lines. Options of upstream's canonicalizer name its patterns, which
    change with its version."""
    for number, line in enumerate(lines):
        line = re.sub(r"^canonicalize\{.*\}(,?)$", r"canonicalize{{.*}}\1", line)
        yield ("# CHECK:      " if number == 0 else "# CHECK-NEXT: ") + line


def renewed(path, build):
    """The text of a golden test as it should be."""
    head = [line for line in path.read_text().splitlines() if line and not line.startswith("# CHECK")]
    option = RUN.match(head[0])
    if not option:
        sys.exit(f"{path}: expected its first line to be '# RUN: lmpm-opt --PIPELINE --dump-pass-pipeline …'")
    return "\n".join(head + [""] + list(checks(dump(option.group(1), build)))) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something would change")
    arguments = parser.parse_args()
    stale = []
    for path in sorted(GOLDEN.glob("*.test")):
        text = renewed(path, arguments.build)
        if text != path.read_text():
            stale.append(os.path.relpath(path, SOURCE))
            if not arguments.check:
                path.write_text(text)
    for path in stale:
        print(f"{path}: {'is out of date' if arguments.check else 'written'}")
    return int(arguments.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
