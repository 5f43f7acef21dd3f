"""Solves puzzles by sampling, and says which it could not solve.

    python solve.py PUZZLES.txt [LMPM-RUN [EPOCHS]]

A board counts as solved if it shows all clues and each row, column and box has all nine digits;
nothing else is known about the solution. What is not solved may have none: a sampler cannot tell.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.runs import Runner  # noqa: E402


def read_puzzles(path):
    """Yields (name, clues as a 9 x 9 array with 0 where the cell is empty)."""
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            cells, name = line.split(maxsplit=1)
            yield name, np.array([int(c) for c in cells.replace(".", "0")], np.int8).reshape(9, 9)


def groups(board):
    """The 27 rows, columns and boxes of a board, each as nine cells."""
    boxes = board.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)
    return np.concatenate([board, board.T, boxes])


def missing(board):
    """How many digits are missing, over all rows, columns and boxes: 0 if it is solved."""
    return sum(9 - len(set(group) & set(range(1, 10))) for group in groups(board).tolist())


def sample(run, clues, epochs=None, **options):
    """The boards of one run."""
    return run("sudoku.lmpm", "Cell", inputs={"Clue": clues}, epochs=epochs, **options)


def show(board):
    return "\n".join("  " + " ".join(map(str, row)) for row in board.tolist())


def main():
    run = Runner(sys.argv[2] if len(sys.argv) > 2 else "build/bin/lmpm-run", HERE)
    for name, clues in read_puzzles(sys.argv[1]):
        boards = sample(run, clues, int(sys.argv[3]) if len(sys.argv) > 3 else None)
        left = [missing(board) for board in boards]
        best = boards[int(np.argmin(left))]
        print(f"{name}: {(clues > 0).sum()} clues, solved by {left.count(0)} of {len(left)} boards"
              + ("" if 0 in left else f"; the best one lacks {min(left)} digits"))
        if 0 in left:
            print(show(best))


if __name__ == "__main__":
    main()
