"""Layers of a network as a program, and what is known of them when tensor cores compute them."""

import json

import numpy as np

PROGRAM = """param M1 : F32[{sizes[1]}, {sizes[0]}]
param b1 : F32[{sizes[1]}]
{second}value X : Latent[{sizes[0]}] shape Grid2D(A, B)
value Y : Latent[{last}] shape Grid2D(A, B)
visible Y[i,j] <- X[i,j]
rule Network:
  on Y[i,j]
  emit proposal Y[i,j] := {network}
commit Y[*] using accept
"""
SECOND = """param M2 : F32[{sizes[2]}, {sizes[1]}]
param b2 : F32[{sizes[2]}]
"""
ONE, TWO = "relu(M1 @ X[i,j] + b1)", "relu(M2 @ relu(M1 @ X[i,j] + b1) + b2)"


def rounded(numbers):
    """The nearest numbers of eleven bits, of two the larger one."""
    bits = numbers.view(np.uint32)
    return ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)


class Network:
    """One layer or two of random numbers at each cell: its program, what runs it, and what it must
    give. Of sizes the first one is that of the vectors."""

    def __init__(self, folder, sizes, sides):
        random = np.random.default_rng(sum(sizes))

        def draw(*shape):
            return random.normal(size=shape).astype(np.float32)

        self.folder = folder
        self.layers = [(draw(rows, depth), draw(rows)) for depth, rows in zip(sizes, sizes[1:])]
        self.cells = draw(*sides, sizes[0])
        params = {f"{name}{number}": array for number, layer in enumerate(self.layers, 1)
                  for name, array in zip("Mb", layer)}
        inputs = {"X": self.cells, "Y": np.zeros((*sides, sizes[-1]), np.float32)}
        for name, array in {**params, **inputs}.items():
            np.save(folder / f"{name}.npy", array)
        self.program = folder / "network.lmpm"
        second = SECOND.format(sizes=sizes) if len(sizes) > 2 else ""
        self.program.write_text(
            PROGRAM.format(sizes=sizes, last=sizes[-1], second=second,
                           network=TWO if second else ONE))
        bindings = {"sizes": dict(zip("AB", sides)),
                    "params": {name: f"{name}.npy" for name in params},
                    "inputs": {name: f"{name}.npy" for name in inputs}}
        (folder / "bindings.json").write_text(json.dumps(bindings))
        self.words = [self.program, "--bindings", folder / "bindings.json"]

    def added_in_order(self):
        """Sums of products of rounded numbers, one after the other. Of four threads each gives two steps at a
        time: of eight in a row, or of those that it holds of the layer before; first their first ones."""
        vectors, held = self.cells, 0
        in_registers = all(len(matrix) <= 128 for matrix, _ in self.layers)
        for matrix, bias in self.layers:
            rows, depth = matrix.shape
            weights, vectors = rounded(matrix), rounded(vectors)
            run = held or 2
            order = sorted(range(depth), key=lambda step: (
                step // (4 * run), step % run // 2, step % 2, step // run))
            sums = np.zeros((*vectors.shape[:-1], rows), np.float32)
            for step in order:
                sums += vectors[..., step, None] * weights[:, step]
            vectors = np.maximum(sums + bias, 0)
            held = 2 * -(-rows // 8) if in_registers else 0
        return vectors

    def bound(self):
        """How far a sum of the only layer may be off, and one rounding more for the bias."""
        ((matrix, bias),) = self.layers
        magnitude = np.abs(self.cells.astype(float)) @ np.abs(matrix.T.astype(float))
        steps = -(-matrix.shape[1] // 8)
        return (2**-10 + 2**-22 + 9 * 2**-23 * steps) * magnitude + 2**-23 * (
            magnitude + np.abs(bias))

    def exact(self):
        """Without any rounding to speak of."""
        vectors = self.cells.astype(float)
        for matrix, bias in self.layers:
            vectors = np.maximum(vectors @ matrix.T.astype(float) + bias, 0)
        return vectors
