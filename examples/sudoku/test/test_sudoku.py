"""Sampled boards against a solver that searches, on published puzzles and on one without solution."""

import os
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
from solve import groups, missing, read_puzzles, sample  # noqa: E402

PUZZLES = dict(read_puzzles(HERE / "puzzles.txt"))
EASY, IMPOSSIBLE = list(PUZZLES)[0], list(PUZZLES)[-1]


def unit_of(cell):
    row, column = cell
    return ("row", row), ("column", column), ("box", row // 3, column // 3)


def search(board, limit=2):
    """All solutions, at most `limit`, by trying the digits of the most constrained cell."""
    taken = {}
    for cell in zip(*np.nonzero(board)):
        for unit in unit_of(cell):
            if board[cell] in taken.setdefault(unit, set()):
                return []
            taken[unit].add(board[cell])
    empty = list(zip(*np.nonzero(board == 0)))
    if not empty:
        return [board]
    free = {cell: set(range(1, 10)).difference(*(taken.get(unit, ()) for unit in unit_of(cell)))
            for cell in empty}
    cell, found = min(empty, key=lambda cell: len(free[cell])), []
    for digit in sorted(free[cell]):
        tried = board.copy()
        tried[cell] = digit
        found += search(tried, limit - len(found))
        if len(found) >= limit:
            break
    return found


def test_the_puzzles_are_what_they_are_said_to_be():
    """One solution each, but for the last."""
    counts = {name: len(search(PUZZLES[name])) for name in (*list(PUZZLES)[:4], IMPOSSIBLE)}
    assert counts == {name: int(name != IMPOSSIBLE) for name in counts}


@pytest.mark.parametrize("name", list(PUZZLES)[2 if os.environ.get("LCI_ALL_WAYS") else 3:4])
def test_published_puzzles_are_solved(run, name):
    """Each solved board is the solution, and every board shows the clues; here two, by
    `make test-long` as many as the example has."""
    clues = PUZZLES[name]
    boards = sample(run, clues, sets={} if os.environ.get("LCI_ALL_WAYS") else {"B": 2})
    solved = [board for board in boards if missing(board) == 0]
    assert solved, f"the best board lacks {min(map(missing, boards))} digits"
    assert all(np.array_equal(board, search(clues)[0]) for board in solved)
    assert (boards[:, clues > 0] == clues[clues > 0]).all()


def test_what_cannot_be_solved_is_not_called_solved(run):
    clues = PUZZLES[IMPOSSIBLE]
    boards = sample(run, clues, 500)
    assert min(map(missing, boards)) > 0
    assert (boards[:, clues > 0] == clues[clues > 0]).all()


def test_the_report_counts_violations(run):
    """The clues are never violated; the others are exactly where a cell's digit occurs twice."""
    boards = sample(run, PUZZLES[EASY], 30, sets={"B": 2}, report=True)
    constraints = run.report["constraints"]
    assert constraints["Given"]["violated"] == 0
    assert all(constraints[name]["violated"] > 0 for name in ("Row", "Column", "Box"))
    assert boards.shape == (2, 9, 9)


def test_missing_counts_digits():
    board = search(PUZZLES[EASY])[0]
    assert missing(board) == 0 and len(groups(board)) == 27
    board = board.copy()
    board[0, 0] = board[0, 1]
    assert missing(board) == 3


def test_the_backends_agree(run):
    run.same_bits("sudoku.lmpm", "Cell", inputs={"Clue": PUZZLES[EASY]}, epochs=12, sets={"B": 2})
