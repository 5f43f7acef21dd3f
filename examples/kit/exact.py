"""Float32 arithmetic to the bit, as compiled models do it, and weights in .safetensors files."""

import json
import struct

import numpy as np


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
