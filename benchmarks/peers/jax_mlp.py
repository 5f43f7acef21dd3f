"""A small network at every cell in JAX: a convolution of what is around a cell."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import jax
import jax.numpy as jnp
import numpy
from weights import read_arrays

SIDE = int(sys.argv[1])
SHAPES = {"field": (SIDE, SIDE), "w1": (81, 32), "b1": (32,), "w2": (32, 16), "b2": (16,)}
W = {name: jnp.asarray(array) for name, array in read_arrays(sys.argv[2], SHAPES).items()}


FILTERS = W["w1"].reshape(9, 9, 1, 32)


@jax.jit
def classify(field):
    around = jnp.pad(field, 4, mode="wrap")[None, :, :, None]
    hidden = jax.lax.conv_general_dilated(around, FILTERS, (1, 1), "VALID",
                                          dimension_numbers=("NHWC", "HWIO", "NHWC"))
    logits = jax.nn.relu(hidden.reshape(-1, 32) + W["b1"]) @ W["w2"] + W["b2"]
    return jnp.argmax(logits, axis=1).astype(jnp.uint8).reshape(SIDE, SIDE)


class Peer:
    def load(self, cells):
        self.cells = jnp.asarray(cells)

    def save(self):
        return numpy.asarray(self.cells)

    def run(self, first, last):
        for _ in range(first, last):  # a loop of JAX's own would compute what stays the same once
            self.cells = classify(W["field"])
        self.cells.block_until_ready()


serve(Peer(), numpy.uint8, (SIDE, SIDE))
