"""LocalGen: the small network that proposes a token for one cell.

Ten tokens (eight neighbours, the same cell one frame back, the coarse token) are embedded; with
the mean embedding of the caption they feed one hidden layer and VQ logits. `logits` computes in
float64, fast; `exact_logits` is the definition of the bits that the compiled program must
reproduce: float32, fused multiply-adds in the order of the index. Weights live in a .safetensors
file.
"""

import json
import struct

import numpy as np

CONTEXT = 10  # tokens of a cell's context
EMBEDDING = 16
TEXT = 8  # features of the caption
HIDDEN = 192


def save_weights(path, weights):
    """Writes float32 arrays in the safetensors format."""
    header, offset = {}, 0
    for name, array in weights.items():
        span = [offset, offset + array.nbytes]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": span}
        offset = span[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in weights.values():
            file.write(np.ascontiguousarray(array, "<f4").tobytes())


def load_weights(path):
    """Reads the float32 arrays of a safetensors file."""
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    weights = {}
    for name, entry in json.loads(data[8:start]).items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        weights[name] = np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    return weights


def logits(weights, context, caption):
    """Logits in float64: one row per row of `context`, which holds CONTEXT token ids."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}
    x = w["emb"][context].reshape(len(context), -1)
    text = w["txt_emb"][caption].mean(0) @ w["w_txt"]
    hidden = x @ w["w_in"].reshape(-1, w["w_in"].shape[-1]) + (w["b_in"] + text)
    return np.maximum(hidden, 0.0) @ w["w_out"] + w["b_out"]


def fma(a, b, c):
    """The float32 nearest to a*b + c, for float32 arrays.

    The product is exact in float64. The sum is rounded there to odd (the error of the addition
    tells whether it was exact), which makes the second rounding, to float32, the only one that
    counts.
    """
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    bits = np.ascontiguousarray(total).view(np.int64)
    step = np.where((error > 0) == (total > 0), 1, -1)
    odd = np.where((error != 0) & (bits & 1 == 0), bits + step, bits)
    return odd.view(np.float64).astype(np.float32)


def multiply_add(vectors, matrix, start):
    """start + vectors @ matrix by fused multiply-adds in the order of the summed index."""
    total = np.broadcast_to(start, (len(vectors), matrix.shape[1])).astype(np.float32)
    for k in range(matrix.shape[0]):
        total = fma(vectors[:, k : k + 1], matrix[k], total)
    return total


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
