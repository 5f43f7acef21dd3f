"""Runs rules of Golly that lmpm-translate imports, for tests that step the same rules in NumPy."""

import re

import numpy as np


def run_rule(tools, folder, rule, cells, epochs):
    """What a rule makes of the cells."""
    (folder / "rule").write_text(rule)
    tools.run("lmpm-translate", "--import-golly", folder / "rule", "-o", folder / "rule.mlir")
    np.save(folder / "in.npy", cells.astype(np.int8))
    sizes = [flag for name, size in zip("WH", cells.shape) for flag in ("--set", f"{name}={size}")]
    bounded = re.search(r":[TtPp]\d", rule)
    tools.run("lmpm-run", folder / "rule.mlir", *([] if bounded else sizes), "--input", f"Cell={folder / 'in.npy'}", "--epochs", epochs,
              "--output", f"Cell={folder / 'out.npy'}", "--quiet", "--check")
    return np.load(folder / "out.npy")


def count(cells, state):
    """How many of the eight neighbours have the state."""
    mine = cells == state
    return sum(np.roll(mine, (dx, dy), (0, 1)).astype(int)
               for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))


# Offsets (dx, dy) clockwise from the north, which is at smaller y.
AROUND = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def neighbours(cells, offsets=AROUND):
    """The states of each cell's neighbours, one array for each offset."""
    return [np.roll(cells, (-dx, -dy), (0, 1)) for dx, dy in offsets]
