"""Runs rules of Golly that lmpm-translate imports, for tests that step the same rules in NumPy."""

import os
import re
import zlib

import numpy as np


def is_compiled(rule):
    """Whether a rule belongs to the third that is compiled, or in `make test-long` to all."""
    return bool(os.environ.get("LCI_ALL_WAYS")) or zlib.crc32(rule.encode()) % 3 == 1


def run_rule(tools, folder, rule, cells, epochs, compiled=False):
    """What a rule makes of the cells: in the interpreter, beside which some are compiled."""
    (folder / "rule").write_text(rule)
    tools.run("lmpm-translate", "--import-golly", folder / "rule", "-o", folder / "rule.mlir")
    np.save(folder / "in.npy", cells.astype(np.int8))
    sizes = [flag for name, size in zip("WH", cells.shape) for flag in ("--set", f"{name}={size}")]
    bounded = re.search(r":[TtPpKkCcSs]\d", rule)
    how = "--check" if compiled or is_compiled(rule) else "--backend=interp"
    tools.run("lmpm-run", folder / "rule.mlir", *([] if bounded else sizes), "--input", f"Cell={folder / 'in.npy'}",
              "--epochs", epochs, "--output", f"Cell={folder / 'out.npy'}", "--quiet", how)
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


BOUNDS = re.compile(r"([PTKCS])(\d+)(\*?)([+-]\d+)?(?:,(\d+)(\*?)([+-]\d+)?)?$")


class BoundedGrid:
    """Where a step over the edge of `K4*+1,3` leads, one edge at a time."""

    def __init__(self, bounds):
        self.kind, width, star, shift, height, other_star, other_shift = BOUNDS.match(bounds.upper()).groups()
        self.shape = self.width, self.height = int(width), int(height or width)
        self.twists_x = self.kind == "C" or bool(star)
        self.twists_y = self.kind == "C" or bool(other_star) or (self.kind == "K" and not star)
        self.shift_x, self.shift_y = int(shift or 0), int(other_shift or 0)
        if self.kind == "K":  # Golly knows one shift only, which odd sides have not
            self.shift_x = int(self.shift_x % self.width != 0 and self.width % 2 == 0)
            self.shift_y = int(self.shift_y % self.height != 0 and self.height % 2 == 0)

    def over_edge(self, x, y):
        width, height = self.shape
        if self.kind == "S":
            return ((-1 - y, x) if y < 0 else (y, -1 - x) if x < 0 else
                    (2 * height - 1 - y, x) if y >= height else (y, 2 * width - 1 - x))
        if not 0 <= y < height:
            side = 1 if y >= height else -1
            return (width - 1 - x - self.shift_x if self.twists_x else x + side * self.shift_x), y - side * height
        side = 1 if x >= width else -1
        return x - side * width, (height - 1 - y - self.shift_y if self.twists_y else y + side * self.shift_y)

    def place(self, x, y):
        """The cell of the grid that stands at a place; none beyond a plane."""
        while not (0 <= x < self.width and 0 <= y < self.height):
            if self.kind == "P":
                return None
            x, y = self.over_edge(x, y)
        return x, y

    def neighbours(self, cells, offsets=AROUND):
        near = []
        for dx, dy in offsets:
            places = [[self.place(x + dx, y + dy) for y in range(self.height)] for x in range(self.width)]
            near.append(np.array([[0 if place is None else cells[place] for place in row] for row in places]))
        return near
