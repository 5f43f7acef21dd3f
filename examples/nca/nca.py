"""A growing automaton: nca.lmpm in Python.

Each cell shows its network what it holds and the slopes around it; half of the cells, drawn anew in
each epoch, are awake and change by what the network answers.
"""

import lmpm
from lmpm import F32, Grid2D, Latent

x, y, dx, dy = lmpm.indices("x y dx dy")
W, H = lmpm.sizes("W H")

CHANNELS = 12
SEEN = [0.0] * 3 + [1.0] * (CHANNELS - 3)  # the seed is alive and has no colour

program = lmpm.Program("nca")
W1 = program.param("W1", F32(64, 3 * CHANNELS))
b1 = program.param("b1", F32(64))
W2 = program.param("W2", F32(CHANNELS, 64))
kx = program.param("kx", F32(3, 3))
ky = program.param("ky", F32(3, 3))
state = program.value("S", Latent(CHANNELS), Grid2D(W, H),
                      init=lmpm.where((x == W // 2) & (y == H // 2), 1.0, 0.0) * lmpm.concat(*SEEN))
around = dx.isin(range(-1, 2)) & dy.isin(range(-1, 2))
state.sees(state[x + dx, y + dy].when(around))


def slope(kernel):
    return (kernel[dx + 1, dy + 1] * state[x + dx, y + dy]).sum(when=around)


@program.rule("Grow", on=state)
def grow(self):
    slopeX = slope(kx)
    slopeY = slope(ky)
    change = W2 @ lmpm.relu(W1 @ lmpm.concat(self, slopeX, slopeY) + b1)
    return lmpm.where(lmpm.bernoulli(0.5), self + change, self)


program.commit(state, "accept")
