"""Trains the example's network and writes model.safetensors and model.mlir: about a minute.

It sees the first TRAINED digits through random masks, from hardly any to nearly all of the pixels,
and learns the tokens of those that are missing.
"""

import numpy as np

from digits import HERE, TRAINED, contexts, digits, network
from kit.exact import save_weights
from kit.model import model_text

STEPS = 5000
IMAGES = 32
BATCH = 768
COMMENT = """What masked-image.lmpm proposes for a pixel, from the window around it, its place, and
the digit that the image shows: the logarithm of each token's probability.

Written by train.py. An absent token has a row of its own in each table. Products are fused
multiply-adds in the order of the summed index: that order defines the bits."""


def batches(rng):
    """Contexts of missing pixels, and their true tokens."""
    tokens, digit = (array[:TRAINED] for array in digits())

    def draw(weights, step):
        chosen = rng.choice(TRAINED, IMAGES, replace=False)
        missing = rng.random((IMAGES, 8, 8)) < rng.uniform(0.1, 1, (IMAGES, 1, 1))
        shown = contexts(np.where(missing, -1, tokens[chosen]), digit[chosen])[missing]
        cells = rng.permutation(len(shown))[:BATCH]
        return shown[cells], tokens[chosen][missing][cells]

    return draw


if __name__ == "__main__":
    net = network()
    save_weights(HERE / "model.safetensors", net.train(batches(np.random.default_rng(5)), STEPS))
    (HERE / "model.mlir").write_text(model_text(net, "Pixel", COMMENT))
