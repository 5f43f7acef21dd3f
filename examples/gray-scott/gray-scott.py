"""Gray and Scott's reaction on a torus: B eats A and makes more B of it; A is fed, B is taken away.
"""

import lmpm
from lmpm import F32, N4, Diagonal, Grid2D

x, y, dx, dy = lmpm.indices("x y dx dy")
W, H = lmpm.sizes("W H")


def drop(x, y):
    noise = 0.3 + 0.2 * lmpm.uniform()
    return lmpm.where((x - W // 2)**2 + (y - H // 2)**2 < 64, noise, 0.0)


program = lmpm.Program("gray-scott")
f = program.param("f", F32, 0.037)
k = program.param("k", F32, 0.06)
a = program.value("A", F32, Grid2D(W, H), boundary="wrap", init=1.0)
b = program.value("B", F32, Grid2D(W, H), boundary="wrap", init=drop)


def laplacian(cell):
    return 0.2 * cell[N4].sum() + 0.05 * cell[Diagonal].sum() - cell[x, y]


@program.formula
def lapA(x, y):
    return laplacian(a)


@program.formula
def lapB(x, y):
    return laplacian(b)


around = dx.isin(range(-1, 2)) & dy.isin(range(-1, 2))
a.sees(a[x + dx, y + dy].when(around))
b.sees(b[x + dx, y + dy].when(around))
a.sees(b)
b.sees(a)


@program.rule("Feed", on=a)
def feed():
    return a[x, y] + lapA[x, y] - a[x, y] * b[x, y]**2 + f * (1.0 - a[x, y])


@program.rule("Kill", on=b)
def kill():
    return b[x, y] + 0.5 * lapB[x, y] + a[x, y] * b[x, y]**2 - (k + f) * b[x, y]


program.commit(a, "accept")
program.commit(b, "accept")
program.observe("food", a[x, y].mean())
program.observe("grown", (b[x, y] > 0.1).mean())
