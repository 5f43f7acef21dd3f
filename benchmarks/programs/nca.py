"""A growing automaton: 16 channels, their slopes along x and y, a hidden layer of 128."""

import json
import pathlib
import tempfile

import numpy

from harness.rows import Contest

SIZES = (256,)
FLOPS = 2 * (48 * 128 + 128 * 16)


def parameters():
    """The weights and the two filters, in the order in which the hand-written program reads them."""
    rng = numpy.random.default_rng(2)
    shapes = {"W1": ((128, 48), 0.1), "b1": ((128,), 0.1), "W2": ((16, 128), 0.002)}
    arrays = {name: rng.normal(0, width, shape) for name, (shape, width) in shapes.items()}
    slope = numpy.outer([-1, 0, 1], [1, 2, 1]) / 8
    return {name: numpy.ascontiguousarray(array, numpy.float32)
            for name, array in {**arrays, "kx": slope, "ky": slope.T}.items()}


def observe(cells):
    """Averages of each channel and of its square."""
    return {f"{name} of channel {i}": float(numbers[i])
            for name, numbers in (("mean", cells.mean((0, 1), numpy.float64)),
                                  ("mean square", (cells.astype(numpy.float64) ** 2).mean((0, 1))))
            for i in range(16)}


def make(size, quick):
    """The contest on a square."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lci-bench-nca-"))
    arrays = parameters()
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", array)
    numpy.concatenate([array.ravel() for array in arrays.values()]).tofile(folder / "nca.raw")
    (folder / "bindings.json").write_text(json.dumps(
        {"params": {"rate": 1.0, **{name: f"{name}.npy" for name in arrays}}}))
    bound = ("--bindings", str(folder / "bindings.json"))
    return Contest(
        program="growing automaton, 16/3/128", size=f"{size}²", unit="GFLOP/s",
        work=size * size * FLOPS * 1e-9, epochs=5 if quick else 30,
        source="benchmarks/programs/nca.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={size}", *bound), value="S",
        dtype="float32",
        hand={"hand AVX-512, no draws": ("nca.cpp", (str(size), str(folder / "nca.raw")))},
        peers={} if quick else {name: (f"{name}_nca.py", (str(size), str(folder / "nca.raw")))
                                for name in ("jax", "torch")},
        exact=("hand AVX-512, no draws",), observe=observe, tolerance=1e-4, check_epochs=3,
        check_arguments=("--set", "W=24", "--set", "H=20", *bound),
        limits={"fma": size * size * FLOPS / 32},
        roofline="8192 fused multiply-adds a cell for the network, 272 operations for the slopes")
