"""Bounded grids of Golly and its other neighbourhoods, imported and run, against the same rules in NumPy.

A grid goes over its edges one at a time here, as Golly's help draws it.
"""

import os
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golly_steps import AROUND, BoundedGrid, run_rule  # noqa: E402

# What stands around each grid of the letters from A on, as Golly's help has it. Of shifted Klein bottles that draws
# another cell of the edge than Golly takes: these are what Golly does.
PICTURES = {
    "P4,3": "...... .ABCD. .EFGH. .IJKL. ......",
    "T4,3": "LIJKLI DABCDA HEFGHE LIJKLI DABCDA",
    "T4+1,3": "KLIJKL DABCDA HEFGHE LIJKLI ABCDAB",
    "T4,3+1": "HIJKLA LABCDE DEFGHI HIJKLA LABCDE",
    "K4*,3": "ILKJIL DABCDA HEFGHE LIJKLI ADCBAD",
    "K4,3*": "DIJKLA LABCDI HEFGHE DIJKLA LABCDI",
    "K4*+1,3": "LKJILK DABCDA HEFGHE LIJKLI DCBADC",
    "K3,4*+1": "LJKLJ IABCG FDEFD CGHIA LJKLJ IABCG",
    "C4,3": "ALKJID LABCDI HEFGHE DIJKLA IDCBAL",
    "S3": "AADGC AABCG BDEFH CGHII GCFII"}


@pytest.mark.parametrize("bounds", PICTURES)
def test_the_stepper_has_the_pictures(bounds):
    grid = BoundedGrid(bounds)
    for y, row in enumerate(PICTURES[bounds].split(), -1):
        for x, letter in enumerate(row, -1):
            place = grid.place(x, y)
            assert letter == ("." if place is None else chr(ord("A") + place[1] * grid.width + place[0]))


def life(near, cells, born, survive, states=2):
    n = sum((one == 1).astype(int) for one in near)
    lives = (cells == 0) & np.isin(n, born) | (cells == 1) & np.isin(n, survive)
    return np.where(lives, 1, np.where(cells == 0, 0, (cells + 1) % states))


GRIDS = [*PICTURES, "K4", "K4*-3,6", "K5*+2,4", "K4*+4,3", "T5-7,4", "T4,5-2", "T3,2+9", "C5,4", "S4", "k6,3*", "T1,7+3",
         "K1*,6", "K6*,1", "K2,2*+1", "C2", "C1,5", "C5,1", "S1", "S2", "T2,2", "T1,5", "P2,1", "T6,1"]
SIX = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)]
LIFE = {"B3/S23": (AROUND, [3], [2, 3], 2), "B2/S34H": (SIX, [2], [3, 4], 2), "B24/S1234V": (AROUND[::2], [2, 4], [1, 2, 3, 4], 2),
        "B2/S345/C4": (AROUND, [2], [3, 4, 5], 4)}


def check_life(tools, folder, rule, bounds):
    grid = BoundedGrid(bounds)
    offsets, born, survive, states = LIFE[rule]
    cells = np.random.default_rng(len(bounds)).integers(0, states, grid.shape)
    after = run_rule(tools, folder, f"{rule}:{bounds}", cells, 3)
    for _ in range(3):
        cells = life(grid.neighbours(cells, offsets), cells, born, survive, states)
    assert (after == cells).all()


ALL = bool(os.environ.get("LCI_ALL_WAYS"))


@pytest.mark.parametrize("bounds", GRIDS if ALL else [*PICTURES, *GRIDS[len(PICTURES)::2]])
def test_edges_are_joined(tools, tmp_path, bounds):
    check_life(tools, tmp_path, "B3/S23", bounds)


@pytest.mark.parametrize("bounds", ["T4+1,3", "K4*+1,3", "K3,4*", "C5,4", "S4", "S1"])
@pytest.mark.parametrize("rule", [rule for rule in LIFE if rule != "B3/S23"])
def test_edges_of_other_rules(tools, tmp_path, rule, bounds):
    check_life(tools, tmp_path, rule, bounds)


