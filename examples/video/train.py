"""Trains LocalGen and writes localgen.safetensors.

    python train.py [STEPS]

What it learns from: clips that pan over the same photograph as the example's, but from origins
whose patch grid is shifted against the example's by 1 to 5 pixels vertically, with masks of their
own; so that no training frame is one of the example's, though they show the same scene: the
network is meant to know this photograph. Half of the later clips are first run through the
network's own proposals for a few phases, so that it also learns from contexts that it has written
itself.
"""

import sys

import numpy as np

from caption import LENGTH, VOCABULARY, BytePairs, describe
from network import CONTEXT, EMBEDDING, HIDDEN, TEXT, save_weights
from kit.training import Adam, scatter_rows
from photo import HERE, TokenMaps, bindings, load_codebook, photograph, random_mask, sizes
from reference import contexts

BATCH = 1024
BATCHES_PER_CLIP = 8
STEPS = 24000


def initial_weights(rng, tokens):
    """Random weights; the last row of each embedding stands for an absent token."""
    inputs = CONTEXT * EMBEDDING
    weights = {
        "emb": rng.normal(0, 0.5, (tokens + 1, EMBEDDING)),
        "txt_emb": rng.normal(0, 0.5, (VOCABULARY + 1, TEXT)),
        "w_txt": rng.normal(0, TEXT**-0.5, (TEXT, HIDDEN)),
        "w_in": rng.normal(0, (2 / inputs) ** 0.5, (CONTEXT, EMBEDDING, HIDDEN)),
        "b_in": np.zeros(HIDDEN),
        "w_out": rng.normal(0, HIDDEN**-0.5, (HIDDEN, tokens)),
        "b_out": np.zeros(tokens),
    }
    return {name: array.astype(np.float32) for name, array in weights.items()}


def forward(w, context, caption):
    """Inputs, pooled caption, hidden layer and logits of a batch, float32."""
    x = w["emb"][context].reshape(len(context), -1)
    text = w["txt_emb"][caption].mean(0)
    before = x @ w["w_in"].reshape(-1, HIDDEN) + (w["b_in"] + text @ w["w_txt"])
    hidden = np.maximum(before, 0)
    return x, text, hidden, hidden @ w["w_out"] + w["b_out"]


def gradients(w, context, caption, target):
    """The gradient of the batch's mean cross-entropy."""
    x, text, hidden, out = forward(w, context, caption)
    out = np.exp(out - out.max(1, keepdims=True))
    out /= out.sum(1, keepdims=True)
    out[np.arange(len(target)), target] -= 1
    out /= len(target)
    back = (out @ w["w_out"].T) * (hidden > 0)
    into_text = np.broadcast_to(back.sum(0) @ w["w_txt"].T / LENGTH, (LENGTH, TEXT))
    into_x = (back @ w["w_in"].reshape(-1, HIDDEN).T).reshape(-1, EMBEDDING)
    return {
        "emb": scatter_rows(w["emb"].shape, context.reshape(-1), into_x),
        "txt_emb": scatter_rows(w["txt_emb"].shape, caption, into_text),
        "w_txt": np.outer(text, back.sum(0)),
        "w_in": (x.T @ back).reshape(w["w_in"].shape),
        "b_in": back.sum(0),
        "w_out": hidden.T @ out,
        "b_out": out.sum(0),
    }


class Clips:
    """An endless supply of training clips."""

    def __init__(self, rng, codebook, image, shape):
        self.rng, self.shape, self.codebook = rng, shape, codebook
        self.maps, self.pairs = TokenMaps(image, codebook), BytePairs()
        self.parity = sum(np.indices(shape)) % 2

    def roll_out(self, weights, vid, coarse, caption):
        """Lets the network fill absent cells, and rewrite those right of a random column."""
        free = np.zeros(self.shape, bool)
        free[:, self.rng.integers(self.shape[1]) :] = True
        for phase in range(self.rng.integers(1, 6)):
            cells = (self.parity == phase % 2) & (free | (vid < 0))
            context = contexts(vid, coarse, len(self.codebook))[cells]
            vid[cells] = forward(weights, context, caption)[-1].argmax(1)

    def draw(self, weights, use_own):
        """Contexts, caption and true tokens of one clip."""
        truth, coarse = self.maps.clip(self.maps.random_origin(self.rng, self.shape), self.shape)
        caption = self.pairs.encode(describe(self.codebook, truth))
        mask = random_mask(self.rng, self.shape, self.rng.choice([0, 0.1, 0.35, 0.35, 0.35, 0.6]))
        vid = np.where(mask, -1, truth)
        if use_own and self.rng.random() < 0.5:
            self.roll_out(weights, vid, coarse, caption)
        context = contexts(vid, coarse, len(self.codebook)).reshape(-1, CONTEXT)
        dropped = np.where(self.rng.random(context.shape) < 0.03, len(self.codebook), context)
        return dropped, caption, truth.reshape(-1)


def train(steps):
    """The trained weights."""
    rng = np.random.default_rng(2)
    codebook = load_codebook()
    weights = initial_weights(rng, bindings()["sizes"]["VQ"])
    clips, adam = Clips(rng, codebook, photograph(), sizes()), Adam(weights, steps)
    while adam.step < steps:
        context, caption, target = clips.draw(weights, adam.step > 0.3 * steps)
        cells = rng.permutation(len(context))[: BATCH * BATCHES_PER_CLIP]
        for batch in cells.reshape(BATCHES_PER_CLIP, BATCH):
            adam.update(weights, gradients(weights, context[batch], caption, target[batch]))
        if adam.step % 800 == 0:
            right = forward(weights, context, caption)[-1].argmax(1) == target
            print(f"step {adam.step}: {right.mean():.3f} of the last clip's tokens", flush=True)
    return weights


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    save_weights(HERE / "localgen.safetensors", train(count))
