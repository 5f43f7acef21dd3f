"""The Ising model on a torus by heat bath, at the critical temperature; decisions exact to 32 bits.

The hand-written AVX-512 version draws the same bits, so its cells must be the same; the others draw
from generators of their own, and are compared by their energy after equilibration.
"""

import math

import numpy

from harness.rows import Contest

SIZES = (1024, 4096)
BETA = 0.4406868
STREAM = (3, 0)
SEED = 7


def thresholds():
    """⌈p 2^32⌉ for each sum of four neighbours, computed in f32 as the program does."""
    one, two, beta = numpy.float32(1), numpy.float32(-2), numpy.float32(BETA)
    found = []
    for total in range(5):
        exponent = two * beta * numpy.float32(2 * total - 4)
        chance = one / (one + numpy.float32(math.exp(float(exponent))))
        found.append(math.ceil(float(chance) * 2**32))
    return found


def observe(cells):
    """The energy of a bond on each axis. From the same start all stay near it for a while."""
    spins = 2.0 * cells - 1
    return {f"bonds on axis {axis}": float((spins * numpy.roll(spins, 1, axis)).mean())
            for axis in range(2)}


def make(size, quick):
    """The contest on a square."""
    numbers = [*map(str, thresholds())]
    shape = (str(size), str(size), str(SEED))
    arguments = shape + STREAM + tuple(numbers)
    small = ("--set", "W=64", "--set", "H=64", "--set", f"beta={BETA}", "--seed", SEED)
    peers = {name: (f"{name}_ising.py", (size, size, *numbers))
             for name in ("numba", "jax", "torch", "taichi")}
    if size <= 1024:  # a graph has an object for each of its nodes and edges
        peers["thrml"] = ("thrml_ising.py", (size, size, BETA))
    return Contest(
        program="Ising, heat bath", size=f"{size}²", unit="flips/ns", work=size * size * 1e-9,
        epochs=max(4, (30 if quick else 100) * 1024**2 // size**2),
        source="examples/ising/ising.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={size}", "--set", f"beta={BETA}",
                   "--seed", SEED),
        value="Spin", dtype="uint8",
        hand={"hand AVX-512": ("ising.cpp", ("avx512", *arguments)),
              "plain C++": ("ising.cpp", ("plain", *arguments))},
        peers={} if quick else peers,
        exact=("hand AVX-512",), observe=observe, check_arguments=small,
        limits={"philox": size * size / 16}, roofline="Philox: two of eight blocks for each 32 cells, then about 20 boolean operations "
                 "on 512 cells; the multiplier of the core binds, not memory")
