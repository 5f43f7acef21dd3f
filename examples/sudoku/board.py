"""Draws boards beside each other as a picture; a digit that its row, column or box has twice is red."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

CELL, MARGIN = 20, 12
SIDE = 9 * CELL
CLUE, DRAWN, WRONG, LINE, FRAME = "#222222", "#35608f", "#b8442e", "#cccccc", "#555555"


def groups(board):
    """The 27 rows, columns and boxes of a board, each as nine cells."""
    boxes = board.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)
    return np.concatenate([board, board.T, boxes])


def repeated(board):
    """Which cells hold a digit that occurs twice in one of the cell's groups."""
    wrong = np.zeros(81, bool)
    for cells in groups(np.arange(81).reshape(9, 9)):
        digits = board.reshape(81)[cells]
        wrong[cells] |= np.bincount(digits, minlength=10)[digits] > 1
    return wrong.reshape(9, 9) & (board > 0)


def draw_grid(canvas, left):
    for line in range(10):
        colour, width = (FRAME, 2) if line % 3 == 0 else (LINE, 1)
        at = line * CELL
        canvas.line([left + at, MARGIN, left + at, MARGIN + SIDE], colour, width)
        canvas.line([left, MARGIN + at, left + SIDE, MARGIN + at], colour, width)


def draw_board(canvas, left, board, clues):
    draw_grid(canvas, left)
    font, wrong = ImageFont.load_default(14), repeated(board)
    for row, column in np.argwhere(board > 0):
        colour = CLUE if clues[row, column] else WRONG if wrong[row, column] else DRAWN
        middle = left + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL
        canvas.text(middle, str(board[row, column]), colour, font, anchor="mm")


def draw(path, clues, boards):
    """Writes the clues and what became of them."""
    size = (len(boards) + 1) * (SIDE + MARGIN) + MARGIN + 1, SIDE + 2 * MARGIN + 1
    picture = Image.new("RGB", size, "white")
    for number, board in enumerate([clues, *boards]):
        draw_board(ImageDraw.Draw(picture), MARGIN + number * (SIDE + MARGIN), board, clues)
    picture.quantize(32).save(path, optimize=True)
