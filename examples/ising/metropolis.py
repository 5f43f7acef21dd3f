"""The same model by Metropolis: each cell proposes to flip, agreement accepts."""

import lmpm
from lmpm import F32, N4, Grid2D, Token

x, y = lmpm.indices("x y")

program = lmpm.Program("metropolis")
beta = program.param("beta", F32, lmpm.min(0.4406868, 0.001 * lmpm.epoch))
spin = program.value("Spin", Token(2), Grid2D("W", "H"), boundary="wrap", init=lmpm.bernoulli(0.5))
spin.sees(near=spin[N4])
spin.sees(spin)


@program.rule("Flip", on=spin)
def flip(self, near, candidate):
    field = 2 * near.sum() - near.count()
    return lmpm.propose(1 - self, score=(2 * candidate - 1) * field)


program.schedule(spin, "red_black")
program.commit(spin, "metropolis", temperature=1.0 / beta)
program.observe("magnetisation", (2 * spin[x, y] - 1).mean())
program.observe("bonds", (spin[x, y] == spin[x + 1, y]).mean())
