"""Ising in Numba: bytes, colours apart, 32 lanes of xorshift, as loops that LLVM vectorises."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import numba
import numpy

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])
LIMITS = numpy.array([min(int(t), 2**32 - 1) for t in sys.argv[3:8]], numpy.uint32)
LANES = 32


@numba.njit(fastmath=False)
def half_sweep(mine, other, colour, lanes, limits):
    height, half = mine.shape
    t0, t1, t2, t3, t4 = limits
    side, drawn = numpy.empty(half, numpy.uint8), numpy.empty(half, numpy.uint32)
    for row in range(height):
        up, down, middle = other[row - 1], other[(row + 1) % height], other[row]
        if (row + colour) % 2 == 0:
            side[1:] = middle[:-1]
            side[0] = middle[-1]
        else:
            side[:-1] = middle[1:]
            side[-1] = middle[0]
        cells = mine[row]
        for first in range(0, half, LANES):
            for lane in range(LANES):
                x = lanes[lane]
                x = numpy.uint32(x ^ (x << 13))  # which has 64 bits otherwise
                x = numpy.uint32(x ^ (x >> 17))
                x = numpy.uint32(x ^ (x << 5))
                lanes[lane] = x
                drawn[first + lane] = x
        for at in range(half):
            total = numpy.uint8(up[at] + down[at] + middle[at] + side[at])
            limit = t0 if total == 0 else t1 if total == 1 else t2 if total == 2 else \
                t3 if total == 3 else t4
            cells[at] = drawn[at] < limit


class Peer:
    def __init__(self):
        self.lanes = numpy.random.default_rng(1).integers(1, 2**32, LANES, numpy.uint32)

    def load(self, cells):
        self.colours = [numpy.empty((HEIGHT, WIDTH // 2), numpy.uint8) for _ in range(2)]
        for row in range(HEIGHT):
            for colour in range(2):
                self.colours[colour][row] = cells[row, (row + colour) % 2::2]

    def save(self):
        cells = numpy.empty((HEIGHT, WIDTH), numpy.uint8)
        for row in range(HEIGHT):
            for colour in range(2):
                cells[row, (row + colour) % 2::2] = self.colours[colour][row]
        return cells

    def run(self, first, last):
        for _ in range(first, last):
            for colour in range(2):
                half_sweep(self.colours[colour], self.colours[1 - colour], colour, self.lanes,
                           LIMITS)


serve(Peer(), numpy.uint8, (HEIGHT, WIDTH))
