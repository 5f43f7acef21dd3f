"""Says how many missing tokens a run got right, and how many without the kind or the past; draws it.

    python evaluate.py RESULT.npy F.png
"""

import sys

import numpy as np

from reference import run
from torus import HERE, bindings, example, sizes
from kit.exact import load_weights

SCALE = 6
SHOWN = (0, 5, 10, 15)
COLOURS = [(20, 24, 82), (34, 120, 150), (120, 190, 120), (250, 220, 90), (250, 250, 240)]


def right(cells, truth, missing):
    """The share of the missing tokens that are right, and of those at most one level off."""
    off = np.abs(cells - truth)[missing]
    return (off == 0).mean(), (off <= 1).mean()


def draw(pictures, path):
    """Rows of frames; what is absent is grey."""
    from PIL import Image

    levels = sizes()[1]
    places = np.linspace(0, levels - 1, len(COLOURS))
    table = np.stack([np.interp(np.arange(levels), places, part) for part in zip(*COLOURS)], -1)
    table = np.concatenate([table, [[128, 128, 128]]])
    rows = []
    for cells in pictures:
        frames = [table[cells[t].T].repeat(SCALE, 0).repeat(SCALE, 1) for t in SHOWN]
        rows.append(np.concatenate([np.pad(frame, ((0, 8), (0, 8), (0, 0)), constant_values=255)
                                    for frame in frames], 1))
    image = np.concatenate(rows)[:-8, :-8].astype(np.uint8)
    Image.fromarray(image).quantize(32).save(path, optimize=True)


def main():
    kind, truth, given = example()
    start = np.where(given, truth, -1)
    result = np.load(sys.argv[1]).astype(np.int64)
    exact, near = right(result, truth, ~given)
    print(f"missing tokens: {(~given).sum()} of {given.size}")
    constant = np.bincount(truth[~given]).argmax()
    print(f"right: {exact:.1%}, at most one of 16 levels off: {near:.1%}")
    print(f"the best constant token, with hindsight: {(truth[~given] == constant).mean():.1%}")
    weights, epochs = load_weights(HERE / "model.safetensors"), bindings()["epochs"]
    for name, shown, hidden in (("the kind", -1, ()), ("the past", kind, [8])):
        other = run(start, given, shown, weights, epochs, sizes()[1], hidden)
        print(f"... without {name}: {right(other, truth, ~given)[0]:.1%}")
    draw([start, result, truth], sys.argv[2])


if __name__ == "__main__":
    main()
