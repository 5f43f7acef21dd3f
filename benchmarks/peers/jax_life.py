"""Life in JAX: sums of rows, then of columns, epochs in one loop."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import jax
import jax.numpy as jnp
import numpy

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])


@jax.jit
def epochs(cells, count):
    def epoch(_, cells):
        padded = jnp.pad(cells, 1, "wrap")
        rows = padded[:-2] + padded[1:-1] + padded[2:]
        total = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
        return ((total == 3) | ((total == 4) & (cells == 1))).astype(jnp.uint8)
    return jax.lax.fori_loop(0, count, epoch, cells)


class Peer:
    def load(self, cells):
        self.cells = jnp.asarray(cells)

    def save(self):
        return numpy.asarray(self.cells)

    def run(self, first, last):
        self.cells = epochs(self.cells, last - first).block_until_ready()


serve(Peer(), numpy.uint8, (HEIGHT, WIDTH))
