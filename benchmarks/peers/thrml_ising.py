"""Ising in thrml: block Gibbs sampling on a graph, here that of a torus with its two colours."""

import sys

from protocol import serve  # first: it keeps what others print away from the answers

import jax
import jax.numpy as jnp
import numpy
from thrml import Block, SamplingSchedule, SpinNode, sample_states
from thrml.models import IsingEBM, IsingSamplingProgram

WIDTH, HEIGHT, BETA = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])


class Peer:
    def __init__(self):
        nodes = [[SpinNode() for _ in range(WIDTH)] for _ in range(HEIGHT)]
        places = [(x, y) for x in range(HEIGHT) for y in range(WIDTH)]
        edges = [(nodes[x][y], nodes[x][(y + 1) % WIDTH]) for x, y in places]
        edges += [(nodes[x][y], nodes[(x + 1) % HEIGHT][y]) for x, y in places]
        model = IsingEBM([nodes[x][y] for x, y in places], edges, jnp.zeros(len(places)),
                         jnp.ones(len(edges)), jnp.array(BETA))
        colours = [[(x, y) for x, y in places if (x + y) % 2 == c] for c in range(2)]
        self.places = [tuple(numpy.array(mine).T) for mine in colours]
        self.blocks = [Block([nodes[x][y] for x, y in mine]) for mine in colours]
        self.program = IsingSamplingProgram(model, self.blocks, clamped_blocks=[])
        self.key = jax.random.key(1)

    def load(self, cells):
        self.state = [jnp.asarray(cells[place] == 1) for place in self.places]

    def save(self):
        cells = numpy.empty((HEIGHT, WIDTH), numpy.uint8)
        for place, spins in zip(self.places, self.state):
            cells[place] = numpy.asarray(spins)
        return cells

    def run(self, first, last):
        self.key, key = jax.random.split(self.key)
        schedule = SamplingSchedule(n_warmup=last - first, n_samples=1, steps_per_sample=1)
        seen = sample_states(key, self.program, schedule, self.state, [], self.blocks)
        self.state = [jax.block_until_ready(spins[-1]) for spins in seen]


serve(Peer(), numpy.uint8, (HEIGHT, WIDTH))
