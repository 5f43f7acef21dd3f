"""Trains the example's network and writes model.safetensors and model.mlir: about a minute.

It learns from patterns with other phases than the example's, seen through random masks, of which
some are so dense that little more than the past and the kind is left.
"""

import numpy as np

from torus import HERE, KINDS, clip, contexts, network, sizes
from kit.exact import save_weights
from kit.model import model_text

STEPS = 5000
BATCH = 512
COMMENT = """What a cell of torus10.lmpm proposes from the ten tokens that it sees, as logits.

Written by train.py. An absent token has a row of its own in each table. Products are fused
multiply-adds in the order of the summed index: that order defines the bits."""


def batches(rng):
    """Contexts under random masks, and true tokens."""
    shape, levels = sizes()

    def draw(weights, step):
        kind = int(rng.integers(len(KINDS)))
        truth = clip(rng, kind, shape, levels)
        seen = np.where(rng.random(shape) < rng.uniform(0, 0.9), -1, truth)
        shown = contexts(seen, kind if rng.random() < 0.9 else -1, levels).reshape(-1, 10)
        cells = rng.choice(len(shown), BATCH, replace=False)
        return shown[cells], truth.reshape(-1)[cells]

    return draw


if __name__ == "__main__":
    net = network()
    save_weights(HERE / "model.safetensors", net.train(batches(np.random.default_rng(1)), STEPS))
    (HERE / "model.mlir").write_text(model_text(net, "TorusNet", COMMENT))
