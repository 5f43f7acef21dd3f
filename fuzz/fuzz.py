#!/usr/bin/python3
"""Gives readers and passes inputs that nobody wrote: `make fuzz` runs this.

    fuzz/fuzz.py --build build-asan [--target program --target ir] [--seconds 60]

Each target runs for so long under libFuzzer and the sanitizers. It starts from seeds that are made
of the examples and tests, from what was kept in fuzz/corpus, and from what earlier runs in the same
build found to be new. After a finding it goes on. The last line of a target says how much was run,
how many edges of the project's code were reached since the corpus began, and how many findings
there are; an input of each lies in BUILD/fuzz/findings/TARGET.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from seeds import SEEDS, SOURCE, write_dictionary, write_seeds  # noqa: E402

# Bytes of the longest input.
LENGTHS = {"ir": 32 << 10, "program": 4096}
LENGTH = 16 << 10
# What one input may take: MiB altogether and at once, and seconds (inputs of a millisecond are
# stopped by their thousandfold). 200 lines of IR whose commits are recorded become 14,000 lines of
# ticks, which take 5 seconds to lower, and five times as long under sanitizers beside other work.
MEMORY, ALLOCATION, SECONDS = 2560, 1024, 30
LONGER = {"ir": 120}


class Tally:
    """What a target's runs came to."""

    def __init__(self):
        self.executions, self.edges, self.findings = 0, 0, {}

    def read(self, log, artifact):
        """Adds a run's log; a finding is known by its first line and kept once."""
        for units in re.findall(r"stat::number_of_executed_units: (\d+)", log):
            self.executions += int(units)
        for edges in re.findall(r"cov: (\d+)", log):
            self.edges = max(self.edges, int(edges))
        if artifact:
            said = re.search(r"^(?:lci-fuzz: .*|.*Assertion.*failed.*|SUMMARY: .*|LLVM ERROR: .*|"
                             r".*ERROR: libFuzzer.*)$", log, re.M)
            self.findings.setdefault(said.group(0) if said else "ended", artifact)


def run_once(build, target, seconds, folders):
    """One process, until it ends or finds something."""
    findings = build / "fuzz/findings" / target
    findings.mkdir(parents=True, exist_ok=True)
    log, words = (build / "fuzz" / f"{target}.{end}" for end in ("log", "dict"))
    with open(log, "wb") as output:
        subprocess.run(
            [build / "fuzz/lci-fuzz", f"--target={target}", f"-max_total_time={seconds}",
             f"-max_len={LENGTHS.get(target, LENGTH)}", f"-rss_limit_mb={MEMORY}",
             f"-malloc_limit_mb={ALLOCATION}", f"-timeout={LONGER.get(target, SECONDS)}", "-print_final_stats=1",
             f"-artifact_prefix={findings}/", "-detect_leaks=0",
             *([f"-dict={words}"] if words.stat().st_size else []), *folders],
            stdout=output, stderr=output, check=False)
    text = log.read_text(errors="replace")
    written = re.findall(r"Test unit written to (\S+/(?:crash|timeout|oom)-\S+)", text)
    return text, written[-1] if written else None


def fuzz(build, target, seconds, smiths):
    """Runs a target for so long, again after each finding."""
    seeds, corpus = build / "fuzz/seeds" / target, build / "fuzz/corpus" / target
    write_seeds(build, target, seeds, smiths)
    write_dictionary(target, seeds, build / "fuzz" / f"{target}.dict")
    corpus.mkdir(parents=True, exist_ok=True)
    kept = SOURCE / "fuzz/corpus" / target
    folders = [corpus, seeds, *([kept] if kept.exists() else [])]
    tally, start = Tally(), time.monotonic()
    while (left := seconds - (time.monotonic() - start)) >= 1:
        known = len(tally.findings)
        log, artifact = run_once(build, target, int(left), folders)
        tally.read(log, artifact)
        if len(tally.findings) > known:
            said, where = list(tally.findings.items())[-1]
            print(f"{target}: found: {said}\n{target}:   {where}", flush=True)
        if artifact is None and "stat::number_of_executed_units" not in log:
            sys.exit(f"fuzz: error: {target} did not run:\n{log[-2000:]}")
    print(f"{target}: {tally.executions} executions, {tally.edges} edges, "
          f"{len(tally.findings)} findings in {seconds} s", flush=True)
    return len(tally.findings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a sanitized build")
    parser.add_argument("--target", action="append", choices=SEEDS, help="all in turn if not said")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--smiths", type=int, default=60, help="random programs among the seeds")
    options = parser.parse_args()
    build = options.build.resolve()
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")  # contexts keep what they made
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    targets = options.target or list(SEEDS)
    findings = sum(fuzz(build, target, options.seconds, options.smiths) for target in targets)
    print(f"fuzz: {len(targets)} targets, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
