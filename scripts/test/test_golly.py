"""Rules of Golly, imported and run on known patterns, against the same rules in NumPy."""

import numpy as np

LIFE_TABLE = """@RULE Life as a table
@TABLE
n_states:2
neighborhood:Moore
symmetries:rotate8reflect
var a={0,1}
# birth with three, in any arrangement up to turns
0,1,1,1,0,0,0,0,0,1
0,1,1,0,1,0,0,0,0,1
0,1,1,0,0,1,0,0,0,1
0,1,0,1,0,1,0,0,0,1
0,1,0,1,0,0,1,0,0,1
"""

WIRE = """@RULE WireWorld
@TABLE
n_states:4
neighborhood:Moore
symmetries:permute
var a={0,1,2,3}
var b={a}
var c={a}
var d={a}
var e={a}
var f={a}
var g={a}
var h={a}
var i={0,2,3}
var j={i}
var k={i}
var l={i}
var m={i}
var n={i}
var o={i}
1,a,b,c,d,e,f,g,h,2
2,a,b,c,d,e,f,g,h,3
3,1,i,j,k,l,m,n,o,1
3,1,1,i,j,k,l,m,n,1
"""


def run_rule(tools, folder, rule, cells, epochs):
    """What a rule makes of the cells."""
    (folder / "rule").write_text(rule)
    tools.run("lmpm-translate", "--import-golly", folder / "rule", "-o", folder / "rule.mlir")
    np.save(folder / "in.npy", cells.astype(np.int8))
    width, height = cells.shape
    tools.run("lmpm-run", folder / "rule.mlir", "--set", f"W={width}", "--set", f"H={height}",
              "--input", f"Cell={folder / 'in.npy'}", "--epochs", epochs,
              "--output", f"Cell={folder / 'out.npy'}", "--quiet", "--check")
    return np.load(folder / "out.npy")


def count(cells, state):
    """How many of the eight neighbours have the state."""
    mine = cells == state
    return sum(np.roll(mine, (dx, dy), (0, 1)).astype(int)
               for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))


def glider(size):
    cells = np.zeros((size, size), int)
    for x, y in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]:
        cells[x, y] = 1
    return cells


def test_a_glider_flies(tools, tmp_path):
    cells = glider(9)
    after = run_rule(tools, tmp_path, "B3/S23", cells, 12)
    assert (after == np.roll(cells, (3, 3), (0, 1))).all()


def test_high_life_differs(tools, tmp_path):
    rng = np.random.default_rng(3)
    cells = rng.integers(0, 2, (13, 8))
    after = run_rule(tools, tmp_path, "b36/s23", cells, 5)
    for _ in range(5):
        near = count(cells, 1)
        cells = np.where(cells == 1, np.isin(near, [2, 3]), np.isin(near, [3, 6])).astype(int)
    assert (after == cells).all()


def test_generations_age(tools, tmp_path):
    """Star Wars, in both spellings: what does not survive grows old, and only state 1 counts."""
    rng = np.random.default_rng(11)
    cells = rng.integers(0, 4, (12, 9))
    one = run_rule(tools, tmp_path, "B2/S345/C4", cells, 5)
    other = run_rule(tools, tmp_path, "345/2/4", cells, 5)
    for _ in range(5):
        near = count(cells, 1)
        stays = (cells == 1) & np.isin(near, [3, 4, 5]) | (cells == 0) & (near == 2)
        cells = np.where(stays, 1, np.where(cells == 0, 0, (cells + 1) % 4))
    assert (one == cells).all() and (other == cells).all()


def test_turned_and_mirrored_transitions_fit(tools, tmp_path):
    """Each of the table's five births stands for all turns by an eighth, and their mirror images."""
    rng = np.random.default_rng(5)
    cells = (rng.random((11, 10)) < 0.3).astype(int)
    after = run_rule(tools, tmp_path, LIFE_TABLE, cells, 1)
    born = (cells == 0) & (count(cells, 1) == 3)
    # No other arrangement of three among eight is left: each is one of five up to symmetry.
    assert (after == (cells | born)).all()


def test_electrons_run(tools, tmp_path):
    rng = np.random.default_rng(7)
    cells = rng.choice([0, 3, 3, 1, 2], (10, 12))
    after = run_rule(tools, tmp_path, WIRE, cells, 6)
    for _ in range(6):
        heads = count(cells, 1)
        wire = np.where((heads == 1) | (heads == 2), 1, 3)
        cells = np.choose(cells, [np.zeros_like(cells), np.full_like(cells, 2),
                                  np.full_like(cells, 3), wire])
    assert (after == cells).all()
