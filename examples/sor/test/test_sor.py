"""Over-relaxation against a second implementation in NumPy, against Young's theory of its rate, and
against the solution of the equation."""

import math
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
from rates import best_omega, measure, radius  # noqa: E402  (the example's own module)

F32 = np.float32


def sweep(u, f, omega):
    """One epoch of float32 operations in the order in which the program writes them."""
    parity = np.add.outer(np.arange(u.shape[0]), np.arange(u.shape[1])) % 2
    for colour in (0, 1):
        total = u[:-2, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1]
        old = u[1:-1, 1:-1]
        new = old + omega * ((total - f[1:-1, 1:-1]) / F32(4.0) - old)
        u = u.copy()
        u[1:-1, 1:-1] = np.where(parity[1:-1, 1:-1] == colour, new, old)
    return u


@pytest.mark.parametrize("shape", [(3, 3), (4, 17), (33, 20)])
def test_bits_of_a_second_implementation(run, shape):
    """On random numbers, borders included, so that nothing is symmetric or zero."""
    rng = np.random.default_rng(4)
    u, f = (rng.normal(size=shape).astype(F32) for _ in "UF")
    got = run.same_bits("sor.lmpm", "U", inputs={"U": u, "F": f}, epochs=9,
                        sets={"W": shape[0], "H": shape[1], "omega": 1.45})
    for _ in range(9):
        u = sweep(u, f, F32(1.45))
    assert got.tobytes() == u.tobytes()


@pytest.mark.parametrize("shape", [(33, 33), (25, 41)])
def test_the_rate_is_the_one_of_theory(run, shape):
    """Gauss-Seidel, below and above the best omega."""
    for omega in (1.0, 1.6, 1.75, 1.9):
        assert measure(run, omega, *shape) == pytest.approx(radius(omega, *shape), abs=1e-3)


def test_the_best_omega_is_best(run):
    """Its rate falls short of theory by the factor n that a double eigenvalue brings, and yet it is
    clearly below that of its neighbours."""
    best = best_omega(33, 33)
    rate = measure(run, best, 33, 33, epochs=300, skip=60)
    assert radius(best, 33, 33) < rate < radius(best, 33, 33) + 0.01
    for other in (best - 0.05, best + 0.05):
        assert measure(run, other, 33, 33) > rate + 0.02


def test_it_solves_the_equation(run):
    """What is left is the error of the five-point formula, which is known, and of second order."""
    for side in (9, 17, 33):
        run("sor.lmpm", epochs=1500, observe=1500, sets={"W": side, "H": side, "omega": 1.8})
        angle = math.pi / (side - 1)
        exact = (angle / (2 * math.sin(angle / 2))) ** 2 - 1
        assert run.series["error"][-1] == pytest.approx(exact, abs=2e-5)
        assert exact == pytest.approx(angle**2 / 12, rel=0.01)
