#!/usr/bin/env python3
"""Runs a kit (scripts/gpu/make_kit.py) on the machine that it was carried to. Needs Python 3.8 and
NVIDIA's driver, no other file.

    ./run.py [--bench] [--sanitize] [--backend cuda|cpu]

Without --bench every program must leave what the reference interpreter left, to the byte; the exit status
says whether all did: 0 if so, 1 if not, 3 if there is no GPU. --sanitize runs them under NVIDIA's compute-sanitizer. --bench measures the large ones:
medians of five runs, after one that does not count.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

KIT = pathlib.Path(__file__).resolve().parent
NO_GPU = "no GPU can be used"


class Runner:
    """Runs bundles, each in a process of its own."""

    def __init__(self, backend, sanitize):
        self.backend = backend
        self.prefix = [sanitizer(), "--error-exitcode=9"] if sanitize else []

    def run(self, bundle, *flags):
        """What it says on standard error; nothing if it did well."""
        words = [*self.prefix, KIT / "lmpm-run-bundle", KIT / "bundles" / f"{bundle}.bundle",
                 "--quiet", "--backend", self.backend, *flags]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if NO_GPU in done.stderr:
            print(done.stderr.strip(), file=sys.stderr)
            sys.exit(3)
        return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def sanitizer():
    """NVIDIA's checker of kernels."""
    found = shutil.which("compute-sanitizer")
    return found or sys.exit("--sanitize needs compute-sanitizer, of NVIDIA's toolkit, on PATH")


def check(kit, runner):
    """Whether all programs leave what they should."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        left = pathlib.Path(folder) / "left"
        for number, name in enumerate(kit["cases"], 1):
            error = runner.run(name, "--epochs", kit["epochs"], "--checkpoint", left)
            if not error and left.read_bytes() != (KIT / "expected" / name).read_bytes():
                error = "other bits than the interpreter's"
            if error:
                wrong.append(name)
                print(f"\r{name}: {error}")
            if sys.stderr.isatty():
                print(f"\r{number} of {len(kit['cases'])}", end="", file=sys.stderr)
    print(f"\r{len(kit['cases']) - len(wrong)} of {len(kit['cases'])} programs end in the "
          f"interpreter's bits on {runner.backend}")
    return not wrong


def measure(kit, runner):
    """Prints a table of the large programs."""
    print("| program | work an ns | host µs an epoch | launches an epoch |\n|---|---|---|---|")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        for bench in kit["benches"]:
            epochs, reports, error = bench["epochs"], [], ""
            for _ in range(6):
                error = error or runner.run(bench["bundle"], "--epochs", epochs, "--report", file)
                reports += [] if error else [json.loads(file.read_text())]
            if error:
                print(f"| {bench['name']} | {error} | | |")
                good = False
                continue
            seconds = statistics.median(report["seconds"] for report in reports[1:])
            device = reports[-1].get("device", {"host_seconds": 0, "launches": 0})
            print(f"| {bench['name']} | {bench['work'] * epochs / seconds * 1e-9:.4g} {bench['unit']}"
                  f" | {device['host_seconds'] / epochs * 1e6:.3g} | {device['launches'] / epochs:.3g} |")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", action="store_true", help="measure, do not compare")
    parser.add_argument("--sanitize", action="store_true", help="under compute-sanitizer")
    parser.add_argument("--backend", choices=("cuda", "cpu"), default="cuda")
    arguments = parser.parse_args()
    kit = json.loads((KIT / "kit.json").read_text())
    runner = Runner(arguments.backend, arguments.sanitize)
    sys.exit(0 if (measure if arguments.bench else check)(kit, runner) else 1)


if __name__ == "__main__":
    main()
