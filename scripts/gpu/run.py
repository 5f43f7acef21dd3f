#!/usr/bin/env python3
"""Runs a kit (scripts/gpu/make_kit.py) on the machine that it was carried to. Needs Python 3.8 and
NVIDIA's driver, no other file.

    ./run.py [--bench] [--peers] [--sanitize] [--backend cuda|cpu] [--jobs 4]

Without --bench every program must leave what the reference interpreter left, to the byte, groups of one code at
once what runs leave, and programs by tensor cores numbers within their bounds; the exit status says whether all did: 0 if so, 1 if not, 3 if there
is no GPU. --sanitize runs them under NVIDIA's
compute-sanitizer. --bench measures the large ones: medians of --repeat runs, of each the longest stretch of
epochs without a stop, so that neither loading nor the first epochs count. --peers measures others: programs
written by hand in CUDA, where its compiler is, and PyTorch and JAX, where they are.
"""

import argparse
import array
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


class NoGPU(Exception):
    """The sentence that says why there is none."""


class Runner:
    """Runs bundles, each in a process of its own."""

    def __init__(self, backend, sanitize):
        self.backend = backend
        paths = [str(KIT / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
        self.environment = dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, paths)))
        self.prefix = [sanitizer(), "--error-exitcode=9"] if sanitize else []
        if sanitize:
            self.environment |= {"LMPM_POISON_SCRATCH": "1", "LMPM_SEPARATE_SCRATCH": "1"}

    def run(self, bundle, *flags):
        """What it says on standard error; nothing if it did well."""
        return self.call(KIT / "lmpm-run-bundle", KIT / "bundles" / f"{bundle}.bundle", "--quiet", *flags)[0]

    def run_groups(self, bundle, seeds, *flags):
        """The same, and what it found, of one group for each seed, at once in one process."""
        return self.call(sys.executable, KIT / "groups.py", KIT / "bundles" / f"{bundle}.bundle", "--library",
                         KIT / "liblmpm-runtime.so", "--seeds", *seeds, *flags)

    def call(self, *words):
        words = [*self.prefix, *words, "--backend", self.backend]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=self.environment)
        if NO_GPU in done.stderr:
            raise NoGPU(done.stderr.strip())
        error = "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"
        return error, done.stdout


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


def numbers_of(file):
    """The F32 numbers of an .npy file."""
    data = file.read_bytes()
    return array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])


def check_bounded(runner, case):
    """How many numbers of a program by tensor cores are farther from exact ones than they may be."""
    name, value = case["name"], case["value"]
    exact, bound = (numbers_of(KIT / "expected" / f"{name}-{kind}.npy") for kind in ("exact", "bound"))
    with tempfile.TemporaryDirectory() as folder:
        left = pathlib.Path(folder) / "left.npy"
        error = runner.run(name, "--epochs", 1, "--output", f"{value}={left}")
        found = exact if error else numbers_of(left)
    # The exact numbers and the bounds are rounded to F32 themselves.
    far = sum(not abs(x - y) <= most + 2**-23 * abs(y) for x, y, most in zip(found, exact, bound))
    if not error and (far or len(found) != len(exact)):
        error = f"{far} of {len(exact)} numbers are beyond their bound"
    print(f"{name}: {error or 'all numbers are within their bound'}")
    return not error


def check_groups(runner, case):
    """Whether each of several groups leaves what a run with its seed does."""
    name, value = case["name"], case["value"]
    with tempfile.TemporaryDirectory() as folder:
        error, _ = runner.run_groups(name, case["seeds"], "--epochs", case["epochs"], "--value", value,
                                     "--output", folder)
        wrong = [seed for seed in case["seeds"] if not error
                 and (pathlib.Path(folder) / f"{value}-{seed}.bin").read_bytes()
                 != (KIT / "expected" / f"{name}-{seed}.bin").read_bytes()]
    if wrong:
        error = "other bits than those of a run, with the seeds " + ", ".join(map(str, wrong))
    print(f"{name}: {error or 'groups at once end in the bits of runs'}")
    return not error


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
    bounded = [check_bounded(runner, case) for case in kit["bounded"]]
    groups = [check_groups(runner, case) for case in kit["groups"]]
    return not wrong and all(bounded) and all(groups)


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


