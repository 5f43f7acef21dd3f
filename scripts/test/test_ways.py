"""However a program is lowered, and by however many threads, it ends in the same bits with the same
counters: every third example on few cells, each in another way by three threads, in parts however
small, or with LCI_ALL_WAYS=1 (`make test-long`) every one in all ways. Counters of a report are compared by
LCIDifferentialTests, since they take the compiler much longer.
"""

import itertools
import os
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from small_examples import EXAMPLES, PROGRAMS, SIZES, arguments, crossing_sizes  # noqa: E402

LAYOUTS = itertools.product(("bitslice=true", "bitslice=false"),
                            ("split-colours=true", "split-colours=false"),
                            ("fused-epochs=2 min-fused=0 alias-bytes=16 tile-rows=1",
                             "fused-epochs=1 min-joined=0 eager-blocks=1 strip-words=1"),
                            ("narrow=true", "narrow=false"))
BY_THREADS = [" ".join((*words, f"vector-bits={bits} threads=3 grain=0"))
              for words, bits in zip(LAYOUTS, itertools.cycle((128, 256, 512)))]
IN_ALL_WAYS = bool(os.environ.get("LCI_ALL_WAYS"))
ALL_WAYS = BY_THREADS + [way.replace("threads=3 grain=0", "threads=1") for way in BY_THREADS]


def command(program):
    """How an example is run on few cells."""
    return [*arguments(program), "--quiet"]


def run_lowered(tools, folder, lowering, *words):
    """The checkpoint of a run that is lowered so."""
    state = folder / "state"
    tools.run("lmpm-run", *words, "--checkpoint", state, "--lowering", lowering)
    return state.read_bytes()


def ways_of(number):
    """Those in which the nth example is run; if one, each choice of a layout is made both ways by some."""
    return ALL_WAYS if IN_ALL_WAYS else [BY_THREADS[number // 3 * 5 % len(BY_THREADS)]]


@pytest.mark.parametrize("number", range(0, len(PROGRAMS), 1 if IN_ALL_WAYS else 3),
                         ids=lambda number: PROGRAMS[number].stem)
def test_any_way_gives_the_same(tools, tmp_path, number):
    words = (*command(PROGRAMS[number]), "--epochs", "4")
    expected = run_lowered(tools, tmp_path, "", *words)
    for way in ways_of(number):
        assert run_lowered(tools, tmp_path, way, *words) == expected, way


# Each program at a few sizes, which are others for each; in `make test-long` at all of them.
FREE = [program for program in PROGRAMS if program.stem in SIZES]
CROSSING = [(program, size) for program in FREE for size in crossing_sizes()]
SAMPLE = CROSSING if IN_ALL_WAYS else CROSSING[::87]


@pytest.mark.parametrize("program, size", SAMPLE,
                         ids=lambda of: of.stem if isinstance(of, pathlib.Path) else f"{of[0]}x{of[1]}")
def test_sizes_about_thresholds_give_the_same(tools, program, size):
    """Compiled as everything is by default, beside the interpreter, which compares all cells."""
    said = tools.run("lmpm-run", *arguments(program, size), "--epochs", "2", "--check")
    assert "all checked" in said.stdout


@pytest.mark.parametrize("epochs", [16, 53])
def test_threads_share_windows_of_epochs(tools, tmp_path, epochs):
    """Arrays that are larger than the cache, over which epochs go together: groups, and the rest."""
    words = (EXAMPLES / "sor/sor.lmpm", "--bindings", EXAMPLES / "sor/bindings.json", "--quiet",
             "--set", "W=333", "--set", "H=500", "--epochs", str(epochs))
    expected = run_lowered(tools, tmp_path, "", *words)
    for threads in (2, 5, 16) if IN_ALL_WAYS or epochs == 53 else (5,):
        assert run_lowered(tools, tmp_path, f"threads={threads} grain=0", *words) == expected
