"""Potts by Gibbs sampling in JAX: colours apart, a lane of xorshift for each cell of a colour."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import jax
import jax.numpy as jnp
import numpy

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])
WEIGHTS = [float(w) for w in sys.argv[4:9]]
STATES = 8
ODD = (jnp.arange(HEIGHT) % 2 == 1)[:, None]
ROWS = numpy.arange(HEIGHT)[:, None]
COLUMNS = 2 * numpy.arange(WIDTH // 2)[None, :]


def half_sweep(other, colour, lanes):
    lanes ^= lanes << 13
    lanes ^= lanes >> 17
    lanes ^= lanes << 5
    side = jnp.where(ODD if colour == 0 else ~ODD, jnp.roll(other, -1, 1), jnp.roll(other, 1, 1))
    near = [jnp.roll(other, 1, 0), jnp.roll(other, -1, 0), other, side]
    sums, total = [], 0.0
    for k in range(STATES):
        count = sum((cells == k).astype(jnp.int32) for cells in near)
        weight = jnp.float32(WEIGHTS[4])
        for known in range(3, -1, -1):
            weight = jnp.where(count == known, jnp.float32(WEIGHTS[known]), weight)
        total = total + weight
        sums.append(total)
    drawn = (lanes >> 8).astype(jnp.float32) * jnp.float32(2**-24) * total
    picked = sum((known <= drawn).astype(jnp.uint8) for known in sums[:-1])
    return picked, lanes


@jax.jit
def epochs(red, black, lanes, count):
    def epoch(_, state):
        red, black, lanes = state
        red, lanes = half_sweep(black, 0, lanes)
        black, lanes = half_sweep(red, 1, lanes)
        return red, black, lanes
    return jax.lax.fori_loop(0, count, epoch, (red, black, lanes))


class Peer:
    def __init__(self):
        lanes = numpy.random.default_rng(1).integers(1, 2**32, (HEIGHT, WIDTH // 2), numpy.uint32)
        self.lanes = jnp.asarray(lanes)

    def load(self, cells):
        self.colours = [jnp.asarray(cells[ROWS, COLUMNS + (ROWS + c) % 2]) for c in range(2)]

    def save(self):
        cells = numpy.empty((HEIGHT, WIDTH), numpy.uint8)
        for c in range(2):
            cells[ROWS, COLUMNS + (ROWS + c) % 2] = numpy.asarray(self.colours[c])
        return cells

    def run(self, first, last):
        *self.colours, self.lanes = epochs(*self.colours, self.lanes, last - first)
        self.lanes.block_until_ready()


serve(Peer(), numpy.uint8, (HEIGHT, WIDTH))
