"""Both Life programs against a second implementation in NumPy, and against Gosper's gun."""

import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
from gun import CORNER, GUN, gun  # noqa: E402  (the example's own module)

TORUS, OPEN = "life.lmpm", "open.lmpm"


def step(cells, torus):
    """One generation, by the rule as Conway gave it: B3/S23."""
    padded = np.pad(cells, 1, mode="wrap" if torus else "constant")
    width, height = cells.shape
    near = sum(padded[1 + dx : 1 + dx + width, 1 + dy : 1 + dy + height]
               for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - cells
    return ((near == 3) | ((near == 2) & (cells == 1))).astype(np.uint8)


@pytest.fixture
def live(tools, tmp_path):
    """Runs a program on an array for some epochs and returns the array after them."""

    def run(program, cells, epochs, *flags):
        given, got = tmp_path / "given.npy", tmp_path / "got.npy"
        np.save(given, cells)
        tools.run("lmpm-run", HERE / program, "--bindings", HERE / "bindings.json",
                  "--set", f"W={cells.shape[0]}", "--set", f"H={cells.shape[1]}",
                  "--input", f"Cell={given}", "--output", f"Cell={got}",
                  "--epochs", epochs, *flags)
        return np.load(got)

    return run


@pytest.mark.parametrize("program", [TORUS, OPEN])
def test_a_million_random_cells(live, program):
    """Bit for bit the same after 100 generations; the sides differ, so that x is not y."""
    cells = (np.random.default_rng(1).random((1250, 801)) < 0.3).astype(np.uint8)
    got = live(program, cells, 100)
    for _ in range(100):
        cells = step(cells, program == TORUS)
    assert got.shape == cells.shape and got.min() >= 0
    assert np.array_equal(got, cells), f"{(got != cells).sum()} cells differ"


@pytest.mark.parametrize("program", [TORUS, OPEN])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 3), (3, 2), (64, 5), (65, 67)])
def test_small_and_odd_sizes(live, program, shape):
    """Borders where one neighbour is several, the cell itself, or missing."""
    cells = (np.random.default_rng(2).random(shape) < 0.5).astype(np.uint8)
    got = live(program, cells, 7)
    for _ in range(7):
        cells = step(cells, program == TORUS)
    assert np.array_equal(got, cells)


@pytest.mark.parametrize("program", [TORUS, OPEN])
def test_gosper_gun_has_period_30(live, program):
    """After 30 generations the gun is itself again and a glider more is under way; and as a period
    divides every time of return, none is left once 30 by each of its primes is ruled out."""
    box = np.s_[CORNER[0] : CORNER[0] + len(GUN[0]), CORNER[1] : CORNER[1] + len(GUN)]
    before = live(program, gun(160, 160), 60)
    after = {n: live(program, before, n) for n in (6, 10, 15, 30)}
    assert [n for n in after if np.array_equal(before[box], after[n][box])] == [30]
    assert after[30].sum() == before.sum() + 5


def test_gliders_fly(live):
    """In 28 generations what the gun has shot moves 7 cells along x and along y, and nothing else
    is outside the gun."""
    before, after = (live(OPEN, gun(160, 160), epochs) for epochs in (120, 148))
    sky = np.s_[33:, 20:]
    assert before[sky].sum() == 15
    assert np.array_equal(after[40:, 27:], before[33:-7, 20:-7])


def test_the_backends_agree(live):
    """`--check` runs the reference interpreter beside the native code, tick by tick."""
    cells = (np.random.default_rng(3).random((40, 33)) < 0.4).astype(np.uint8)
    got = live(TORUS, cells, 5, "--check")
    assert np.array_equal(got, live(TORUS, cells, 5, "--backend=interp"))
