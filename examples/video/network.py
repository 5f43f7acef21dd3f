"""LocalGen: the small network that proposes a token for one cell.

Ten tokens (eight neighbours, the same cell one frame back, the coarse token) are embedded; with
the mean embedding of the caption they feed one hidden layer and VQ logits. `logits` computes in
float64, fast; `exact_logits` is the definition of the bits that the compiled program must
reproduce: float32, fused multiply-adds in the order of the index. Weights live in a .safetensors
file.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.exact import load_weights, multiply_add, save_weights  # noqa: E402, F401

CONTEXT = 10  # tokens of a cell's context
EMBEDDING = 16
TEXT = 8  # features of the caption
HIDDEN = 192


def logits(weights, context, caption):
    """Logits in float64: one row per row of `context`, which holds CONTEXT token ids."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}
    x = w["emb"][context].reshape(len(context), -1)
    text = w["txt_emb"][caption].mean(0) @ w["w_txt"]
    hidden = x @ w["w_in"].reshape(-1, w["w_in"].shape[-1]) + (w["b_in"] + text)
    return np.maximum(hidden, 0.0) @ w["w_out"] + w["b_out"]


def exact_logits(weights, context, caption):
    """Logits as the program defines them, to the bit."""
    text = np.zeros(weights["txt_emb"].shape[1], np.float32)
    for token in caption:
        text = text + weights["txt_emb"][token]
    text = text * np.float32(1.0 / len(caption))
    start = multiply_add(text[None], weights["w_txt"], weights["b_in"])
    x = weights["emb"][context].reshape(len(context), -1)
    w_in = weights["w_in"].reshape(x.shape[1], -1)
    hidden = np.maximum(multiply_add(x, w_in, start), np.float32(0.0))
    return multiply_add(hidden, weights["w_out"], weights["b_out"])
