"""Red-black SOR in JAX: colours as masks, epochs in one loop."""

import sys

from jax_cells import serve_cells  # first: it keeps what others print away from the answers

import jax
import jax.numpy as jnp
import numpy

WIDTH, HEIGHT, OMEGA = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
SOURCE = jnp.asarray(numpy.fromfile(sys.argv[4], numpy.float32).reshape(HEIGHT, WIDTH))
X, Y = jnp.arange(HEIGHT)[:, None], jnp.arange(WIDTH)[None, :]
INNER = (X > 0) & (X < HEIGHT - 1) & (Y > 0) & (Y < WIDTH - 1)


@jax.jit
def epochs(cells, count):
    def half_sweep(cells, colour):
        total = jnp.roll(cells, 1, 0) + jnp.roll(cells, -1, 0) + jnp.roll(cells, 1, 1) + \
            jnp.roll(cells, -1, 1)
        moved = cells + OMEGA * ((total - SOURCE) * 0.25 - cells)
        return jnp.where(INNER & ((X + Y) % 2 == colour), moved, cells)
    return jax.lax.fori_loop(0, count, lambda _, c: half_sweep(half_sweep(c, 0), 1), cells)


serve_cells(epochs, numpy.float32, (HEIGHT, WIDTH))
