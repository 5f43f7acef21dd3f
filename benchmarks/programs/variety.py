"""Automata, fields and samplers that no pass was made for, each against what one would write by hand.

The others are compared with in the best form known; these say whether a program of somebody else's
comes out as well. Where randomness is drawn or floats are rounded in another order, cells are compared
by how many hold what, or by their means.
"""

import numpy

from harness.rows import Contest

PLANE = {"W": 1024, "H": 1024}
SPACE = {"D": 128, "W": 128, "H": 128}


def shares(cells):
    """The share of each token."""
    return {f"share of {token}": float((cells == token).mean()) for token in range(4)}


def moments(cells):
    """The mean of a field, and that of its squares."""
    return {"mean": float(cells.mean(dtype=numpy.float64)),
            "mean square": float((cells.astype(numpy.float64) ** 2).mean())}


# The file, what it is, its extents, what is compared (None: every cell), what binds it, and how much
# of that a cell needs: of 512 bits of logic a 512th, or a 16th where it is a number.
PROGRAMS = (
    ("brain", "Brian's Brain", PLANE, None, "22 operations on 512 cells in two planes",
     {"vector": 22 / 512}),
    ("cyclic", "cyclic automaton, 12 tokens", PLANE, None,
     "20 operations on 512 cells in four planes", {"vector": 20 / 512}),
    ("plurality", "plurality vote of four colours", PLANE, None,
     "110 operations on 512 cells in two planes", {"vector": 110 / 512}),
    ("bugs", "Larger than Life, radius 3", PLANE, None,
     "50 operations on 512 cells, of sums of seven in rows and columns", {"vector": 50 / 512}),
    ("life3", "Life in three dimensions", SPACE, None, "30 operations on 512 cells",
     {"vector": 30 / 512}),
    ("heat", "heat equation in three dimensions", SPACE, moments, "nine operations and 8 bytes",
     {"vector": 9 / 16, "bytes=16777216": 8}),
    ("excitable", "FitzHugh and Nagumo", PLANE, moments,
     "24 operations; several epochs go over memory together", {"vector": 24 / 16}),
    ("reaction", "Gray and Scott", PLANE, moments,
     "50 operations, of two fields; several epochs go over memory together", {"vector": 50 / 16}),
    ("epidemic", "epidemic with chances", PLANE, shares,
     "two draws, each a block of Philox for 16 cells", {"philox": 2 / 16}),
    ("voter", "voter model, red and black", PLANE, shares, "a block of Philox for four cells",
     {"philox": 1 / 4}),
)


def sizes_of(extents):
    """As `lmpm-run` takes them."""
    return tuple(word for name, extent in extents.items() for word in ("--set", f"{name}={extent}"))


def make_all(quick):
    """The contests."""
    for file, says, extents, observe, binds, needs in PROGRAMS:
        cells = numpy.prod(list(extents.values()))
        shape = tuple(str(extents.get(name, 1)) for name in ("D", "W", "H"))
        small = {name: 16 if name != "H" else 72 for name in extents}
        yield Contest(
            program=says, size="128³" if "D" in extents else "1024²", unit="cells/ns",
            work=float(cells) * 1e-9, epochs=20 if quick else 100,
            source=f"benchmarks/programs/variety/{file}.lmpm", arguments=sizes_of(extents),
            value="U" if observe is moments else "Cell",
            dtype="float32" if observe is moments else "uint8",
            hand={"hand": ("variety.cpp", (file, *shape))},
            exact=() if observe else ("hand",), observe=observe, tolerance=0.01, most_epochs=100,
            check_arguments=sizes_of(small), roofline=binds,
            limits={kind: float(cells) * amount for kind, amount in needs.items()})
