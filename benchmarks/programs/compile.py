"""How long a program takes from its text to native code with its inputs loaded: no peers."""

import pathlib
import subprocess
import sys
import tempfile
import time

from harness import rows

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks"))

import compile_time  # noqa: E402

RULES = (1, 10, 100)


def examples():
    """Every program of the examples, in the order of their names."""
    return sorted(SOURCE.glob("examples/*/*.lmpm"))


def seconds(command):
    """Wall-clock seconds of a command that must succeed."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def measure(arguments, name, options):
    """A row of seconds: of ours and, in turn, of the build that ours is compared with."""
    builds = {"ours": arguments.build, **({"before": arguments.before} if arguments.before else {})}
    samples = {who: [] for who in builds}
    for _ in range(1 if arguments.quick and not arguments.before else arguments.repeats):
        for who, build in builds.items():
            command = ["taskset", "-c", arguments.core, build / "bin" / "lmpm-run", *options,
                       "--backend=cpu", "--epochs=0", "--quiet"]
            samples[who].append(seconds(list(map(str, command))))
    peers = {who: rows.summarise(taken) for who, taken in samples.items()}
    ours = peers.pop("ours")
    return {"program": "text to native code", "size": name, "unit": "s", "ours": ours, "peers": peers,
            "ratios": {who: ours["median"] / peer["median"] for who, peer in peers.items()}, "limits": {}}


def measure_all(arguments):
    """A row for each example, and for programs with many rules, each another one."""
    for text in examples():
        yield measure(arguments, text.stem, [text, "--bindings", text.parent / "bindings.json"])
    with tempfile.TemporaryDirectory() as folder:
        for count in RULES:
            text = pathlib.Path(folder) / f"{count}.lmpm"
            text.write_text(compile_time.program(count), encoding="utf-8")
            yield measure(arguments, f"{count} rules", [text])
