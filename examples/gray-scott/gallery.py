"""Draws what grows at three feeding and killing rates, side by side.

    python gallery.py F.png [LMPM-RUN]

B in colours from dark to bright; every pixel is a cell.
"""

import pathlib
import sys

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.runs import Runner  # noqa: E402

KINDS = {"spots": (0.03, 0.062), "a maze": (0.037, 0.06), "holes": (0.039, 0.058)}
COLOURS = [(10, 20, 60), (40, 110, 140), (240, 200, 90), (255, 250, 230)]


def paint(amount):
    """An array indexed [x, y] with numbers from 0 to 0.4 as rows of pixels in colours."""
    places = np.linspace(0, 0.4, len(COLOURS))
    return np.stack([np.interp(amount.T, places, channel) for channel in zip(*COLOURS)], -1)


def main():
    run = Runner(sys.argv[2] if len(sys.argv) > 2 else "build/bin/lmpm-run", HERE)
    pictures = []
    for f, k in KINDS.values():
        grown = paint(run("gray-scott.lmpm", "B", sets={"f": f, "k": k}))
        pictures.append(np.pad(grown, ((0, 0), (0, 6), (0, 0)), constant_values=255))
    row = np.concatenate(pictures, 1)[:, :-6]
    Image.fromarray(np.rint(row).astype(np.uint8)).quantize(128).save(sys.argv[1], optimize=True)


if __name__ == "__main__":
    main()
