"""Sudoku on B boards at once: sudoku.lmpm in Python.

Each cell draws a digit, and constraints make it draw the right ones. What the clues leave is hard;
what the other cells hold weighs. A board that is right stays.
"""

import lmpm
from lmpm import F32, Grid2D, Grid3D, Seq, Token

b, r, c, i, j, k, p, q = lmpm.indices("b r c i j k p q")

program = lmpm.Program("sudoku")
heat = program.param("heat", F32, 0.65)
clue = program.value("Clue", Token(10), Grid2D(9, 9), indices="r c")
cell = program.value("Cell", Token(10), Grid3D("B", 9, 9), init=0, indices="b r c")
solved = program.value("Solved", Token(2), Seq("B"), init=0, indices="b")

same_box = (i // 3 == r // 3) & (j // 3 == c // 3) & ((i != r) | (j != c))
row, column, box = cell.sees(row=cell[b, r, k].when(k != c),
                             column=cell[b, k, c].when(k != r),
                             box=cell[b, i, j].when(same_box))
cell.sees(clue[r, c])
clue_lines = cell.sees(clueRow=clue[r, k].when(k != c),
                       clueColumn=clue[k, c].when(k != r),
                       clueBox=clue[i, j].when(same_box))
cell.sees(solved[b])
solved.sees(cell[b, :, :])


@program.rule("Fill", on=cell, when=solved[b] == 0)
def fill(candidate):
    conflicts = [(line == candidate).count() for line in (row, column, box)]
    return lmpm.propose(lmpm.any_of(range(1, 10)),
                        score=-1.0 * (conflicts[0] + conflicts[1] + conflicts[2]))


@program.require("Given", on=cell, priority="hard")
def given(candidate):
    return (clue[r, c] == 0) | (candidate == clue[r, c])


@program.require("Possible", on=cell, priority="hard")
def possible(candidate):
    in_row, in_column, in_box = ((line != candidate).all() for line in clue_lines)
    return (clue[r, c] > 0) | (in_row & in_column & in_box)


for name, line in [("Row", row), ("Column", column), ("Box", box)]:
    @program.require(name, on=cell, priority=1)
    def differs(candidate):
        return (line != candidate).all()


NINE, THREE = range(9), range(3)
ALL = 2**10 - 2  # nine powers of two make this only if they are 2^1 to 2^9


@program.rule("Check", on=solved)
def check():
    of_row = (1 << cell[b, r, k]).sum(when=k.isin(NINE))
    of_column = (1 << cell[b, k, c]).sum(when=k.isin(NINE))
    of_box = (1 << cell[b, 3 * p + i, 3 * q + j]).sum(when=i.isin(THREE) & j.isin(THREE))
    rows = (of_row == ALL).all(when=r.isin(NINE))
    columns = (of_column == ALL).all(when=c.isin(NINE))
    boxes = (of_box == ALL).all(when=p.isin(THREE) & q.isin(THREE))
    return rows & columns & boxes


program.schedule(cell, "raster")
program.commit(cell, "sample", temperature=heat, constraints="weighted")
program.commit(solved, "accept")
program.observe("solved", solved[b].sum())
