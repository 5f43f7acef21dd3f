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


def best_tokens(weights, context, caption, allowed):
    """The allowed token with the highest logit, the lowest on a tie."""
    score = np.where(allowed, logits(weights, context, caption), -np.inf)
    order = np.partition(score, -2, axis=1)
    close = order[:, -1] - order[:, -2] < NEAR_TIE
    if close.any():
        score[close] = np.where(allowed[close], exact_logits(weights, context[close], caption), -np.inf)
    return score.argmax(1), int(close.sum())


class Program:
    """video.lmpm with its bindings; `state` is Vid, -1 where absent."""

    def __init__(self, bound, weights, inputs, disabled=()):
        size = bound["sizes"]
        self.weights, self.disabled = weights, disabled
        self.state = inputs["Vid"].astype(np.int64)
        self.coarse, self.caption = inputs["Coarse"].astype(np.int64), inputs["Txt"].astype(np.int64)
        self.vocabulary = size["VQ"]
        self.lock = rectangle(self.state.shape, (size["x1"], size["x2"]), (size["y1"], size["y2"]))
        self.sky = rectangle(self.state.shape, *bound["regions"]["sky"]["rect"])
        self.palette = np.isin(np.arange(self.vocabulary), bound["palettes"]["blue-ish"])
        self.parity = sum(np.indices(self.state.shape)) % 2
        self.near_ties = 0

    def phase(self, number):
        """One phase; returns how many cells it changed."""
        active = self.parity == number
        if "HardLock" not in self.disabled:
            active &= ~(self.lock & (self.state >= 0))
        context = contexts(self.state, self.coarse, self.vocabulary)[active]
        painted = self.sky[active] & ("TextPaint" not in self.disabled)
        allowed = ~painted[:, None] | self.palette
        tokens, near_ties = best_tokens(self.weights, context, self.caption, allowed)
        self.near_ties += near_ties
        changed = int((self.state[active] != tokens).sum())
        self.state[active] = tokens
        return changed

    def run(self, epochs):
        """Runs whole epochs; returns how many cells each changed."""
        return [self.phase(0) + self.phase(1) for _ in range(epochs)]
