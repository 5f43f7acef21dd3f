#!/usr/bin/env python3
"""Runs a kit (scripts/gpu/make_kit.py) on the machine that it was carried to. Needs Python 3.8 and
NVIDIA's driver, no other file.

    ./run.py [--bench] [--sanitize] [--backend cuda|cpu] [--jobs 4]

Without --bench every program must leave what the reference interpreter left, to the byte; the exit status
says whether all did: 0 if so, 1 if not, 3 if there is no GPU. --sanitize runs them under NVIDIA's
compute-sanitizer. --bench measures the large ones: medians of --repeat runs, of each the longest stretch of
epochs without a stop, so that neither loading nor the first epochs count.
"""

import argparse
import concurrent.futures
import json
import os
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
        paths = [str(KIT / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
        self.environment = dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, paths)))
        self.prefix = [sanitizer(), "--error-exitcode=9"] if sanitize else []

    def run(self, bundle, *flags):
        """What it says on standard error; nothing if it did well."""
        words = [*self.prefix, KIT / "lmpm-run-bundle", KIT / "bundles" / f"{bundle}.bundle",
                 "--quiet", "--backend", self.backend, *flags]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=self.environment)
        if NO_GPU in done.stderr:
            print(done.stderr.strip(), file=sys.stderr)
            sys.exit(3)
        return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def sanitizer():
    """NVIDIA's checker of kernels."""
    found = shutil.which("compute-sanitizer")
    return found or sys.exit("--sanitize needs compute-sanitizer, of NVIDIA's toolkit, on PATH")


def check_one(kit, runner, name):
    """What is wrong with what a program leaves; nothing if it is what it should be."""
    with tempfile.TemporaryDirectory() as folder:
        left = pathlib.Path(folder) / "left"
        error = runner.run(name, "--epochs", kit["epochs"], "--checkpoint", left)
        if not error and left.read_bytes() != (KIT / "expected" / name).read_bytes():
            error = "other bits than the interpreter's"
    return error


def check(kit, runner, jobs):
    """Whether all programs leave what they should."""
    names, wrong = kit["cases"], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        errors = pool.map(lambda name: check_one(kit, runner, name), names)
        for number, (name, error) in enumerate(zip(names, errors), 1):
            if error:
                wrong.append(name)
                print(f"\r{name}: {error}")
            if sys.stderr.isatty():
                print(f"\r{number} of {len(names)}", end="", file=sys.stderr)
    print(f"\r{len(names) - len(wrong)} of {len(names)} programs end in the "
          f"interpreter's bits on {runner.backend}")
    return not wrong


def measure_one(runner, bench, repeat):
    """A row of the table, and whether there is one."""
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        for _ in range(repeat):
            error = runner.run(bench["bundle"], "--epochs", bench["epochs"], "--report", file)
            if error:
                return f"| {bench['name']} | {error} | | | |", False
            reports.append(json.loads(file.read_text()))
    stretches = [report["longest_stretch"] for report in reports]
    seconds = statistics.median(stretch["seconds"] / stretch["epochs"] for stretch in stretches)
    device = reports[-1].get("device", {"host_seconds": 0, "launches": 0})
    epochs = reports[-1]["epochs"]
    return (f"| {bench['name']} | {bench['work'] / seconds * 1e-9:.4g} {bench['unit']}"
            f" | {seconds * 1e6:.4g} | {device['host_seconds'] / epochs * 1e6:.3g}"
            f" | {device['launches'] / epochs:.3g} |"), True


def measure(kit, runner, repeat):
    """Prints a table of the large programs."""
    print("| program | work an ns | µs an epoch | of the host | launches an epoch |\n|---|---|---|---|---|")
    good = True
    for bench in kit["benches"]:
        row, measured = measure_one(runner, bench, repeat)
        print(row, flush=True)
        good &= measured
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", action="store_true", help="measure, do not compare")
    parser.add_argument("--sanitize", action="store_true", help="under compute-sanitizer")
    parser.add_argument("--jobs", type=int, default=4, help="how many programs are compared at a time")
    parser.add_argument("--repeat", type=int, default=5, help="how often each is measured")
    parser.add_argument("--only", help="what is compared or measured, if not all: names with commas between")
    parser.add_argument("--backend", choices=("cuda", "cpu"), default="cuda")
    arguments = parser.parse_args()
    kit = json.loads((KIT / "kit.json").read_text())
    if arguments.only:
        wanted = arguments.only.split(",")
        kit["cases"] = [name for name in kit["cases"] if name in wanted]
        kit["benches"] = [bench for bench in kit["benches"] if bench["name"] in wanted]
    runner = Runner(arguments.backend, arguments.sanitize)
    good = (measure(kit, runner, arguments.repeat) if arguments.bench
            else check(kit, runner, arguments.jobs))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
