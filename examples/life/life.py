"""Conway's Game of Life on a torus: life.lmpm in Python."""

import lmpm
from lmpm import N8, Grid2D, Token

x, y = lmpm.indices("x y")

program = lmpm.Program("life")
cell = program.value("Cell", Token(2), Grid2D("W", "H"), clock="Lamport", boundary="wrap",
                     init=lmpm.bernoulli(0.3))
cell.sees(cell, near=cell[N8])


@program.rule("Life", on=cell)
def life(self, near):
    n = near.sum()
    return lmpm.where((n == 3) | ((n == 2) & (self == 1)), 1, 0)


program.commit(cell, "accept")
program.observe("population", cell[x, y].sum())
