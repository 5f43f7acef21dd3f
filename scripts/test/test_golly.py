"""Rules of Golly, imported and run on known patterns, against the same rules in NumPy.

Steppers here share nothing with the importer: arrangements are pictures, tables are searched from the top for each
cell, trees are followed node by node.
"""

import itertools
import re

import numpy as np
import pytest

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
    sizes = [flag for name, size in zip("WH", cells.shape) for flag in ("--set", f"{name}={size}")]
    bounded = re.search(r":[TtPp]\d", rule)
    tools.run("lmpm-run", folder / "rule.mlir", *([] if bounded else sizes), "--input", f"Cell={folder / 'in.npy'}", "--epochs", epochs,
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


GLIDER = "#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n"


@pytest.mark.parametrize("bundled", [False, True])
def test_patterns_go_in_and_out(tools, tmp_path, bundled):
    """The head of a pattern has its rule; the pattern stands in the corner, in four epochs one cell from it."""
    (tmp_path / "glider.rle").write_text(GLIDER)
    tools.run("lmpm-translate", "--import-golly", tmp_path / "glider.rle", "-o", tmp_path / "p.mlir")
    files = ["--input", f"Cell={tmp_path / 'glider.rle'}", "--output", f"Cell={tmp_path / 'out.rle'}", "--epochs", 4]
    sizes = ["--set", "W=10", "--set", "H=8"]
    if bundled:
        tools.run("lmpm-translate", "--lci-to-bundle", tmp_path / "p.mlir", *sizes, "-o", tmp_path / "p.bundle")
        tools.run("lmpm-run-bundle", tmp_path / "p.bundle", *files)
    else:
        tools.run("lmpm-run", tmp_path / "p.mlir", *sizes, *files, "--check")
    assert (tmp_path / "out.rle").read_text() == "x = 10, y = 8\n$2bo$3bo$b3o!\n"


@pytest.mark.parametrize("value, said", [
    ("value V : F32 shape Grid2D(3, 3) init 0.0",
     "': expected tokens of at most 256 kinds, on one or two axes, as a pattern has them"),
    ("value V : Token[2] shape Grid3D(3, 3, 3) init 0", "expected tokens of at most 256 kinds, on one or two axes"),
    ("value V : Token[2] shape Grid2D(2, 3) init 0", "expected a pattern within 2 x 3 cells, but got a cell in column 2")])
def test_values_that_are_no_patterns(tools, tmp_path, value, said):
    (tmp_path / "glider.rle").write_text(GLIDER)
    cell = "V[" + ", ".join("ijk"[:value.count(",") + 1]) + "]"
    (tmp_path / "p.lmpm").write_text(f"{value}\nvisible {cell} <- {cell}\nrule R: on {cell} "
                                     f"emit proposal {cell} := self\ncommit V[*] using accept\n")
    result = tools.run("lmpm-run", tmp_path / "p.lmpm", "--input", f"V={tmp_path / 'glider.rle'}", check=False)
    assert result.returncode == 1 and said in result.stderr


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


# Offsets (dx, dy) clockwise from the north, which is at smaller y.
AROUND = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def neighbours(cells, offsets=AROUND):
    """The states of each cell's neighbours, one array for each offset."""
    return [np.roll(cells, (-dx, -dy), (0, 1)) for dx, dy in offsets]


# One arrangement for each letter of up to four neighbours, as rows of cells; those of more neighbours are the
# ones of which the others are missing.
PICTURES = {
    1: {"c": "x.. ... ...", "e": ".x. ... ..."},
    2: {"c": "x.x ... ...", "e": ".x. x.. ...", "a": "xx. ... ...", "i": "... x.x ...", "k": "x.. ..x ...",
        "n": "x.. ... ..x"},
    3: {"c": "x.x ... x..", "e": ".x. x.x ...", "a": "xx. x.. ...",
        "i": "xxx ... ...", "k": "..x x.. .x.", "n": "x.x x.. ...", "j": "... ..x xx.", "q": "xx. ... ..x", "r": "x.. x.x ...", "y": "x.. ..x x.."},
    4: {"c": "x.x ... x.x", "e": ".x. x.x .x.", "a": "xxx x.. ...", "i": "x.x x.x ...", "k": "xx. ..x x..",
        "n": "xxx ... x..", "j": ".x. x.x x..", "q": "xx. x.. ..x", "r": "xx. x.x ...", "y": "x.x ..x x..",
        "t": "x.. x.x x..", "w": ".xx x.. x..", "z": "x.. x.x ..x"}}


def symmetric(picture):
    """All turns and mirror images, as tuples of the eight neighbours of AROUND."""
    cells = np.array([list(row) for row in picture.split()]) == "x"
    turns = [np.rot90(one, k) for one in (cells, cells[:, ::-1]) for k in range(4)]
    return {tuple(int(one[1 + dy, 1 + dx]) for dx, dy in AROUND) for one in turns}


def arrangements(number, letter):
    if number <= 4:
        return symmetric(PICTURES[number][letter])
    return {tuple(1 - x for x in one) for one in symmetric(PICTURES[8 - number][letter])}


def parse_counts(text):
    """The arrangements that `2-a34q` lists."""
    found = set()
    parts = [part for part in "".join(" " + c if c.isdigit() else c for c in text).split()]
    for part in parts:
        number, letters = int(part[0]), part[1:].lstrip("-")
        all_of = {one for one in itertools.product((0, 1), repeat=8) if sum(one) == number}
        listed = set().union(*(arrangements(number, letter) for letter in letters)) if letters else all_of
        found |= all_of - listed if part[1:].startswith("-") else listed
    return found


def test_letters_are_all_arrangements():
    """Each arrangement of one to four neighbours has one letter: the pictures here are complete."""
    for number, letters in PICTURES.items():
        sets = [symmetric(picture) for picture in letters.values()]
        assert sum(map(len, sets)) == len(set().union(*sets))
        assert len(set().union(*sets)) == len(list(itertools.combinations(range(8), number)))


@pytest.mark.parametrize("rule, states", [
    ("B2-a/S12", 2), ("B3/S2-i34q", 2), ("b2ce3aik4t5y6n7c/s1e2kn34wz5-r6ci7e8", 2), ("B2-a/S12/C4", 4),
    ("12/2-a/3", 3), ("S2-i34q/B3", 2), ("B3S23", 2), ("B0c/S", None)])
def test_arrangements_have_letters(tools, tmp_path, rule, states):
    if states is None:
        (tmp_path / "rule").write_text(rule)
        result = tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", check=False)
        assert result.returncode == 1 and "expected a rule as" in result.stderr
        return
    cells = np.random.default_rng(21).integers(0, states, (17, 14))
    after = run_rule(tools, tmp_path, rule, cells, 4)
    survive, born = ((rule.split("/")[0], rule.split("/")[1]) if rule[0].isdigit() else
                     [next(part[1:] for part in rule.lower().replace("b", "/b").replace("s", "/s").split("/")
                           if part[:1] == letter) for letter in "sb"])
    survive, born = parse_counts(survive), parse_counts(born)
    for _ in range(4):
        near = np.stack([cells_near == 1 for cells_near in neighbours(cells)], -1).astype(int)
        lives = np.array([[tuple(near[x, y]) in (survive if cells[x, y] == 1 else born)
                           and cells[x, y] <= 1 for y in range(cells.shape[1])] for x in range(cells.shape[0])])
        cells = np.where(lives, 1, np.where(cells == 0, 0, (cells + 1) % states))
    assert (after == cells).all()


@pytest.mark.parametrize("digits, seen", [(86, [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]),
                                          (22, [(-1, -1), (0, -1), (-1, 0), (0, 0), (1, 0), (0, 1), (1, 1)]),
                                          (6, [(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)])])
def test_maps_have_all_cases(tools, tmp_path, digits, seen):
    """The cells, by rows from the north-west, are the bits of a case's number, the first one the highest."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rng = np.random.default_rng(digits)
    text = "".join(rng.choice(list(alphabet), digits))
    bits = "".join(f"{alphabet.index(c):06b}" for c in text)
    cells = rng.integers(0, 2, (15, 13))
    after = run_rule(tools, tmp_path, "MAP" + text, cells, 2)
    for _ in range(2):
        number = sum(near << (len(seen) - 1 - i) for i, near in enumerate(neighbours(cells, seen)))
        cells = np.vectorize(lambda case: int(bits[case]))(number)
    assert (after == cells).all()


@pytest.mark.parametrize("number", [30, 45, 110])
def test_one_dimension(tools, tmp_path, number):
    cells = np.random.default_rng(number).integers(0, 2, 71)
    after = run_rule(tools, tmp_path, f"W{number}", cells, 9)
    for _ in range(9):
        cells = number >> (4 * np.roll(cells, 1) + 2 * cells + np.roll(cells, -1)) & 1
    assert (after == cells).all()


def large_step(cells, radius, shape, itself, born, survive, states):
    inside = {"M": lambda x, y: True, "N": lambda x, y: abs(x) + abs(y) <= radius,
              "C": lambda x, y: x * x + y * y <= radius * radius + radius}[shape]
    offsets = [(x, y) for x in range(-radius, radius + 1) for y in range(-radius, radius + 1)
               if inside(x, y) and ((x, y) != (0, 0) or itself)]
    n = sum((one == 1).astype(int) for one in neighbours(cells, offsets))
    lives = (cells == 0) & np.isin(n, born) | (cells == 1) & np.isin(n, survive)
    return np.where(lives, 1, np.where(cells == 0, 0, (cells + 1) % states))


@pytest.mark.parametrize("rule, arguments", [
    ("R5,C0,M1,S34..58,B34..45,NM", (5, "M", True, range(34, 46), range(34, 59), 2)),
    ("5,34,45,34,58", (5, "M", True, range(34, 46), range(34, 59), 2)),
    ("r3,c4,m0,s2..9,b4..8,nn", (3, "N", False, range(4, 9), range(2, 10), 4)),
    ("R2,C2,S2-3,5,B3,7-8,NC", (2, "C", False, [3, 7, 8], [2, 3, 5], 2))])
def test_larger_than_life(tools, tmp_path, rule, arguments):
    cells = np.random.default_rng(8).integers(0, arguments[-1], (23, 19))
    after = run_rule(tools, tmp_path, rule, cells, 3)
    for _ in range(3):
        cells = large_step(cells, *arguments)
    assert (after == cells).all()


@pytest.mark.parametrize("bounds, mode", [(":T11,9", "wrap"), (":P11,9", "constant"), (":t11,9", "wrap")])
@pytest.mark.parametrize("rule", ["B3/S23", "B2-a/S12"])
def test_bounded_grids(tools, tmp_path, rule, bounds, mode):
    cells = np.random.default_rng(4).integers(0, 2, (11, 9))
    after = run_rule(tools, tmp_path, rule + bounds, cells, 3)
    survive, born = (parse_counts(part[1:]) for part in reversed(rule.split("/")))
    for _ in range(3):
        padded = np.pad(cells, 1, mode=mode)
        near = np.stack([padded[1 + dx:12 + dx, 1 + dy:10 + dy] for dx, dy in AROUND], -1)
        cells = np.array([[int(tuple(near[x, y]) in (survive if cells[x, y] else born)) for y in range(9)]
                          for x in range(11)])
    assert (after == cells).all()


# Of each neighbourhood the offsets in the order of tables, and the cyclic order that symmetries turn.
TABLES = {"Moore": AROUND, "vonNeumann": AROUND[::2], "oneDimensional": [(-1, 0), (1, 0)],
          "hexagonal": [AROUND[i] for i in (0, 2, 3, 4, 6, 7)]}
SYMMETRIES = {"none": (1, False), "rotate4": (4, False), "rotate8": (8, False), "rotate4reflect": (4, True),
              "rotate8reflect": (8, True), "reflect_horizontal": (1, True), "reflect": (1, True), "rotate2": (2, False),
              "rotate3": (3, False), "rotate6": (6, False), "rotate6reflect": (6, True)}


def orders(symmetry, count):
    """Every order of `count` neighbours that a symmetry makes of one."""
    if symmetry == "permute":
        return set(itertools.permutations(range(count)))
    turns, mirrors = SYMMETRIES[symmetry]
    found = set()
    for turn in range(0, count, count // turns):
        for sign in (1, -1) if mirrors else (1,):
            # Of two, the mirror image of one is the other; of more, the north stays.
            start = 1 if count == 2 and sign < 0 else 0
            found.add(tuple((start + sign * i + turn) % count for i in range(count)))
    return found


def table_step(cells, transitions, offsets, symmetry):
    """The first transition that fits in some order; a transition is lists of states, and what becomes."""
    near = np.stack(neighbours(cells, offsets), -1)
    all_orders = orders(symmetry, len(offsets))

    def becomes(x, y):
        for centre, places, output in transitions:
            if cells[x, y] in centre and any(all(near[x, y][i] in places[order[i]] for i in range(len(offsets)))
                                             for order in all_orders):
                return output
        return cells[x, y]

    return np.array([[becomes(x, y) for y in range(cells.shape[1])] for x in range(cells.shape[0])])


CASES = [(near, symmetry) for near, symmetries in {
    "Moore": ["none", "rotate4", "rotate8", "rotate4reflect", "rotate8reflect", "reflect_horizontal"],
    "vonNeumann": ["none", "rotate4", "rotate4reflect", "reflect_horizontal", "permute"],
    "hexagonal": ["none", "rotate2", "rotate3", "rotate6", "rotate6reflect", "permute"],
    "oneDimensional": ["none", "reflect", "permute"]}.items() for symmetry in symmetries]


@pytest.mark.parametrize("near, symmetry", CASES)
def test_random_tables(tools, tmp_path, near, symmetry):
    """Tables with variables that stand once, several times, and for what becomes of a cell."""
    rng = np.random.default_rng([ord(c) for c in near + symmetry])
    states, offsets = int(rng.integers(2, 6)), TABLES[near]
    variables = {name: sorted(rng.choice(states, int(rng.integers(1, states + 1)), replace=False).tolist())
                 for name in "abc"}
    text = f"# made up\nn_states:{states}\nneighborhood:{near}\nsymmetries:{symmetry}\n"
    text += "".join(f"var {name}={{{','.join(map(str, of))}}}\n" for name, of in variables.items())
    transitions = []
    for _ in range(12):
        line = rng.choice(list(range(states)) * 2 + list("abc") * 3, len(offsets) + 1).tolist()
        inputs = [name for name in line if name in variables]
        output = str(rng.choice(inputs)) if inputs and rng.random() < 0.3 else str(rng.integers(states))
        text += ",".join(line + [output]) + "\n"
        several = sorted({name for name in inputs if (line + [output]).count(name) > 1})
        for chosen in itertools.product(*(variables[name] for name in several)):
            bound = dict(zip(several, chosen))
            places = [[bound[one]] if one in bound else variables.get(one) or [int(one)] for one in line]
            transitions.append((places[0], places[1:], bound[output] if output in bound else int(output)))
    cells = rng.integers(0, states, (9, 8))
    after = run_rule(tools, tmp_path, text, cells, 2)
    for _ in range(2):
        cells = table_step(cells, transitions, offsets, symmetry)
    assert (after == cells).all()


def test_many_transitions(tools, tmp_path):
    """Two variables over all of twenty states, each of which stands twice: 400 transitions, and more."""
    text = "n_states:20\nneighborhood:vonNeumann\nsymmetries:none\n"
    text += "".join(f"var {name}={{{','.join(map(str, range(20)))}}}\n" for name in "ab") + "0,a,b,a,b,a\n"
    rng = np.random.default_rng(2)
    lines = rng.integers(0, 20, (5000, 6))
    text += "".join(",".join(map(str, line)) + "\n" for line in lines)
    cells = rng.choice(20, (16, 15), p=[0.6] + [0.4 / 19] * 19)
    after = run_rule(tools, tmp_path, text, cells, 1)
    known = {tuple(line[:5]): line[5] for line in reversed(lines.tolist())}
    n, e, s, w = neighbours(cells, TABLES["vonNeumann"])
    for x, y in np.ndindex(cells.shape):
        place = (cells[x, y], n[x, y], e[x, y], s[x, y], w[x, y])
        same = place[0] == 0 and place[1] == place[3] and place[2] == place[4]
        assert after[x, y] == (place[1] if same else known.get(place, place[0]))


def test_too_many_cases(tools, tmp_path):
    lines = np.random.default_rng(1).integers(0, 256, (3000, 10))
    (tmp_path / "rule").write_text("n_states:256\nneighborhood:Moore\nsymmetries:none\n" +
                                   "".join(",".join(map(str, line)) + "\n" for line in lines))
    result = tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", check=False)
    assert result.returncode == 1
    assert "expected a rule that is a tree of at most 1048576 numbers, but this one has more" in result.stderr


@pytest.mark.parametrize("count, states", [(4, 6), (8, 3)])
def test_random_trees(tools, tmp_path, count, states):
    """A tree of random nodes, some of which are shared, followed from its root for each cell."""
    rng = np.random.default_rng(count)
    nodes, levels = [], []
    for depth in range(1, count + 2):
        below = levels[-1] if levels else None
        number = 1 if depth == count + 1 else int(rng.integers(2, 12))
        levels.append([])
        for _ in range(number):
            children = rng.integers(0, states, states) if below is None else rng.choice(below, states)
            levels[-1].append(len(nodes))
            nodes.append((depth, children.tolist()))
    text = f"@RULE Made\n@TREE\nnum_states={states}\nnum_neighbors={count}\nnum_nodes={len(nodes)}\n"
    text += "".join(f"{depth} {' '.join(map(str, children))}\n" for depth, children in nodes) + "@COLORS\n0 1 2 3\n"
    cells = rng.integers(0, states, (12, 11))
    after = run_rule(tools, tmp_path, text, cells, 2)
    places = [(-1, -1), (1, -1), (-1, 1), (1, 1)] * (count == 8) + [(0, -1), (-1, 0), (1, 0), (0, 1), (0, 0)]
    for _ in range(2):
        near = np.stack(neighbours(cells, places), -1)
        new = np.zeros_like(cells)
        for x, y in np.ndindex(cells.shape):
            at = len(nodes) - 1
            for state in near[x, y]:
                at = nodes[at][1][state]
            new[x, y] = at
        cells = new
    assert (after == cells).all()


@pytest.mark.parametrize("symmetry", ["none", "rotate4", "rotate2", "reflect_horizontal", "rotate4reflect", "permute"])
def test_blocks_change_together(tools, tmp_path, symmetry):
    """Blocks of two by two, at even cells in even epochs and at odd ones in odd epochs."""
    rng = np.random.default_rng(len(symmetry))
    lines = rng.integers(0, 3, (14, 8)).tolist()
    text = f"@TABLE\nn_states:3\nneighborhood:Margolus\nsymmetries:{symmetry}\n"
    text += "".join(",".join(map(str, line[:4])) + " : " + ",".join(map(str, line[4:])) + "\n" for line in lines)
    turned, mirrored = [2, 0, 3, 1], [1, 0, 3, 2]  # of north-west, north-east, south-west, south-east
    group = {(0, 1, 2, 3)}
    while True:
        more = set(group)
        for one in group:
            if "rotate4" in symmetry:
                more.add(tuple(one[i] for i in turned))
            if "rotate2" in symmetry:
                more.add(tuple(one[turned[i]] for i in turned))
            if "reflect" in symmetry:
                more.add(tuple(one[i] for i in mirrored))
        if more == group:
            break
        group = more
    if symmetry == "permute":
        group = set(itertools.permutations(range(4)))
    cells = rng.integers(0, 3, (12, 10))
    after = run_rule(tools, tmp_path, text, cells, 5)
    if symmetry in ("permute", "rotate4", "rotate2", "rotate4reflect", "reflect_horizontal"):
        # Where a block fits in several orders that say different things, which one counts is nobody's promise.
        fits = {}
        for line in lines:
            for order in group:
                key = tuple(line[i] for i in order)
                fits.setdefault(key, [])
                fits[key].append((lines.index(line), tuple(line[4 + i] for i in order)))
        clear = all(len({out for number, out in options if number == options[0][0]}) == 1 for options in fits.values())
        if not clear:
            return
    for epoch in range(5):
        cells = np.roll(cells, (-(epoch % 2), -(epoch % 2)), (0, 1))
        for x, y in itertools.product(range(0, 12, 2), range(0, 10, 2)):
            block = (cells[x, y], cells[x + 1, y], cells[x, y + 1], cells[x + 1, y + 1])
            found = next((tuple(line[4 + i] for i in order) for line in lines for order in sorted(group)
                          if tuple(line[i] for i in order) == block), block)
            cells[x, y], cells[x + 1, y], cells[x, y + 1], cells[x + 1, y + 1] = found
        cells = np.roll(cells, (epoch % 2, epoch % 2), (0, 1))
    assert (after == cells).all()
