"""The examples on few cells, as tests and kits for other machines take them."""

import pathlib

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
PROGRAMS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.glob("*/*.lmpm"))
# Rows of awkward lengths; the others are small as they are.
SIZES = {"life": (67, 33), "open": (70, 30), "ising": (130, 34), "metropolis": (70, 30),
         "sor": (66, 35), "gray-scott": (41, 37)}


def arguments(program, size=None):
    """A program of PROGRAMS with its bindings, on a grid of its own size or of this one."""
    words = [EXAMPLES / program, "--bindings", EXAMPLES / program.parent / "bindings.json"]
    for name, extent in zip("WH", size or SIZES.get(program.stem, ())):
        words += ["--set", f"{name}={extent}"]
    return words