def measure_groups(runner, bench, repeat):
    """A row of groups at once, and whether there is one."""
    seconds = []
    for _ in range(repeat):
        error, found = runner.run_groups(bench["bundle"], bench["seeds"], "--before", bench["epochs"] // 10,
                                         "--epochs", bench["epochs"])
        if error:
            return f"| {bench['name']} | {error} | | | |", False
        seconds.append(json.loads(found)["seconds"] / bench["epochs"])
    epoch = statistics.median(seconds)
    return f"| {bench['name']} | {bench['work'] / epoch * 1e-9:.4g} {bench['unit']} | {epoch * 1e6:.4g} | | |", True


def measure(kit, runner, repeat):
    """Prints a table of the large programs."""
    print("| program | work an ns | µs an epoch | of the host | launches an epoch |\n|---|---|---|---|---|")
    good = True
    for kind, measure_kind in (("benches", measure_one), ("group_benches", measure_groups)):
        for bench in kit[kind]:
            row, measured = measure_kind(runner, bench, repeat)
            print(row, flush=True)
            good &= measured
    return good


def lines_of(words):
    """The rows that a program prints as lines of JSON, or one that says what is missing."""
    try:
        done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    except OSError as error:
        return [{"program": words[0], "contestant": "", "error": str(error)}]


def peers():
    """Rows of who does the same otherwise, as they come."""
    folder = KIT / "benchmarks" / "gpu"
    with tempfile.TemporaryDirectory() as made:
        for source in sorted((folder / "hand").glob("*.cu")):
            program = pathlib.Path(made) / source.stem
            yield from lines_of(["nvcc", "-std=c++17", "-O3", "-arch=native", source, "-o", program])
            if program.exists():
                yield from lines_of([program, "--json"])
    for library in ("torch", "jax"):
        yield from lines_of([sys.executable, folder / "peers.py", "--library", library])


def measure_peers():
    """Prints a table of the others."""
    print("| program | size | by | work an ns |\n|---|---|---|---|")
    for row in peers():
        speed = row.get("error") or f"{row['per_ns']:.4g} {row['unit']}"
        by = ", ".join(filter(None, (row["contestant"], row.get("note"))))
        print(f"| {row.get('program', '')} | {row.get('size', '')} | {by} | {speed} |", flush=True)
    return True


def choose(kit, wanted):
    """Leaves of a kit what these names say."""
    kinds = ("bounded", "benches", "groups", "group_benches")
    known = kit["cases"] + [case["name"] for kind in kinds for case in kit[kind]]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        sys.exit(f"--only: expected names of {', '.join(known)}, but got '{unknown[0]}'")
    kit["cases"] = [name for name in kit["cases"] if name in wanted]
    for kind in kinds:
        kit[kind] = [case for case in kit[kind] if case["name"] in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", action="store_true", help="measure, do not compare")
    parser.add_argument("--peers", action="store_true", help="measure others")
    parser.add_argument("--sanitize", action="store_true", help="under compute-sanitizer")
    parser.add_argument("--jobs", type=int, default=4, help="how many programs are compared at a time")
    parser.add_argument("--repeat", type=int, default=5, help="how often each is measured")
    parser.add_argument("--only", help="what is compared or measured, if not all: names with commas between")
    parser.add_argument("--backend", choices=("cuda", "cpu"), default="cuda")
    arguments = parser.parse_args()
    kit = json.loads((KIT / "kit.json").read_text())
    if arguments.only:
        choose(kit, arguments.only.split(","))
    runner = Runner(arguments.backend, arguments.sanitize)
    good = True
    if arguments.bench:
        good = measure(kit, runner, arguments.repeat)
    if arguments.peers:
        good &= measure_peers()
    if not (arguments.bench or arguments.peers):
        good = check(kit, runner, arguments.jobs)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    try:
        main()
    except NoGPU as none:
        print(none, file=sys.stderr)
        sys.exit(3)
