"""How fast over-relaxation converges: measured, and by Young's theory of 1950.

    python rates.py F.png [LMPM-RUN]      draws the rate over omega

With F = 0 the solution is zero, and floats hold what is left of U relatively, however small it is:
so the rate can be read off a long run of residuals.
"""

import math
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.curves import Curve, draw  # noqa: E402
from kit.runs import Runner  # noqa: E402

SIDE = 33


def jacobi_radius(width, height):
    """The spectral radius of Jacobi's iteration on the inner cells of a rectangle."""
    return (math.cos(math.pi / (width - 1)) + math.cos(math.pi / (height - 1))) / 2


def best_omega(width, height):
    return 2 / (1 + math.sqrt(1 - jacobi_radius(width, height) ** 2))


def radius(omega, width, height):
    """The spectral radius of over-relaxation: the factor of the error per epoch."""
    mu = jacobi_radius(width, height)
    inside = (omega * mu) ** 2 - 4 * (omega - 1)
    return omega - 1 if inside <= 0 else ((omega * mu + math.sqrt(inside)) / 2) ** 2


def measure(run, omega, width, height, epochs=600, skip=200):
    """The mean factor of the error per epoch, once the faster parts of it have died out."""
    run("sor.lmpm", inputs={"F": np.zeros((width, height), np.float32)}, epochs=epochs, observe=1,
        sets={"W": width, "H": height, "omega": omega})
    residual = run.series["residual"][skip:]
    falls = np.log(residual[residual > 1e-30])
    return math.exp(np.polyfit(np.arange(len(falls)), falls, 1)[0])


def main():
    run = Runner(sys.argv[2] if len(sys.argv) > 2 else "build/bin/lmpm-run", HERE)
    lines, points = np.linspace(1, 1.99, 400), [1.0, 1.2, 1.4, 1.6, 1.7, 1.75, 1.85, 1.9, 1.95]
    theory = [radius(omega, SIDE, SIDE) for omega in lines]
    rates = [measure(run, omega, SIDE, SIDE) for omega in points]
    draw(sys.argv[1], "omega", "factor of the error per epoch",
         [Curve("theory", lines, theory), Curve("measured", points, rates, points=True)])
    for omega, rate in zip(points, rates):
        print(f"omega {omega:.2f}: measured {rate:.4f}, theory {radius(omega, SIDE, SIDE):.4f}")


if __name__ == "__main__":
    main()
