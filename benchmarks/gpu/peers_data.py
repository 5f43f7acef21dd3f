"""What both libraries start from: the states and the weights of ../programs."""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from programs import ising, nca, sor, tokens  # noqa: E402

BETA = ising.BETA
OMEGA = sor.OMEGA
KIND = 1  # of the tokens' picture
SIZES = {"life": 4096, "ising": 4096, "sor": 4096, "nca": 1024, "tokens": 240}


def split(cells):
    """The cells of each colour, row by row: row r's k-th is at column 2k + (r + colour) % 2."""
    height, width = cells.shape
    rows = numpy.arange(height)[:, None]
    columns = 2 * numpy.arange(width // 2)[None, :]
    return [numpy.ascontiguousarray(cells[rows, columns + (rows + c) % 2]) for c in range(2)]


def join(colours):
    """The cells of both colours in their places again."""
    height, width = colours[0].shape
    cells = numpy.empty((height, 2 * width), colours[0].dtype)
    rows = numpy.arange(height)[:, None]
    columns = 2 * numpy.arange(width)[None, :]
    for c in range(2):
        cells[rows, columns + (rows + c) % 2] = colours[c]
    return cells


def shape_of(program, size):
    """Rows and columns of the cells; tokens lie in a picture of sixteen by nine."""
    return (size, size * 9 // 16) if program == "tokens" else (size, size)


def start_of(program, size):
    """The cells at the start."""
    rng, shape = numpy.random.default_rng(1), shape_of(program, size)
    if program in ("life", "ising"):
        share = 0.3 if program == "life" else 0.5
        return (rng.random(shape, numpy.float32) < share).astype(numpy.int8)
    if program == "sor":
        cells = numpy.zeros(shape, numpy.float32)
        cells[1:-1, 1:-1] = rng.random((size - 2, size - 2), numpy.float32)
        return cells
    if program == "nca":
        return rng.random((*shape, 16), numpy.float32)
    return rng.integers(0, tokens.TOKENS, shape, numpy.int32)


def weights_of(program, size):
    """The arrays that a step reads, by name."""
    if program == "sor":
        return {"source": sor.right_hand_side(size)}
    return {"nca": nca.parameters, "tokens": tokens.weights}.get(program, dict)()
