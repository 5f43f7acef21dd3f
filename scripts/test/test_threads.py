"""Threads change nothing but the time: every example, cut into parts however small its ticks are, ends
in the same bits with the same counters as on one thread.
"""

import json
import pathlib

import numpy
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.glob("*/*.lmpm"))
# Rows of awkward lengths; the others are small as they are.
SIZES = {"life": (67, 33), "open": (70, 30), "ising": (130, 34), "metropolis": (70, 30),
         "sor": (66, 35), "gray-scott": (41, 37)}


def command(program, folder):
    """How an example is run on few cells."""
    words = [EXAMPLES / program, "--bindings", EXAMPLES / program.parent / "bindings.json", "--quiet"]
    for name, size in zip("WH", SIZES.get(program.stem, ())):
        words += ["--set", f"{name}={size}"]
    if program.stem == "sudoku":
        clues = folder / "clues.npy"
        numpy.save(clues, numpy.zeros((9, 9), numpy.int64))
        words += ["--input", f"Clue={clues}"]
    return words


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_any_number_of_threads_gives_the_same(tools, tmp_path, program):
    seen = {}
    for threads in (1, 2, 3, 7):
        report = tmp_path / f"{threads}.json"
        tools.run("lmpm-run", *command(program, tmp_path), "--epochs", "4", "--report", report,
                  "--threads", str(threads), "--grain", "0")
        said = json.loads(report.read_text())
        seen[threads] = {name: said[name] for name in ("digest", "values", "constraints", "epochs")}
    assert all(other == seen[1] for other in seen.values())
