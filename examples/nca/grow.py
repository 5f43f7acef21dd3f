"""Lets the automaton grow, cuts a third of it away, lets it heal, and draws a strip of the film.

    python grow.py F.png [LMPM-RUN]
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from flower import damage, distance, draw, seed  # noqa: E402
from kit.runs import Runner  # noqa: E402

GROWS = (5, 5, 10, 20, 40)  # steps between pictures
HEALS = (10, 20, 30)


def advance(run, cells, steps, **options):
    """The cells after some steps."""
    return run("nca.lmpm", "S", inputs={"S": cells}, epochs=steps, **options)


def film(run):
    """Yields what happens and the state after it. Each part has draws of its own."""
    cells, number = seed(), 0
    yield "seed", cells
    for what, parts in (("growing", GROWS), ("healing", HEALS)):
        if what == "healing":
            cells = damage(cells)
            yield "cut", cells
        for steps in parts:
            number += 1
            cells = advance(run, cells, steps, flags=("--seed", str(number)))
            yield f"{what}, {steps} steps", cells


def main():
    run = Runner(sys.argv[2] if len(sys.argv) > 2 else "build/bin/lmpm-run", HERE)
    states = []
    for what, cells in film(run):
        print(f"{what}: distance {distance(cells):.4f}")
        states.append(cells)
    draw(states, sys.argv[1], 4)


if __name__ == "__main__":
    main()
