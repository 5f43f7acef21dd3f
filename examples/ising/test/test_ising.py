"""Heat bath and Metropolis against the exact solution, within error bars."""

import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
from onsager import bond_agreement, compare, magnetisation, mean_and_error  # noqa: E402

SIDE, EPOCHS, EVERY, SKIP = 64, 1200, 3, 30
PROGRAMS = ["ising.lmpm", "metropolis.lmpm"]


def test_exact_values():
    """The formulas at the critical point, and against the series at high temperature."""
    critical = np.log(1 + np.sqrt(2)) / 2
    assert bond_agreement(critical - 1e-9) == pytest.approx((1 + np.sqrt(0.5)) / 2, abs=1e-6)
    assert magnetisation(critical - 1e-9) == 0
    assert magnetisation(0.5) == pytest.approx(0.911319, abs=1e-6)
    v = np.tanh(0.05)  # <ss> = v + 2v^3 + ... for neighbours
    assert 2 * bond_agreement(0.05) - 1 == pytest.approx(v + 2 * v**3 + 4 * v**5, abs=1e-7)


def test_blocking_sees_correlation():
    """An autoregressive series, whose error is known, is not taken for independent numbers."""
    rng, a, n = np.random.default_rng(1), 0.9, 2**15
    noise, series = rng.normal(size=n), np.zeros(n)
    for i in range(1, n):
        series[i] = a * series[i - 1] + noise[i]
    exact = 1 / (1 - a) / np.sqrt(n)
    assert 0.8 * exact < mean_and_error(series)[1] < 1.5 * exact


@pytest.mark.parametrize("beta", [0.3, 0.5])
@pytest.mark.parametrize("program", PROGRAMS)
def test_onsager(tools, tmp_path, program, beta):
    """Below and above the critical coupling: the mean lies within four standard errors of the
    exact value, and the errors are small enough for that to mean something."""
    start, table = tmp_path / "up.npy", tmp_path / "series.csv"
    np.save(start, np.ones((SIDE, SIDE), np.int8))
    tools.run("lmpm-run", HERE / program, "--bindings", HERE / "bindings.json",
              "--set", f"W={SIDE}", "--set", f"H={SIDE}", "--set", f"beta={beta}",
              "--input", f"Spin={start}", "--epochs", EPOCHS,
              "--observe", table, "--observe-every", EVERY)
    for name, exact, mean, error in compare(beta, table, SKIP):
        assert error < 6e-3, f"{name}: the error {error} says nothing"
        assert abs(mean - exact) < 4 * error, f"{name}: {mean} ± {error}, exactly {exact}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_start_is_hot_and_seeded(tools, tmp_path, program):
    """The initial spins are fair, differ with the seed, and are the same for the same seed."""
    states = []
    for seed, backend in ((1, "cpu"), (1, "interp"), (2, "interp")):
        got = tmp_path / "spins.npy"
        tools.run("lmpm-run", HERE / program, "--bindings", HERE / "bindings.json",
                  "--epochs", 0, "--seed", seed, f"--backend={backend}", "--output", f"Spin={got}")
        states.append(np.load(got))
    assert np.array_equal(states[0], states[1])
    for share in (states[0].mean(), states[2].mean(), (states[0] == states[2]).mean()):
        assert abs(share - 0.5) < 4 * 0.5 / states[0].size**0.5
