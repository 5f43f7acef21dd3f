"""Solves puzzles by sampling, and says which it could not solve.

    python solve.py PUZZLES.txt [--picture F.png] [--tool LMPM-RUN] [--epochs N]

A board counts as solved if it shows all clues and each row, column and box has all nine digits;
nothing else is known about the solution. What is not solved may have none: a sampler cannot tell.
The picture shows the clues of the first puzzle, its best board after one epoch, and at the end.
"""

import argparse
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.runs import Runner  # noqa: E402

from board import draw, groups  # noqa: E402


def read_puzzles(path):
    """Yields (name, clues as a 9 x 9 array with 0 where the cell is empty)."""
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            cells, name = line.split(maxsplit=1)
            yield name, np.array([int(c) for c in cells.replace(".", "0")], np.int8).reshape(9, 9)


def missing(board):
    """How many digits are missing, over all rows, columns and boxes: 0 if it is solved."""
    return sum(9 - len(set(group) & set(range(1, 10))) for group in groups(board).tolist())


def sample(run, clues, epochs=None, **options):
    """The boards of one run."""
    return run("sudoku.lmpm", "Cell", inputs={"Clue": clues}, epochs=epochs, **options)


def show(board):
    return "\n".join("  " + " ".join(map(str, row)) for row in board.tolist())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("puzzles")
    parser.add_argument("--picture")
    parser.add_argument("--tool", default="build/bin/lmpm-run")
    parser.add_argument("--epochs", type=int)
    given = parser.parse_args()
    run = Runner(given.tool, HERE)
    for number, (name, clues) in enumerate(read_puzzles(given.puzzles)):
        boards = sample(run, clues, given.epochs)
        left = [missing(board) for board in boards]
        best = boards[int(np.argmin(left))]
        if given.picture and number == 0:
            begun = sample(run, clues, epochs=1, flags=["--backend=interp"])
            draw(given.picture, clues, [begun[int(np.argmin(left))], best])
        print(f"{name}: {(clues > 0).sum()} clues, solved by {left.count(0)} of {len(left)} boards"
              + ("" if 0 in left else f"; the best one lacks {min(left)} digits"))
        if 0 in left:
            print(show(best))


if __name__ == "__main__":
    main()
