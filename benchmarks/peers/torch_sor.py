"""Red-black SOR in PyTorch, compiled: colours apart."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import numpy
import torch

torch.set_num_threads(1)
WIDTH, HEIGHT, OMEGA = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
SOURCE = numpy.fromfile(sys.argv[4], numpy.float32).reshape(HEIGHT, WIDTH)
ROWS = numpy.arange(HEIGHT)[:, None]
COLUMNS = 2 * numpy.arange(WIDTH // 2)[None, :]


def split(cells):
    """The cells of each colour, row by row."""
    return [torch.from_numpy(cells[ROWS, COLUMNS + (ROWS + c) % 2]) for c in range(2)]


def inner(colour):
    """Which of a colour's cells are not on the border."""
    columns = COLUMNS + (ROWS + colour) % 2
    inside = (ROWS > 0) & (ROWS < HEIGHT - 1) & (columns > 0) & (columns < WIDTH - 1)
    return torch.from_numpy(inside.astype(numpy.float32) * numpy.float32(OMEGA))


@torch.compile
def half_sweep(mine, other, source, factor, to_right):
    side = torch.where(to_right, torch.roll(other, -1, 1), torch.roll(other, 1, 1))
    total = torch.roll(other, 1, 0) + torch.roll(other, -1, 0) + other + side
    return mine + factor * ((total - source) * 0.25 - mine)


class Peer:
    def __init__(self):
        self.sources = split(SOURCE)
        self.factors = [inner(0), inner(1)]
        odd = torch.from_numpy(ROWS % 2 == 1)
        self.to_right = [odd, ~odd]

    def load(self, cells):
        self.colours = split(cells)

    def save(self):
        cells = numpy.empty((HEIGHT, WIDTH), numpy.float32)
        for c in range(2):
            cells[ROWS, COLUMNS + (ROWS + c) % 2] = self.colours[c].numpy()
        return cells

    @torch.inference_mode()
    def run(self, first, last):
        for _ in range(first, last):
            for c in range(2):
                self.colours[c] = half_sweep(self.colours[c], self.colours[1 - c], self.sources[c],
                                             self.factors[c], self.to_right[c])


serve(Peer(), numpy.float32, (HEIGHT, WIDTH))
