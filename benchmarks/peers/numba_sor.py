"""Red-black SOR in Numba: colours apart."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import numba
import numpy

WIDTH, HEIGHT, OMEGA = int(sys.argv[1]), int(sys.argv[2]), numpy.float32(sys.argv[3])
SOURCE = numpy.fromfile(sys.argv[4], numpy.float32).reshape(HEIGHT, WIDTH)


def split(cells):
    """The cells of each colour, row by row."""
    rows = numpy.arange(HEIGHT)[:, None]
    columns = 2 * numpy.arange(WIDTH // 2)[None, :]
    return [numpy.ascontiguousarray(cells[rows, columns + (rows + c) % 2]) for c in range(2)]


@numba.njit
def half_sweep(mine, other, source, colour, omega):
    half = mine.shape[1]
    quarter = numpy.float32(0.25)
    for row in range(1, mine.shape[0] - 1):
        up, middle, down, cells, f = other[row - 1], other[row], other[row + 1], mine[row], source[row]
        if (row + colour) % 2 == 0:
            for at in range(1, half):
                mean = (up[at] + down[at] + middle[at] + middle[at - 1] - f[at]) * quarter
                cells[at] += omega * (mean - cells[at])
        else:
            for at in range(half - 1):
                mean = (up[at] + down[at] + middle[at] + middle[at + 1] - f[at]) * quarter
                cells[at] += omega * (mean - cells[at])


class Peer:
    def __init__(self):
        self.sources = split(SOURCE)

    def load(self, cells):
        self.colours = split(cells)

    def save(self):
        cells = numpy.empty((HEIGHT, WIDTH), numpy.float32)
        rows = numpy.arange(HEIGHT)[:, None]
        columns = 2 * numpy.arange(WIDTH // 2)[None, :]
        for c in range(2):
            cells[rows, columns + (rows + c) % 2] = self.colours[c]
        return cells

    def run(self, first, last):
        for _ in range(first, last):
            for c in range(2):
                half_sweep(self.colours[c], self.colours[1 - c], self.sources[c], c, OMEGA)


serve(Peer(), numpy.float32, (HEIGHT, WIDTH))
