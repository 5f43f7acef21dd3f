"""The program of video.lmpm once more, in NumPy, written from the language's definition alone.

Epochs of two phases (parity of t + x + y, even first). Within a phase every cell reads the state
before it; its candidates are all tokens; HardLock (priority 100) outranks TextPaint (50), which
outranks the logit; ties go to the lowest token.
"""

import numpy as np

from network import exact_logits, logits
from photo import COARSE

NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
NEAR_TIE = 1e-3  # far above the error of a float32 logit: below it, the exact sum decides


def contexts(vid, coarse, absent):
    """The ids that each cell sees, [t, x, y, 10]: neighbours, previous frame, coarse token."""
    frames, width, height = vid.shape
    padded = np.full((frames + 1, width + 2, height + 2), absent, np.int64)
    padded[1:, 1:-1, 1:-1] = np.where(vid < 0, absent, vid)
    near = [padded[1:, 1 + dx : 1 + dx + width, 1 + dy : 1 + dy + height] for dx, dy in NEIGHBOURS]
    previous = padded[:-1, 1:-1, 1:-1]
    fine = np.repeat(np.repeat(coarse, COARSE, 1), COARSE, 2)
    return np.stack(near + [previous, fine], -1)


def rectangle(shape, xs, ys):
    """The cells with xs[0] <= x <= xs[1] and ys[0] <= y <= ys[1]."""
    inside = np.zeros(shape, bool)
    inside[:, xs[0] : xs[1] + 1, ys[0] : ys[1] + 1] = True
    return inside


def best_tokens(weights, context, caption, score, allowed):
    """The allowed token of highest logit, the lowest on a tie; and how many ties were near."""
    score = np.where(allowed, score, -np.inf)
    order = np.partition(score, -2, axis=1)
    close = order[:, -1] - order[:, -2] < NEAR_TIE
    if close.any():
        exact = exact_logits(weights, context[close], caption)
        score[close] = np.where(allowed[close], exact, -np.inf)
    return score.argmax(1), int(close.sum())


class Program:
    """video.lmpm with its bindings; `state` is Vid, -1 where absent."""

    def __init__(self, bound, weights, inputs, disabled=()):
        size = bound["sizes"]
        self.weights, self.disabled = weights, set(disabled)
        self.state = inputs["Vid"].astype(np.int64)
        self.coarse = inputs["Coarse"].astype(np.int64)
        self.caption = inputs["Txt"].astype(np.int64)
        self.vocabulary = size["VQ"]
        self.lock = rectangle(self.state.shape, (size["x1"], size["x2"]), (size["y1"], size["y2"]))
        self.sky = rectangle(self.state.shape, *bound["regions"]["sky"]["rect"])
        self.palette = np.isin(np.arange(self.vocabulary), bound["palettes"]["blue-ish"])
        self.parity = sum(np.indices(self.state.shape)) % 2
        self.near_ties = 0
        self.counts = {name: {"satisfied": 0, "violated": 0, "decisive": 0}
                       for name in ("HardLock", "TextPaint")}

    def winners(self, cells, context, score, disabled):
        """What the cells agree on while the constraints named in `disabled` are off."""
        keep = self.state[cells]
        painted = self.sky[cells] & ("TextPaint" not in disabled)
        tokens, near_ties = best_tokens(self.weights, context, self.caption, score,
                                        ~painted[:, None] | self.palette)
        self.near_ties += near_ties
        return np.where(self.lock[cells] & (keep >= 0) & ("HardLock" not in disabled), keep, tokens)

    def count(self, cells, context, score, tokens):
        """Counts, where a constraint speaks, whether the winners satisfy it, and where without it
        another token would have won."""
        keep = self.state[cells]
        verdicts = {"HardLock": (self.lock[cells], (keep < 0) | (tokens == keep)),
                    "TextPaint": (self.sky[cells], self.palette[tokens])}
        for name in verdicts.keys() - self.disabled:
            speaks, holds = verdicts[name]
            without = self.winners(cells, context, score, self.disabled | {name})
            self.counts[name]["satisfied"] += int((speaks & holds).sum())
            self.counts[name]["violated"] += int((speaks & ~holds).sum())
            self.counts[name]["decisive"] += int((without != tokens).sum())

    def phase(self, number):
        """One phase; returns how many cells it changed."""
        cells = self.parity == number
        context = contexts(self.state, self.coarse, self.vocabulary)[cells]
        score = logits(self.weights, context, self.caption)
        tokens = self.winners(cells, context, score, self.disabled)
        self.count(cells, context, score, tokens)
        changed = int((self.state[cells] != tokens).sum())
        self.state[cells] = tokens
        return changed

    def run(self, epochs):
        """Runs whole epochs; returns how many cells each changed."""
        return [self.phase(0) + self.phase(1) for _ in range(epochs)]
