"""Poisson's equation on a rectangle, u = 0 on its border, by red-black over-relaxation from noise.

F is h^2 times the right-hand side whose solution is known: `wave`.
"""

import lmpm
from lmpm import F32, N4, Grid2D, pi

x, y = lmpm.indices("x y")
W, H = lmpm.sizes("W H")

program = lmpm.Program("sor")
omega = program.param("omega", F32, 1.7)


@program.formula
def wave(x, y):
    return lmpm.sin(pi * x / (W - 1)) * lmpm.sin(pi * y / (H - 1))


def inner(index, size):
    return (0 < index) & (index < size - 1)


inside = inner(x, W) & inner(y, H)

f = program.value("F", F32, Grid2D(W, H),
                  init=-((pi / (W - 1))**2 + (pi / (H - 1))**2) * wave[x, y])
u = program.value("U", F32, Grid2D(W, H), init=lmpm.where(inside, lmpm.uniform(), 0.0))

u.sees(near=u[N4])
u.sees(u, f)


@program.rule("Relax", on=u, when=inside)
def relax(self, near):
    return self + omega * ((near.sum() - f[x, y]) / 4.0 - self)


program.schedule(u, "red_black")
program.commit(u, "accept")
around = u[x + 1, y] + u[x - 1, y] + u[x, y + 1] + u[x, y - 1]
program.observe("residual", abs(around - 4.0 * u[x, y] - f[x, y]).max())
program.observe("error", abs(u[x, y] - wave[x, y]).max())
