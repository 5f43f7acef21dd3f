"""4096 tokens of a moving pattern on a torus: torus10.lmpm in Python.

A cell sees ten: its eight neighbours, which wrap in x and y, the same place one step back, which
does not wrap in t, and one token for all cells.
"""

import lmpm
from lmpm import N8, Grid3D, Scalar, Token

t, x, y = lmpm.indices("t x y")
T, W, H = lmpm.sizes("T W H")

program = lmpm.Program("torus10")
kind = program.value("Kind", Token("K"), Scalar)
given = program.value("Given", Token(2), Grid3D(T, W, H))
cell = program.value("Cell", Token("V"), Grid3D(T, W, H), boundary=("open", "wrap", "wrap"))

cell.sees(near=cell[N8])
cell.sees(past=cell[t - 1, x, y].when(t > 0))
cell.sees(kind, given)


@program.rule("Continue", on=cell, when=given[t, x, y] == 0)
def go_on(near, past):
    return lmpm.Model(near, past, kind)


program.schedule(cell, "recolor")
program.commit(cell, "satisfy", "max_constraints_then_score")
program.observe("missing", T * W * H - cell[t, x, y].count())
