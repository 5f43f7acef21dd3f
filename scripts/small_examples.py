"""The examples on few cells, as tests and kits for other machines take them."""

import pathlib
import re

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
PROGRAMS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.glob("*/*.lmpm"))
# Rows of awkward lengths; the others are small as they are.
# Those of SIZES have a grid of any size.
SIZES = {"life": (67, 33), "open": (70, 30), "ising": (130, 34), "metropolis": (70, 30),
         "sor": (66, 35), "gray-scott": (41, 37)}

THRESHOLDS = EXAMPLES.parent / "include/LCI/Transforms/Support/Thresholds.def"


def crossing_sizes(most_cells=6500):
    """Grids of which one axis crosses a threshold of the compiler, once or thrice, and the other one is
    as short as shows it."""
    found = set()
    for number, measure in re.findall(r"LCI_THRESHOLD\(\w+, (\d+), (\w+),", THRESHOLDS.read_text()):
        for size in (factor * int(number) + more for factor in (1, 3) for more in (-1, 0, 1)):
            if measure == "Row":
                found.add((12, size))
            elif measure == "Rows":
                found.add((size, 37))
    return sorted((rows, row) for rows, row in found if rows * row <= most_cells and row > 2)


def arguments(program, size=None):
    """A program of PROGRAMS with its bindings, on a grid of its own size or of this one."""
    words = [EXAMPLES / program, "--bindings", EXAMPLES / program.parent / "bindings.json"]
    for name, extent in zip("WH", size or SIZES.get(program.stem, ())):
        words += ["--set", f"{name}={extent}"]
    return words
