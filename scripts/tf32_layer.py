"""A layer of a network as a program, and what is known of it when tensor cores compute it."""

import json

import numpy as np

PROGRAM = """param M : F32[{rows}, {depth}]
param bias : F32[{rows}]
value X : Latent[{depth}] shape Grid2D(A, B)
value Y : Latent[{rows}] shape Grid2D(A, B)
visible Y[i,j] <- X[i,j]
rule Layer:
  on Y[i,j]
  emit proposal Y[i,j] := relu(M @ X[i,j] + bias)
commit Y[*] using accept
"""


def rounded(numbers):
    """The nearest numbers of eleven bits, of two the larger one."""
    bits = numbers.view(np.uint32)
    return ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)


class Layer:
    """One layer of random numbers at each cell: its program, what runs it, and what it must give."""

    def __init__(self, folder, rows, depth, sides):
        random = np.random.default_rng(rows)
        self.folder = folder
        self.matrix = random.normal(size=(rows, depth)).astype(np.float32)
        self.bias = random.normal(size=rows).astype(np.float32)
        self.cells = random.normal(size=(*sides, depth)).astype(np.float32)
        arrays = {"M": self.matrix, "bias": self.bias, "X": self.cells,
                  "Y": np.zeros((*sides, rows), np.float32)}
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        self.program = folder / "layer.lmpm"
        self.program.write_text(PROGRAM.format(rows=rows, depth=depth))
        bindings = {"sizes": {"A": sides[0], "B": sides[1]},
                    "params": {name: f"{name}.npy" for name in ("M", "bias")},
                    "inputs": {name: f"{name}.npy" for name in "XY"}}
        (folder / "bindings.json").write_text(json.dumps(bindings))
        self.words = [self.program, "--bindings", folder / "bindings.json"]

    def added_in_order(self):
        """Sums of products of rounded numbers, one after the other."""
        matrix, cells = rounded(self.matrix), rounded(self.cells)
        sums = np.zeros((*self.cells.shape[:-1], len(matrix)), np.float32)
        for step in range(matrix.shape[1]):
            sums += cells[..., step, None] * matrix[:, step]
        return np.maximum(sums + self.bias, 0)

    def bound(self):
        """How far a sum may be off, and one rounding more for the bias."""
        magnitude = np.abs(self.cells.astype(float)) @ np.abs(self.matrix.T.astype(float))
        steps = -(-self.matrix.shape[1] // 8)
        return (2**-10 + 2**-22 + 9 * 2**-23 * steps) * magnitude + 2**-23 * (
            magnitude + np.abs(self.bias))

    def exact(self):
        """Without any rounding to speak of."""
        return np.maximum(self.cells.astype(float) @ self.matrix.T.astype(float) + self.bias, 0)