@pytest.mark.parametrize("bounds", GRIDS[1::2] if ALL else GRIDS[1::4])
def test_cells_that_are_asked_one_by_one(tools, tmp_path, bounds):
    """All cases of nine cells, each of which has a place of its own in the number of a case."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rng = np.random.default_rng(5)
    text = "".join(rng.choice(list(alphabet), 86))
    bits = "".join(f"{alphabet.index(c):06b}" for c in text)
    grid = BoundedGrid(bounds)
    cells = rng.integers(0, 2, grid.shape)
    after = run_rule(tools, tmp_path, f"MAP{text}:{bounds}", cells, 2)
    seen = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    for _ in range(2):
        number = sum(near << (8 - i) for i, near in enumerate(grid.neighbours(cells, seen)))
        cells = np.vectorize(lambda case: int(bits[case]))(number)
    assert (after == cells).all()


@pytest.mark.parametrize("bounds", ["T9,4", "P9,4", "K6,4*", "K6,4*+1", "K6*,4", "C5,4", "S5", "T6,4-1", "K5*"])
def test_one_dimension_draws_a_picture(tools, tmp_path, bounds):
    """On a grid with rows, cells live as the three above them say, and for good."""
    grid = BoundedGrid(bounds)
    cells = (np.random.default_rng(30).random(grid.shape) < 0.2).astype(int)
    after = run_rule(tools, tmp_path, f"W30:{bounds}", cells, 3)
    for _ in range(3):
        west, north, east = grid.neighbours(cells, [(-1, -1), (0, -1), (1, -1)])
        cells = cells | 30 >> (4 * west + 2 * north + east) & 1
    assert (after == cells).all()


@pytest.mark.parametrize("bounds", ["T7", "T7,1", "P7", "P1,1"])
def test_one_dimension_on_a_row(tools, tmp_path, bounds):
    grid = BoundedGrid(bounds.split(",")[0] + ",1")
    cells = np.random.default_rng(7).integers(0, 2, grid.width)
    after = run_rule(tools, tmp_path, f"W30:{bounds}", cells, 4, compiled=True)
    for _ in range(4):
        west, east = grid.neighbours(cells[:, None], [(-1, 0), (1, 0)])
        cells = 30 >> (4 * west[:, 0] + 2 * cells + east[:, 0]) & 1
    assert (after == cells).all()


@pytest.mark.parametrize("bounds", ["P5,4", "T5+2,3", "K4*+1,3", "K4,5*", "C3,4", "S4", "T1,2"])
def test_tables_and_trees(tools, tmp_path, bounds):
    """The name of a rule in its file may have a grid. Both say that a cell becomes three cells added, modulo 3."""
    grid = BoundedGrid(bounds)
    cells = np.random.default_rng(9).integers(0, 3, grid.shape)
    table = f"@RULE Sums:{bounds}\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:none\n"
    table += "".join(f"var {name}={{0,1,2}}\n" for name in "abc")
    table += "".join(f"a,{n},b,c,{w},{(n + 2 * w) % 3}\n" for n in range(3) for w in range(3))
    sums = [[(n + 2 * w) % 3 for w in range(3)] for n in range(3)]
    nodes = [f"1 {leaf} {leaf} {leaf}" for leaf in range(3)]            # the cell itself does not matter,
    nodes += [f"2 {i} {i} {i}" for i in range(3)]                       # nor the south,
    nodes += [f"3 {3 + i} {3 + i} {3 + i}" for i in range(3)]           # nor the east;
    nodes += ["4 " + " ".join(str(6 + leaf) for leaf in row) for row in sums] + ["5 9 10 11"]
    tree = f"@RULE Sums:{bounds}\n@TREE\nnum_states=3\nnum_neighbors=4\nnum_nodes={len(nodes)}\n" + "\n".join(nodes)
    after = [run_rule(tools, tmp_path, text + "\n", cells, 2) for text in (table, tree)]
    for _ in range(2):
        north, west = grid.neighbours(cells, [(0, -1), (-1, 0)])
        cells = (north + 2 * west) % 3
    assert (after[0] == cells).all() and (after[1] == cells).all()


# Larger than Life.

def triangle(radius, is_up):
    """The cells of a triangular grid that lie in a triangle: rows from the narrow end to the wide one and on."""
    rows = [(dy, 2 * radius + 1 + dy if dy < 0 else 2 * radius - dy) for dy in range(-radius, radius + 1)]
    return {(dx, dy if is_up else -dy) for dy, half in rows for dx in range(-half, half + 1)}


def picture(rows, radius):
    """Offsets and weights, from a picture by rows."""
    return {(x - radius, y - radius): weight for y, row in enumerate(rows) for x, weight in enumerate(row)}


def large_step(grid, cells, weights, born, survive, states=2, itself=False, flips=False, of_state=None):
    """`weights` has one for each offset; `flips` turns them upside down where x + y is odd."""
    of_state = of_state or [0, 1] + [0] * (states - 2)
    new = np.zeros_like(cells)
    for x, y in np.ndindex(cells.shape):
        n = 0
        for (dx, dy), weight in weights.items():
            place = grid.place(x + dx, y - dy if flips and (x + y) % 2 else y + dy)
            n += weight * of_state[0 if place is None else cells[place]]
        n += bool(itself and cells[x, y] == 1)
        lives = n in born if cells[x, y] == 0 else cells[x, y] == 1 and n in survive
        new[x, y] = 1 if lives else (cells[x, y] + 1) % states if cells[x, y] else 0
    return new


def without_centre(offsets):
    return {offset: 1 for offset in offsets if offset != (0, 0)}


TRIANGLES = without_centre(triangle(1, True)), without_centre(triangle(2, True))
GAUSS = {(x, y): (3 - abs(x)) * (3 - abs(y)) for x in range(-2, 3) for y in range(-2, 3)}
ONE_DIGIT = picture([[1, 2, 3], [4, 0, -1], [3, 2, 3]], 1)
TWO_DIGITS = picture([[8, 16, 8], [10, -5, 10], [8, 16, 9]], 1)
CORNERS = without_centre([(-2, -2), (-1, -2), (2, -1), (0, 1), (1, 2)])
LARGE = [
    ("R1,C2,S3-5,B4-6,NL", dict(weights=TRIANGLES[0], survive=range(3, 6), born=range(4, 7), flips=True)),
    ("R2,C0,M1,S9..20,B8..15,NL", dict(weights=TRIANGLES[1], survive=range(9, 21), born=range(8, 16), flips=True, itself=True)),
    ("R2,C4,S20-40,B18-30,NG", dict(weights=GAUSS, survive=range(20, 41), born=range(18, 31), states=4)),
    ("R2,C0,M1,S24..40,B18..30,NG", dict(weights=GAUSS, survive=range(24, 41), born=range(18, 31), itself=True)),
    ("R1,C2,S4-9,B5-8,NW123409323", dict(weights=ONE_DIGIT, survive=range(4, 10), born=range(5, 9))),
    ("R1,C0,M1,S20..40,B16..30,NW0810080a850a081009", dict(weights=TWO_DIGITS, survive=range(20, 41), born=range(16, 31))),
    ("r1,c4,s9-30,b6-20,nw123409323,012A", dict(weights=ONE_DIGIT, survive=range(9, 31), born=range(6, 21), states=4, of_state=[0, 1, 2, 10])),
    ("R1,C3,S9-30,B12-20,NW123409323,B12L", dict(weights=ONE_DIGIT, survive=range(9, 31), born=range(12, 21), states=3, of_state=[11, 1, 2], flips=True)),
    ("R1,C2,S4-9,B5-8,NW123409323L", dict(weights=ONE_DIGIT, survive=range(4, 10), born=range(5, 9), flips=True)),
    ("R1,C2,S4-9,B5-8,NW123409323H", dict(weights=ONE_DIGIT, survive=range(4, 10), born=range(5, 9))),
    ("R2,C2,S1-3,B2,N@C04042L", dict(weights=without_centre([]), survive=range(1, 4), born=[2], flips=True))]


def custom(digits, radius):
    """The cells of a square whose bits are set, its centre being left out."""
    width = 2 * radius + 1
    bits = f"{int(digits, 16):0{width * width - 1}b}"
    bits = bits[:len(bits) // 2] + "0" + bits[len(bits) // 2:]
    return without_centre((i % width - radius, i // width - radius) for i, bit in enumerate(bits) if bit == "1")


LARGE[-1][1]["weights"] = custom("C04042", 2)


#: `make test` takes one grid for each, `make test-long` three.
MANY = ALL
OTHER_GRIDS = ["T9,8", "T3,2", "K6*+1,5", "C7,6", "S7", "T7+2,6", "S2", "K2,3*"]


@pytest.mark.parametrize("rule, arguments, bounds", [
    (*one, bounds) for number, one in enumerate(LARGE)
    for bounds in (OTHER_GRIDS[number % 8], "P9,8", OTHER_GRIDS[(number + 3) % 8])[:3 if MANY else 1]])
def test_other_neighbourhoods(tools, tmp_path, rule, arguments, bounds):
    """Golly has these on planes and plain tori only; over an edge they go here as any others."""
    grid = BoundedGrid(bounds)
    cells = np.random.default_rng(len(rule)).integers(0, arguments.get("states", 2), grid.shape)
    after = run_rule(tools, tmp_path, f"{rule}:{bounds}", cells, 2)
    for _ in range(2):
        cells = large_step(grid, cells, **arguments)
    assert (after == cells).all()
