"""A small network at every cell: from 81 numbers around it a hidden layer of 32 and 16 logits."""

import json
import pathlib
import sys
import tempfile

import numpy

from harness.rows import Contest

PROGRAMS = pathlib.Path(__file__).resolve().parent
sys.path.append(str(PROGRAMS.parents[1] / "examples"))
from kit.exact import save_weights  # noqa: E402

SIZES = (256,)
FLOPS = 2 * (81 * 32 + 32 * 16)


def field(size):
    """What the program's formula says, in f32."""
    x, y = numpy.indices((size, size))
    steps = ((x * 37 + y * 91 + x * y) % 101).astype(numpy.float32)
    return numpy.float32(0.02) * steps - numpy.float32(1)


def weights():
    """The network's arrays, in the order of the model's arguments."""
    rng = numpy.random.default_rng(1)
    shapes = {"w1": (81, 32), "b1": (32,), "w2": (32, 16), "b2": (16,)}
    return {name: rng.normal(0, 0.1, shape).astype(numpy.float32)
            for name, shape in shapes.items()}


def observe(cells):
    """How many cells are of each token, and where along both axes."""
    shares = {f"share of {token}": float((cells == token).mean()) for token in range(16)}
    rows, columns = numpy.indices(cells.shape) / cells.shape[0]
    return {**shares, "along rows": float((cells * rows).mean()),
            "along columns": float((cells * columns).mean())}


def make(size, quick):
    """The contest on a square."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lci-bench-mlp-"))
    arrays = weights()
    save_weights(folder / "mlp.safetensors", arrays)
    numpy.concatenate([a.ravel() for a in (field(size), *arrays.values())]).tofile(
        folder / "mlp.raw")
    (folder / "bindings.json").write_text(json.dumps({"models": {"Model": {
        "file": str(PROGRAMS / "mlp.mlir"), "function": "Mlp", "weights": "mlp.safetensors"}}}))
    bound = ("--bindings", str(folder / "bindings.json"))
    return Contest(
        program="network at every cell, 81 → 32 → 16", size=f"{size}²", unit="GFLOP/s",
        work=size * size * FLOPS * 1e-9, epochs=20 if quick else 100,
        source="benchmarks/programs/mlp.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={size}", *bound), value="Class",
        dtype="uint8",
        hand={"hand AVX-512": ("mlp.cpp", (str(size), str(folder / "mlp.raw")))},
        peers={} if quick else {name: (f"{name}_mlp.py", (str(size), str(folder / "mlp.raw")))
                                for name in ("jax", "torch")},
        exact=("hand AVX-512",), observe=observe, tolerance=1e-3, check_epochs=2,
        check_arguments=("--set", "W=18", "--set", "H=5", *bound),
        limits={"fma": size * size * FLOPS / 32},
        roofline="3104 fused multiply-adds a cell; two a cycle of 16 lanes bind")
