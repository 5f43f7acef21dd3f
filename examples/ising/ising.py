"""The two-dimensional Ising model on a torus by heat bath: spin 0 is down, 1 is up.

`beta` rises from 0, so that the lattice cools into equilibrium.
"""

import lmpm
from lmpm import F32, N4, Grid2D, Token

x, y = lmpm.indices("x y")

program = lmpm.Program("ising")
beta = program.param("beta", F32, lmpm.min(0.4406868, 0.001 * lmpm.epoch))
spin = program.value("Spin", Token(2), Grid2D("W", "H"), boundary="wrap", init=lmpm.bernoulli(0.5))
spin.sees(near=spin[N4])


@program.rule("HeatBath", on=spin)
def heat_bath(near):
    field = 2 * near.sum() - near.count()
    return lmpm.bernoulli(1.0 / (1.0 + lmpm.exp(-2.0 * beta * field)))


program.schedule(spin, "red_black")
program.commit(spin, "accept")
program.observe("magnetisation", (2 * spin[x, y] - 1).mean())
program.observe("bonds", (spin[x, y] == spin[x + 1, y]).mean())
