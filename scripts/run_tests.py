#!/usr/bin/python3
"""Runs every test of a build, suite by suite, and ends with one line: `N passed, N failed`.

The suites are lint (format, style, clang-tidy on a sample), unit (GoogleTest by ctest), lit and
pytest. All run whatever fails before. Counts come from the machine-readable results each runner writes, not
from what it prints. A suite's output goes to a log in BUILD/test-results; what failed is printed.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(__file__).resolve().parent.parent
HEARTBEAT_SECONDS = 20


@dataclasses.dataclass
class Count:
    """How many tests of a suite passed, failed, and were skipped because this machine lacks
    something."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Count(self.passed + other.passed, self.failed + other.failed,
                     self.skipped + other.skipped)


def run_logged(name, command, log, environment=None):
    """Runs a command with its output in a log, says every so often that it still runs, and returns
    its exit status."""
    start = time.monotonic()
    said = start
    print(f"[{name}] running …", flush=True)
    with open(log, "w") as output:
        process = subprocess.Popen(command, cwd=SOURCE, stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, **(environment or {})})
        while True:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                if time.monotonic() - said >= HEARTBEAT_SECONDS:
                    said = time.monotonic()
                    print(f"[{name}] {said - start:.0f} s: {last_line(log)}", flush=True)


def last_line(log):
    lines = pathlib.Path(log).read_text(errors="replace").splitlines()
    return lines[-1][:90] if lines else ""


def print_failure(name, log):
    """Prints what a failed suite said, without its lines about passed tests."""
    lines = [line for line in pathlib.Path(log).read_text(errors="replace").splitlines()
             if not line.startswith("PASS:") and not re.fullmatch(r"[.sxX]* *(\[ *\d+%\])?", line)]
    print(f"[{name}] failed; the whole log is {log}")
    if len(lines) > 300:
        print(f"[{name}] {len(lines) - 300} lines left out here")
        lines = lines[-300:]
    print("\n".join(lines), flush=True)


def count_junit(path):
    """Counts the cases of a JUnit file, as pytest and ctest write them."""
    count = Count()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            count.skipped += 1
        else:
            count.passed += 1
    return count


def count_gtest(junit, json_dir):
    """Counts GoogleTest's cases; a ctest test that wrote no result (it crashed, or is no
    GoogleTest) counts as one."""
    count = Count()
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        results = json_dir / (case.get("name") + ".json")
        failed = case.find("failure") is not None
        if not results.exists():
            count += Count(passed=int(not failed), failed=int(failed))
            continue
        totals = json.loads(results.read_text())
        failures = max(totals["failures"] + totals.get("errors", 0), int(failed))
        skipped = sum(test.get("result") == "SKIPPED" or test.get("status") == "NOTRUN"
                      for suite in totals["testsuites"] for test in suite["testsuite"])
        count += Count(max(totals["tests"] - failures - skipped, 0), failures, skipped)
    return count


def run_lint(build, results):
    log = results / "lint.log"
    run_logged("lint", ["scripts/lint.sh", str(build), "sample"], log)
    lines = log.read_text(errors="replace").splitlines()
    return log, Count(sum(line.startswith("PASS:") for line in lines),
                      sum(line.startswith("FAIL:") for line in lines))


def run_unit(build, results):
    log, junit, json_dir = results / "unit.log", results / "unit.xml", results / "gtest"
    json_dir.mkdir()
    run_logged("unit", ["ctest", "--test-dir", str(build), "--output-on-failure", "--no-tests=error",
                        "-j", str(os.cpu_count()), "--output-junit", str(junit)],
               log, {"GTEST_OUTPUT": f"json:{json_dir}/"})
    return log, count_gtest(junit, json_dir)


def run_lit(build, results):
    log, output = results / "lit.log", results / "lit.json"
    run_logged("lit", [sys.executable, "/usr/lib/llvm-22/bin/lit", "-v", "-o", str(output),
                       str(build / "test")], log)
    codes = [test["code"] for test in json.loads(output.read_text())["tests"]]
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    skipped = sum(code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for code in codes)
    return log, Count(passed, len(codes) - passed - skipped, skipped)


def sanitizer_environment(build):
    """What Python needs to load the package of a sanitized build: the options of its executables, and
    that nobody asks for leaks, of which Python has many."""
    cache = (build / "CMakeCache.txt").read_text()
    runtime = re.search(r"^LCI_SANITIZER_RUNTIME:\w+=(.+)$", cache, re.M)
    if not runtime:
        return {}
    options = re.search(r'return "(.+)";', (SOURCE / "cmake/SanitizerOptions.cpp").read_text())
    return {"LD_PRELOAD": runtime.group(1), "ASAN_OPTIONS": f"detect_leaks=0:{options.group(1)}"}


def run_pytest(build, results):
    """With one worker more than there are cores: some tests wait, for a lock, a limit or a pipe."""
    log, junit = results / "pytest.log", results / "pytest.xml"
    run_logged("pytest", [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count() + 1),
                          "--dist=worksteal", f"--junitxml={junit}"], log,
               {"LCI_BUILD_DIR": str(build), **sanitizer_environment(build)})
    return log, count_junit(junit)


SUITES = {"lint": run_lint, "unit": run_unit, "lit": run_lit, "pytest": run_pytest}


def run_suite(name, build, results):
    """Runs one suite; a runner that breaks before it writes a result is one failure."""
    start = time.monotonic()
    try:
        log, count = SUITES[name](build, results)
    except (OSError, ValueError, ElementTree.ParseError) as error:
        print(f"[{name}] no result: {error}")
        log, count = results / f"{name}.log", Count(failed=1)
    if count.passed + count.failed == 0:
        print(f"[{name}] ran nothing, which is a failure")
        count.failed = 1
    if count.failed and log.exists():
        print_failure(name, log)
    seconds = time.monotonic() - start
    print(f"[{name}] {count.passed} passed, {count.failed} failed, {count.skipped} skipped "
          f"in {seconds:.0f} s", flush=True)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--suite", action="append", choices=SUITES, help="only this suite")
    options = parser.parse_args()
    build = options.build.resolve()
    results = build / "test-results"
    if sanitizer_environment(build):  # whose frames are some times larger
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, hard))
    # Tests share the cores: a thread that waits for others must not keep one busy.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ["LMPM_VERIFY_PASSES"] = "1"  # after each pass, whatever the build
    os.environ["LMPM_POISON_SCRATCH"] = "1"  # where its life begins
    # Python is started a thousand times: what it compiles is kept, apart from sources and installed packages.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(build / "pycache")
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    total = Count()
    for name in options.suite or SUITES:
        total += run_suite(name, build, results)
    if total.skipped:
        print(f"{total.skipped} skipped: this machine lacks what they need")
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
