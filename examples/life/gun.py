"""Gosper's glider gun as an array, for the example's pictures and its test.

    python gun.py F.npy [WIDTH HEIGHT]      writes the gun on an empty plane

Arrays are indexed [x, y], as the program's `Cell[x,y]` is.
"""

import sys

import numpy as np

GUN = """
........................O...........
......................O.O...........
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO..............
OO........O...O.OO....O.O...........
..........O.....O.......O...........
...........O...O....................
............OO......................
""".split()
CORNER = 4, 4  # where the gun's upper left cell lies


def gun(width, height):
    """The gun at CORNER of an empty plane; it shoots towards larger x and y."""
    cells = np.zeros((width, height), np.int8)
    for y, line in enumerate(GUN):
        for x, letter in enumerate(line):
            cells[CORNER[0] + x, CORNER[1] + y] = letter == "O"
    return cells


if __name__ == "__main__":
    np.save(sys.argv[1], gun(*map(int, sys.argv[2:4])) if len(sys.argv) > 3 else gun(256, 256))
