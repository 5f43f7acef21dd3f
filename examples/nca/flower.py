"""The flower that the automaton grows into, its seed, damage, and pictures of cells.

Arrays are indexed [x, y, channel]: red, green, blue and cover, then channels without a meaning of
their own.
"""

import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CHANNELS = 12
SIDE = 23
FLOWER = """
....RR...RR....
...RRRR.RRRR...
...RRRRRRRRR...
....RRYYYRR....
...RRRYYYRRR...
...RRRYYYRRR...
...RRRRGRRRR...
....RR.G.RR....
.......G.......
..GG...G...GG..
..GGG..G..GGG..
...GGG.G.GGG...
....GGGGGGG....
......GGG......
.......G.......
""".split()
COLOURS = {"R": (0.85, 0.15, 0.25, 1), "Y": (1, 0.8, 0.2, 1), "G": (0.2, 0.55, 0.25, 1)}


def flower():
    """The target: red, green, blue and cover of each cell."""
    cells = np.zeros((SIDE, SIDE, 4), np.float32)
    corner = (SIDE - len(FLOWER)) // 2
    for y, line in enumerate(FLOWER):
        for x, letter in enumerate(line):
            cells[corner + x, corner + y] = COLOURS.get(letter, (0, 0, 0, 0))
    return cells


def seed():
    """One cell in the middle, all of whose channels but the colours are 1."""
    cells = np.zeros((SIDE, SIDE, CHANNELS), np.float32)
    cells[SIDE // 2, SIDE // 2, 3:] = 1
    return cells


def damage(cells):
    """The cells without their left third."""
    cut = cells.copy()
    cut[: SIDE // 2 - 1] = 0
    return cut


def distance(cells):
    """The mean square by which what is seen misses the flower."""
    return float(((cells[..., :4].astype(float) - flower()) ** 2).mean())


def draw(states, path, scale=6):
    """States side by side on white."""
    from PIL import Image

    frames = []
    for cells in states:
        cover = np.clip(cells[..., 3:4], 0, 1)
        seen = np.clip(cells[..., :3] + 1 - cover, 0, 1).transpose(1, 0, 2)
        frame = seen.repeat(scale, 0).repeat(scale, 1)
        frames.append(np.pad(frame, ((1, 1), (1, 1), (0, 0)), constant_values=0.8))
    picture = np.rint(255 * np.concatenate(frames, 1)).astype(np.uint8)
    Image.fromarray(picture).quantize(128).save(path, optimize=True)
