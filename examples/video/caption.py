"""Captions and their byte-pair tokens.

A caption says which of four things a picture shows much of, by the colours of its codes; so that
the caption says something about the picture, and a network can learn to use it. The vocabulary is
a tiny byte-pair encoding learned from all the captions there are.
"""

import itertools
from collections import Counter

import numpy as np

LENGTH = 16  # tokens of a caption, the program's N
VOCABULARY = 64  # the program's BPE
PAD = 0
THINGS = ("a red pagoda", "green trees", "a blue sky", "a pale lake")


def sentence(present):
    """The caption of a picture that shows the things whose flags in `present` are set."""
    shown = [thing for thing, flag in zip(THINGS, present) if flag] or ["nothing much"]
    return "a photo of " + " and ".join(shown)


def describe(codebook, tokens):
    """The caption of a picture, from the colours of its tokens."""
    red, green, blue = codebook.reshape(len(codebook), -1, 3).mean(1).T
    bright = (red + green + blue) / 3
    kinds = (
        (red - blue > 20) & (red > green + 8),
        (green > blue + 8) & (green >= red),
        (blue - red > 10) & (bright > 200),
        (abs(red - blue) <= 16) & (bright > 150) & (bright <= 235),
    )
    return sentence([kind[tokens].mean() > 0.08 for kind in kinds])


def merge(symbols, pair):
    """`symbols` with each occurrence of `pair` joined, left to right."""
    joined, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            joined.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            joined.append(symbols[i])
            i += 1
    return joined


class BytePairs:
    """The byte-pair vocabulary learned from every caption there is; token 0 pads."""

    def __init__(self):
        corpus = [list(sentence(flags)) for flags in itertools.product((0, 1), repeat=len(THINGS))]
        self.pieces = ["<pad>"] + sorted({letter for text in corpus for letter in text})
        self.merges = []
        while len(self.pieces) < VOCABULARY:
            pairs = Counter(pair for text in corpus for pair in zip(text, text[1:]))
            best = min(pairs, key=lambda pair: (-pairs[pair], pair))
            corpus = [merge(text, best) for text in corpus]
            self.merges.append(best)
            self.pieces.append("".join(best))

    def encode(self, text):
        """The LENGTH tokens of a caption."""
        symbols = list(text)
        for pair in self.merges:
            symbols = merge(symbols, pair)
        tokens = [self.pieces.index(symbol) for symbol in symbols]
        if len(tokens) > LENGTH:
            raise ValueError(f"expected at most {LENGTH} caption tokens, but got {len(tokens)}")
        return np.array(tokens + [PAD] * (LENGTH - len(tokens)), np.int32)

    def decode(self, tokens):
        """The caption that `tokens` spell."""
        return "".join(self.pieces[token] for token in tokens if token != PAD)
