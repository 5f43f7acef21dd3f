"""Red-black successive over-relaxation of Poisson's equation in f32."""

import pathlib
import tempfile

import numpy

from harness.rows import Contest

SIZES = (1024, 4096)
OMEGA = 1.7


def right_hand_side(size):
    """What the program's formula says, in f32."""
    step = numpy.pi / (size - 1)
    wave = numpy.sin(step * numpy.arange(size))
    return (-2 * step**2 * numpy.outer(wave, wave)).astype(numpy.float32)


def observe(cells):
    """Two averages of the potential, and one of its differences."""
    return {"mean": float(cells.mean(dtype=numpy.float64)),
            "mean square": float((cells.astype(numpy.float64) ** 2).mean()),
            "roughness": float(numpy.abs(numpy.diff(cells, axis=1)).mean(dtype=numpy.float64))}


def make(size, quick):
    """The contest on a square."""
    source = pathlib.Path(tempfile.gettempdir()) / f"lci-bench-source-{size}.raw"
    right_hand_side(size).tofile(source)
    arguments = (str(size), str(size), str(OMEGA), str(source))
    peers = {name: (f"{name}_sor.py", arguments) for name in ("numba", "jax", "torch", "taichi")}
    return Contest(
        program="red-black SOR, f32", size=f"{size}²", unit="sites/ns", work=size * size * 1e-9,
        epochs=max(8, (100 if quick else 400) * 1024**2 // size**2),
        source="examples/sor/sor.lmpm",
        arguments=("--set", f"W={size}", "--set", f"H={size}"), value="U", dtype="float32",
        hand={"plain C++": ("sor.cpp", ("plain", *arguments)),
              "hand, blocked": ("sor.cpp", ("blocked", *arguments))},
        peers={} if quick else peers, observe=observe, tolerance=1e-4,
        check_arguments=("--set", "W=64", "--set", "H=64"),
        limits={f"bytes={4 * size * size}": 16 * size * size, "bytes=262144": 16 * size * size},
        roofline="seven operations and 16 bytes a site in a sweep of one colour after the other; "
                 "memory binds at 4096² unless epochs are blocked")
