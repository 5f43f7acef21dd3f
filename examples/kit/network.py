"""A small network over the tokens that a cell sees: computed, trained, and written as a model.

Each read is a row of token ids, an absent one being the size of its vocabulary, and has its own
table of embeddings. They feed one hidden layer and the logits of the cell's token. `logits` is
fast; `exact` gives the bits of the model that kit/model.py writes: fused multiply-adds in the order
of the summed index.
"""

import dataclasses

import numpy as np

from kit.exact import multiply_add
from kit.training import Adam, scatter_rows



@dataclasses.dataclass
class Read:
    """What the model is shown: `count` tokens. With `shown`, the model is shown that many, and takes
    the last `count` of those that are there."""

    name: str
    count: int
    vocabulary: int
    shown: int = 0


def rounded(function, numbers):
    """A function of float32 numbers, rounded once."""
    return function(numbers.astype(np.float64)).astype(np.float32)


def log_probabilities(logits):
    """x - max - log(sum(exp(x - max))) of each row in float32, the sum in order."""
    below = logits - logits.max(1, keepdims=True)
    total = np.zeros(len(logits), np.float32)
    for column in rounded(np.exp, below).T:
        total = total + column
    return below - rounded(np.log, total)[:, None]


class Network:
    """The shape of a network; weights are a dictionary of float32 arrays. With `log` its model gives
    the logarithms of probabilities."""

    def __init__(self, reads, vocabulary, embedding, hidden, log=False):
        self.reads, self.vocabulary, self.log = reads, vocabulary, log
        self.embedding, self.hidden = embedding, hidden

    def initial(self, rng):
        """Random weights; the last row of each table stands for an absent token."""
        inputs = sum(read.count for read in self.reads) * self.embedding
        weights = {}
        for read in self.reads:
            shape = read.count, self.embedding, self.hidden
            table = rng.normal(0, 0.5, (read.vocabulary + 1, self.embedding))
            weights[f"emb_{read.name}"] = table
            weights[f"w_{read.name}"] = rng.normal(0, (2 / inputs) ** 0.5, shape)
        weights["b_hidden"] = np.zeros(self.hidden)
        shape = self.hidden, self.vocabulary
        weights["w_out"] = rng.normal(0, self.hidden**-0.5, shape)
        weights["b_out"] = np.zeros(self.vocabulary)
        return {name: array.astype(np.float32) for name, array in weights.items()}

    def split(self, ids):
        """The columns of each read."""
        return np.split(ids, np.cumsum([read.count for read in self.reads])[:-1], axis=1)

    def forward(self, weights, ids):
        """Embedded inputs, hidden layer and logits of rows of ids, in float32."""
        inputs, total = [], weights["b_hidden"]
        for read, columns in zip(self.reads, self.split(ids)):
            inputs.append(weights[f"emb_{read.name}"][columns].reshape(len(ids), -1))
            total = total + inputs[-1] @ weights[f"w_{read.name}"].reshape(-1, self.hidden)
        hidden = np.maximum(total, 0)
        return inputs, hidden, hidden @ weights["w_out"] + weights["b_out"]

    def logits(self, weights, ids):
        return self.forward(weights, ids)[-1]

    def exact(self, weights, ids):
        """The logits as the model computes them, to the bit."""
        total = weights["b_hidden"]
        for read, columns in zip(self.reads, self.split(ids)):
            row = weights[f"emb_{read.name}"][columns].reshape(len(ids), -1)
            total = multiply_add(row, weights[f"w_{read.name}"].reshape(-1, self.hidden), total)
        hidden = np.maximum(total, np.float32(0.0))
        logits = multiply_add(hidden, weights["w_out"], weights["b_out"])
        return log_probabilities(logits) if self.log else logits

    def gradients(self, weights, ids, target):
        """The gradient of the mean cross-entropy, and that mean."""
        inputs, hidden, out = self.forward(weights, ids)
        out = np.exp(out - out.max(1, keepdims=True))
        out /= out.sum(1, keepdims=True)
        rows = np.arange(len(target))
        loss = -np.log(out[rows, target] + 1e-9).mean()
        out[rows, target] -= 1
        out /= len(target)
        back = (out @ weights["w_out"].T) * (hidden > 0)
        found = {"b_hidden": back.sum(0), "w_out": hidden.T @ out, "b_out": out.sum(0)}
        for read, columns, given in zip(self.reads, self.split(ids), inputs):
            matrix = weights[f"w_{read.name}"]
            into = (back @ matrix.reshape(-1, self.hidden).T).reshape(-1, self.embedding)
            found[f"w_{read.name}"] = (given.T @ back).reshape(matrix.shape)
            table = weights[f"emb_{read.name}"]
            found[f"emb_{read.name}"] = scatter_rows(table.shape, columns.reshape(-1), into)
        return found, loss

    def train(self, batches, steps, seed=0, peak=2e-3):
        """The trained weights; `batches(weights, step)` gives rows of ids and their targets."""
        weights = self.initial(np.random.default_rng(seed))
        adam = Adam(weights, steps, peak)
        while adam.step < steps:
            gradient, loss = self.gradients(weights, *batches(weights, adam.step))
            adam.update(weights, gradient)
            if adam.step % 500 == 0:
                print(f"step {adam.step}: cross-entropy {loss:.3f}", flush=True)
        return weights
