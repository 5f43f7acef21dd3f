"""Completes the example's images under several schedules, and draws what they are worth.

    python schedules.py F.png [LMPM-RUN]       the share of right pixels over the fraction
    python schedules.py digits RESULT.npy F.png     given, completed and true images

A fraction is part of a program, so each schedule is a program: this one with another line.
"""

import pathlib
import re
import sys
import tempfile

import numpy as np

from digits import HERE, LEVELS, example
from kit.curves import Curve, draw
from kit.runs import Runner

FRACTIONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
STRATEGIES = {"confidence": "the surest first", "random": "in random order"}
SHOWN = 14


def with_schedule(schedule, folder):
    """The path of the program with another schedule."""
    text = (HERE / "masked-image.lmpm").read_text()
    path = pathlib.Path(folder) / "other.lmpm"
    path.write_text(re.sub(r"using confidence\([^)]*\)", f"using {schedule}", text))
    return path


def accuracy(run, schedule, epochs=400):
    """The share of missing pixels that are right after so many epochs."""
    truth, _, given = example()
    with tempfile.TemporaryDirectory() as folder:
        images = run(with_schedule(schedule, folder), "Image", epochs=epochs)
    return (images == truth)[~given].mean()


def draw_curves(run, path):
    curves = []
    for strategy, name in STRATEGIES.items():
        shares = []
        for fraction in FRACTIONS:
            # One pixel of e^20 is still missing then, if each epoch takes its fraction.
            epochs = round(20 / fraction)
            shares.append(100 * accuracy(run, f"{strategy}({fraction})", epochs))
            print(f"{strategy}({fraction}): {shares[-1]:.1f} %")
        curves += [Curve(name, FRACTIONS, shares), Curve("", FRACTIONS, shares, points=True)]
    draw(path, "fraction of the missing pixels per epoch", "right pixels in percent", curves)


def draw_digits(result, path):
    """One column for each of some images: given, completed, true."""
    from PIL import Image

    truth, _, given = example()
    grey = np.append(np.linspace(255, 0, LEVELS), 0)
    rows = []
    for images in (np.where(given, truth, -1), result.astype(int), truth):
        colours = np.stack([grey[images]] * 3, -1)
        colours[images < 0] = (230, 205, 170)
        row = colours[:SHOWN].transpose(0, 2, 1, 3).repeat(5, 1).repeat(5, 2)
        row = np.pad(row, ((0, 0), (0, 5), (0, 5), (0, 0)), constant_values=255)
        rows.append(np.concatenate(row, 1))
    Image.fromarray(np.concatenate(rows)[:-5, :-5].astype(np.uint8)).quantize(8).save(path)


if __name__ == "__main__":
    if sys.argv[1] == "digits":
        draw_digits(np.load(sys.argv[2]), sys.argv[3])
    else:
        draw_curves(Runner(sys.argv[2] if len(sys.argv) > 2 else "build/bin/lmpm-run", HERE),
                    sys.argv[1])
