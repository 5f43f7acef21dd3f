#!/usr/bin/python3
"""How long the checks of a program take, and how that grows with its rules.

    benchmarks/check_time.py [--build build] [--repeats 5] [--rules 1,10,100,1000]

Prints a Markdown table of medians in milliseconds: each check of every program in examples/, bound as
its bindings.json says, then of the programs of compile_time.py.
"""

import json
import pathlib
import re
import statistics
import subprocess
import tempfile

import numpy as np
from compile_time import SOURCE, parse_arguments, program

CHECKS = {"CheckVisibilityPass": "visibility", "CheckPresencePass": "presence",
          "InferRangesPass": "ranges", "CheckCausalityPass": "causality",
          "LegalizeSchedulePass": "legalize", "CheckSchedulePass": "schedule", "CheckConstraintsPass": "ties",
          "SimplifyConstraintsPass": "constraints"}


def bind_options(bindings, text):
    """The options of lci-bind for what a bindings file says of one program."""
    words = set(re.findall(r"\w+", text))
    given = {key: value for key, value in bindings.get("sizes", {}).items() if key in words}
    sizes = ",".join(f"{name}={number}" for name, number in given.items())
    models = ",".join(f"{name}={model['function']}"
                      for name, model in bindings.get("models", {}).items() if name in words)
    legalize = bindings.get("legalize", "")
    parts = (f"sizes={sizes}" * bool(sizes), f"models={models}" * bool(models),
             f"legalize={legalize}" * bool(legalize))
    return "--lci-bind=" + " ".join(filter(None, parts))


def with_elements(module, name, array):
    """A bound module in which an integer parameter has its elements, from which colours follow."""
    elements = ", ".join(map(str, array.ravel()))
    head = rf"(lci\.param @{name}\s+i32 shape affine_map<\(\) -> \([^)]*\)>)"
    return re.sub(head, rf"\1 elements [{elements}]", module)


def bound(tools, text, bindings):
    """The bound form of a program, with the functions of its models."""
    def run(*command, given=None):
        return subprocess.run(command, input=given, check=True, capture_output=True,
                              text=True).stdout

    imported = run(tools / "lmpm-translate", "--import-lmpm", text)
    module = run(tools / "lmpm-opt", "--mlir-print-local-scope", given=imported)
    body = module.strip().split("\n", 1)[1].rsplit("\n", 1)[0]
    for model in bindings.get("models", {}).values():
        body += (text.parent / model["file"]).read_text()
    made = run(tools / "lmpm-opt", bind_options(bindings, text.read_text()),
               "--mlir-print-local-scope", given=body)
    for name, file in bindings.get("params", {}).items():
        if str(file).endswith(".npy"):
            made = with_elements(made, name, np.load(text.parent / file))
    return made


def measure(tools, module, repeats):
    """Milliseconds of each check, and of all together, as medians."""
    times = []
    command = [tools / "lmpm-opt", "--lci-check-pipeline=remarks=false", "--mlir-timing", "-o",
               "/dev/null"]
    for _ in range(repeats):
        report = subprocess.run(command, input=module, check=True, capture_output=True,
                                text=True).stderr
        found = {name: float(seconds) for seconds, name
                 in re.findall(r"^ *([0-9.]+) \([^)]*\)  (\w+)$", report, re.MULTILINE)}
        times.append([1000 * found[check] for check in CHECKS])
    medians = [statistics.median(column) for column in zip(*times)]
    return [*medians, statistics.median(map(sum, times))]


def main():
    arguments = parse_arguments(__doc__)
    tools = arguments.build / "bin"
    print(f"| program | {' | '.join(CHECKS.values())} | all |")
    print("|---|" + "---|" * (len(CHECKS) + 1))

    def row(name, module):
        cells = (f"{each:.1f}" for each in measure(tools, module, arguments.repeats))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    for text in sorted((SOURCE / "examples").glob("*/*.lmpm")):
        path = text.parent / "bindings.json"
        bindings = json.loads(path.read_text()) if path.exists() else {}
        row(text.relative_to(SOURCE / "examples"), bound(tools, text, bindings))
    with tempfile.TemporaryDirectory() as folder:
        for rules in map(int, arguments.rules.split(",")):
            text = pathlib.Path(folder) / f"rules{rules}.lmpm"
            text.write_text(program(rules))
            row(f"{rules} rules", bound(tools, text, {}))


if __name__ == "__main__":
    main()
