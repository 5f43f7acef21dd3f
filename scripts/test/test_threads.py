"""Threads change nothing but the time: every example, cut into parts however small its ticks are, ends
in the same bits with the same counters as on one thread. Those of a report are compared by
LCIDifferentialTests, since they take the compiler much longer.
"""

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
    seen = set()
    for threads in (1, 2, 3, 7):
        state = tmp_path / "state"
        tools.run("lmpm-run", *command(program, tmp_path), "--epochs", "4", "--checkpoint", state,
                  "--threads", str(threads), "--grain", "0")
        seen.add(state.read_bytes())
    assert len(seen) == 1
