"""Handwritten digits as tokens, and what a cell of the example sees of them.

The digits are scikit-learn's, 8 x 8 pixels in 17 levels, here cut into V = 4. Arrays are indexed
[image, x, y], as the program's `Image[b,x,y]` is; -1 is an absent token. The network has seen the
first TRAINED images, the example completes some of the others.
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.network import Network, Read  # noqa: E402

TRAINED = 1500
LEVELS = 4
MISSING = 0.8  # of the pixels of each image
WINDOW = [(dx, dy) for dx in range(-3, 4) for dy in range(-3, 4) if (dx, dy) != (0, 0)]


def bindings():
    return json.loads((HERE / "bindings.json").read_text())


def digits():
    """All images as tokens, and which digit each of them is."""
    from sklearn.datasets import load_digits

    data = load_digits()
    tokens = np.minimum(data.images.astype(np.int64) * LEVELS // 16, LEVELS - 1)
    return tokens.transpose(0, 2, 1), data.target


def network():
    """The window around a cell, its place, and the digit."""
    reads = [Read("near", len(WINDOW), LEVELS), Read("place", 1, 64), Read("digit", 1, 10)]
    return Network(reads, LEVELS, embedding=6, hidden=160, log=True)


def contexts(images, digit):
    """The 50 ids that each cell sees, [image, x, y, 50]; beyond an image's border all is absent."""
    ids = np.where(images < 0, LEVELS, images)
    padded = np.pad(ids, ((0, 0), (3, 3), (3, 3)), constant_values=LEVELS)
    near = [padded[:, 3 + dx : 11 + dx, 3 + dy : 11 + dy] for dx, dy in WINDOW]
    place = np.broadcast_to(np.arange(64).reshape(8, 8), ids.shape)
    return np.stack([*near, place, np.broadcast_to(digit[:, None, None], ids.shape)], -1)


def example():
    """The example's true images, their digits, and which pixels are given."""
    tokens, digit = digits()
    chosen = np.s_[TRAINED : TRAINED + bindings()["sizes"]["B"]]
    given = np.random.default_rng(8).random(tokens[chosen].shape) >= MISSING
    return tokens[chosen], digit[chosen], given


def prepare():
    """Writes the program's inputs."""
    truth, digit, given = example()
    np.save(HERE / "Image.npy", np.where(given, truth, -1).astype(np.int8))
    np.save(HERE / "Digit.npy", digit.astype(np.int8))


if __name__ == "__main__":
    prepare()
