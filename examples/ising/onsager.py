"""Exact values of the infinite two-dimensional Ising model, and error bars of a series.

    python onsager.py BETA F.csv [SKIP]

compares what `lmpm-run --observe F.csv` wrote, without its first SKIP lines, with the exact values.
Onsager gave the energy in 1944, Yang the magnetisation in 1952.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.series import mean_and_error, read_series  # noqa: E402


def elliptic_k(complement):
    """The complete elliptic integral of the first kind at the modulus whose complement is given,
    sqrt(1 - k^2), by the arithmetic-geometric mean."""
    a, b = 1.0, complement
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def bond_agreement(beta):
    """The probability that two neighbouring spins are equal."""
    factor = 2 * math.tanh(2 * beta) ** 2 - 1
    bracket = 1 + 2 / math.pi * factor * elliptic_k(abs(factor))
    correlation = bracket / math.tanh(2 * beta) / 2
    return (1 + correlation) / 2


def magnetisation(beta):
    """The spontaneous magnetisation: 0 above the critical temperature."""
    strength = math.sinh(2 * beta)
    return (1 - strength**-4) ** 0.125 if strength > 1 else 0.0


def compare(beta, path, skip):
    """Yields (name, exact, mean, error) for both observables."""
    series = read_series(path, skip)
    yield "bonds", bond_agreement(beta), *mean_and_error(series["bonds"])
    yield "magnetisation", magnetisation(beta), *mean_and_error(series["magnetisation"])


if __name__ == "__main__":
    for row in compare(float(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if sys.argv[3:] else 0):
        print("%-14s exact %.6f, here %.6f ± %.6f" % row)
