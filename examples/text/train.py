"""Trains the example's network on its text and writes model.safetensors and model.mlir: half a minute.

It is meant to know the text by heart: what is shown here is how a program puts a model to use, and
not what a model of this size could know of a language. Some letters of what it looks at are left
out or wrong, so that it also finds its way back.
"""

import numpy as np

from letters import HERE, LETTERS, encode, network, poem, window
from kit.exact import save_weights
from kit.model import model_text

STEPS = 4000
BATCH = 256
COMMENT = """What text.lmpm proposes as the next letter, given all letters before it, as logits.

Written by train.py. It looks at the last 24 of the letters that are there. An absent one has a row
of its own in the table. Products are fused multiply-adds in the order of the summed index: that
order defines the bits."""


def batches(rng):
    """Windows of the text, also ones that begin in its middle, and the letters after them."""
    tokens = encode(poem())

    def draw(weights, step):
        ids, targets = [], []
        for end in rng.integers(1, len(tokens), BATCH):
            begin = max(0, end - rng.integers(3, 40))
            ids.append(window(tokens[begin:end]))
            targets.append(tokens[end])
        ids = np.array(ids)
        wrong = (rng.random(ids.shape) < 0.03) & (ids < len(LETTERS))
        return np.where(wrong, rng.integers(0, len(LETTERS), ids.shape), ids), np.array(targets)

    return draw


if __name__ == "__main__":
    net = network()
    save_weights(HERE / "model.safetensors", net.train(batches(np.random.default_rng(3)), STEPS))
    (HERE / "model.mlir").write_text(model_text(net, "NextLetter", COMMENT))
