"""Moving patterns on a torus, and what a cell of the example sees of them.

A pattern of kind k is the sum of two waves whose numbers of periods along t, x and y are KINDS[k];
their phases are random. It is cut into V levels, so that each cell holds a token. Arrays are indexed
[t, x, y], as the program's `Cell[t,x,y]` is; -1 is an absent token.
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from kit.network import Network, Read  # noqa: E402

KINDS = [((1, 1, 0), (2, 0, 1)), ((-1, 1, 0), (1, 0, 2)), ((2, 0, 1), (-1, 2, 1)),
         ((-2, 1, 1), (1, 1, -1)), ((3, 2, 0), (1, 0, 1)), ((-3, 0, 2), (2, 1, 1))]
NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
NOISE = 0.03
MISSING = 0.7  # of the cells, in the example's clip


def bindings():
    return json.loads((HERE / "bindings.json").read_text())


def sizes():
    """T, W, H and the vocabulary."""
    bound = bindings()["sizes"]
    return (bound["T"], bound["W"], bound["H"]), bound["V"]


def clip(rng, kind, shape, levels):
    """The tokens of one pattern with random phases."""
    axes = np.indices(shape)
    total = rng.normal(0, NOISE, shape)
    for periods in KINDS[kind]:
        turn = sum(number * axis / extent for number, axis, extent in zip(periods, axes, shape))
        total += np.sin(2 * np.pi * (turn + rng.random())) / 2
    return np.clip(np.floor((total + 1) / 2 * levels), 0, levels - 1).astype(np.int64)


def network():
    """Ten tokens: eight neighbours, one of the past, one for all."""
    levels = sizes()[1]
    reads = [Read("near", 8, levels), Read("past", 1, levels), Read("kind", 1, len(KINDS))]
    return Network(reads, levels, embedding=12, hidden=96)


def contexts(cells, kind, levels):
    """The ten ids that each cell sees, [t, x, y, 10]: wrapped in x and y, absent before t = 0."""
    ids = np.where(cells < 0, levels, cells)
    near = [np.roll(ids, (-dx, -dy), (1, 2)) for dx, dy in NEIGHBOURS]
    past = np.concatenate([np.full_like(ids[:1], levels), ids[:-1]])
    return np.stack([*near, past, np.full_like(ids, len(KINDS) if kind < 0 else kind)], -1)


def example():
    """The example's kind, its true tokens, and which of them are given."""
    rng = np.random.default_rng(10)
    shape, levels = sizes()
    kind = 1
    return kind, clip(rng, kind, shape, levels), rng.random(shape) >= MISSING


def prepare():
    """Writes the program's inputs."""
    kind, truth, given = example()
    np.save(HERE / "Kind.npy", np.int8(kind))
    np.save(HERE / "Given.npy", given.astype(np.int8))
    np.save(HERE / "Cell.npy", np.where(given, truth, -1).astype(np.int8))


if __name__ == "__main__":
    prepare()
