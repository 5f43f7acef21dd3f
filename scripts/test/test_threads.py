"""Threads change nothing but the time: every example, cut into parts however small its ticks are, ends
in the same bits with the same counters as on one thread. Those of a report are compared by
LCIDifferentialTests, since they take the compiler much longer.
"""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.glob("*/*.lmpm"))
# Rows of awkward lengths; the others are small as they are.
SIZES = {"life": (67, 33), "open": (70, 30), "ising": (130, 34), "metropolis": (70, 30),
         "sor": (66, 35), "gray-scott": (41, 37)}


def command(program):
    """How an example is run on few cells."""
    words = [EXAMPLES / program, "--bindings", EXAMPLES / program.parent / "bindings.json", "--quiet"]
    for name, size in zip("WH", SIZES.get(program.stem, ())):
        words += ["--set", f"{name}={size}"]
    return words


def run_by_threads(tools, folder, numbers, *words):
    """The checkpoints of runs by so many threads, each once."""
    state = folder / "state"
    seen = set()
    for threads in numbers:
        tools.run("lmpm-run", *words, "--checkpoint", state, "--threads", str(threads), "--grain", "0")
        seen.add(state.read_bytes())
    return seen


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_any_number_of_threads_gives_the_same(tools, tmp_path, program):
    words = command(program)
    assert len(run_by_threads(tools, tmp_path, (1, 3), *words, "--epochs", "4")) == 1


@pytest.mark.parametrize("epochs", [16, 53])
def test_threads_share_windows_of_epochs(tools, tmp_path, epochs):
    """Arrays that are larger than the cache, over which epochs go together: groups, and the rest."""
    words = [EXAMPLES / "sor/sor.lmpm", "--bindings", EXAMPLES / "sor/bindings.json", "--quiet",
             "--set", "W=333", "--set", "H=500", "--epochs", str(epochs)]
    assert len(run_by_threads(tools, tmp_path, (1, 2, 5, 16), *words)) == 1
