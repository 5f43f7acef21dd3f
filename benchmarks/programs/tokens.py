"""A step of a video of tokens: ten tokens in, 32 numbers, 64 hidden, 4096 logits, the best one out."""

import json
import pathlib
import sys
import tempfile

import numpy

from harness.rows import Contest

PROGRAMS = pathlib.Path(__file__).resolve().parent
sys.path.append(str(PROGRAMS.parents[1] / "examples"))
from kit.exact import save_weights  # noqa: E402

SIZES = (240,)
TOKENS, KINDS, NUMBERS, HIDDEN = 4096, 4, 32, 64


def weights():
    """The network's arrays, in the order of the model's arguments. The last row of an embedding is
    that of an absent token."""
    rng = numpy.random.default_rng(3)
    shapes = {"embedding": (TOKENS + 1, NUMBERS), "own_embedding": (TOKENS + 1, NUMBERS),
              "kind_embedding": (KINDS + 1, NUMBERS), "start": (NUMBERS,),
              "w1": (NUMBERS, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, TOKENS), "b2": (TOKENS,)}
    return {name: rng.normal(0, 0.3, shape).astype(numpy.float32)
            for name, shape in shapes.items()}


def observe(cells):
    """How the tokens are spread. The others add in another order, so that a few become others, and
    what follows from them differs."""
    return {"mean": float(cells.mean()), "deviation": float(cells.std())}


def make(size, quick):
    """The contest on a picture of sixteen by nine."""
    height = size * 9 // 16
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lci-bench-tokens-"))
    save_weights(folder / "tokens.safetensors", weights())
    numpy.savez(folder / "tokens.npz", **weights())
    (folder / "bindings.json").write_text(json.dumps({"models": {"Model": {
        "file": str(PROGRAMS / "tokens.mlir"), "function": "Tokens",
        "weights": "tokens.safetensors"}}}))
    bound = ("--set", f"K={KINDS}", "--set", f"V={TOKENS}",
             "--bindings", str(folder / "bindings.json"))
    shape = (str(size), str(height), str(folder / "tokens.npz"))
    peers = {name: (f"{name}_tokens.py", shape) for name in ("jax", "torch")}
    return Contest(
        program="video step, 10 tokens of 4096", size=f"{size}×{height}", unit="K commits/s",
        work=size * height * 1e-3, epochs=1,
        source="benchmarks/programs/tokens.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={height}", *bound), value="Cell",
        dtype="int32", peers={} if quick else peers, observe=observe, check_epochs=1,
        check_arguments=("--set", "W=3", "--set", "H=4", *bound),
        limits={"fma": size * height * (NUMBERS * HIDDEN + HIDDEN * TOKENS) / 16},
        roofline="264 thousand fused multiply-adds a commit; two a cycle of 16 lanes bind")
