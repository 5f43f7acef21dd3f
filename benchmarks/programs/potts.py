"""The Potts model with eight states on a torus, by Gibbs sampling a little above the critical
temperature 1 / log(1 + sqrt(8)); compared by the energy."""

import math

import numpy

from harness.rows import Contest

SIZES = (1024,)
TEMPERATURE = 0.8
STATES = 8


def observe(cells):
    """How many neighbours on each axis are equal."""
    return {f"equal on axis {axis}": float((cells == numpy.roll(cells, 1, axis)).mean())
            for axis in range(2)}


def make(size, quick):
    """The contest on a square."""
    weights = [repr(math.exp(count / TEMPERATURE)) for count in range(5)]
    shape = (str(size), str(size), "7", *weights)
    bound = ("--set", f"Q={STATES}", "--set", f"T={TEMPERATURE}")
    peers = {name: (f"{name}_potts.py", shape)
             for name in ("numba", "jax", "torch")}
    return Contest(
        program="Potts, q = 8, Gibbs", size=f"{size}²", unit="flips/ns", work=size * size * 1e-9,
        epochs=(2 if quick else 5) * 1024**2 // size**2,
        source="benchmarks/programs/potts.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={size}", *bound), value="State",
        dtype="uint8",
        hand={"hand AVX-512": ("potts.cpp", ("avx512", *shape)),
              "plain C++": ("potts.cpp", ("plain", *shape))},
        peers={} if quick else peers, observe=observe, tolerance=0.01,
        check_arguments=("--set", "W=32", "--set", "H=32", *bound),
        limits={"vector": 320 * size * size / 64, "philox": size * size / 4},
        roofline="eight sums of weights and eight comparisons in f32, some 320 operations for 64 "
                 "cells with their draws; arithmetic binds")
