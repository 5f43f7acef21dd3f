"""Potts by Gibbs sampling in Numba: in place, with NumPy's generator."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import numba
import numpy

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])
WEIGHTS = numpy.array([float(w) for w in sys.argv[4:9]], numpy.float32)
STATES = 8


@numba.njit
def half_sweep(cells, colour, weights, generator):
    height, width = cells.shape
    sums = numpy.empty(STATES, numpy.float32)
    for row in range(height):
        up, mine, down = cells[row - 1], cells[row], cells[(row + 1) % height]
        for at in range((row + colour) % 2, width, 2):
            left, right = mine[at - 1], mine[(at + 1) % width]
            total = numpy.float32(0)
            for k in range(STATES):
                count = (up[at] == k) + (down[at] == k) + (left == k) + (right == k)
                total += weights[count]
                sums[k] = total
            drawn = generator.random(dtype=numpy.float32) * total
            picked = 0
            for k in range(STATES - 1):
                picked += sums[k] <= drawn
            mine[at] = picked


class Peer:
    def __init__(self):
        self.generator = numpy.random.default_rng(1)

    def load(self, cells):
        self.cells = cells

    def save(self):
        return self.cells

    def run(self, first, last):
        for _ in range(first, last):
            for colour in range(2):
                half_sweep(self.cells, colour, WEIGHTS, self.generator)


serve(Peer(), numpy.uint8, (HEIGHT, WIDTH))
