"""Tables and trees of Golly, imported and run, against the same ones in NumPy.

Steppers here share nothing with the importer: tables are searched from the top for each cell, trees are followed node
by node.
"""

import itertools
import re
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golly_steps import AROUND, count, neighbours, run_rule  # noqa: E402


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


def test_turned_and_mirrored_transitions_fit(tools, tmp_path):
    """Each of the table's five births stands for all turns by an eighth, and their mirror images."""
    rng = np.random.default_rng(5)
    cells = (rng.random((11, 10)) < 0.3).astype(int)
    after = run_rule(tools, tmp_path, LIFE_TABLE, cells, 1, compiled=True)
    born = (cells == 0) & (count(cells, 1) == 3)
    # No other arrangement of three among eight is left: each is one of five up to symmetry.
    assert (after == (cells | born)).all()


def test_electrons_run(tools, tmp_path):
    rng = np.random.default_rng(7)
    cells = rng.choice([0, 3, 3, 1, 2], (10, 12))
    after = run_rule(tools, tmp_path, WIRE, cells, 6, compiled=True)
    for _ in range(6):
        heads = count(cells, 1)
        wire = np.where((heads == 1) | (heads == 2), 1, 3)
        cells = np.choose(cells, [np.zeros_like(cells), np.full_like(cells, 2),
                                  np.full_like(cells, 3), wire])
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
    """Tables with variables that stand once, several times, and for what becomes of a cell. Which of several choices
    comes first matters there: the first name by the alphabet changes fastest, through its states as they stand."""
    rng = np.random.default_rng([ord(c) for c in near + symmetry])
    states, offsets = int(rng.integers(2, 6)), TABLES[near]
    variables = {name: rng.choice(states, int(rng.integers(1, states + 1)), replace=False).tolist()
                 for name in rng.permutation(list("abc"))}
    text = f"# made up\nn_states:{states}\nneighborhood:{near}\nsymmetries:{symmetry}\n"
    text += "".join(f"var {name}={{{','.join(map(str, of))}}}\n" for name, of in variables.items())
    transitions = []
    for _ in range(12):
        line = rng.choice(list(range(states)) * 2 + list("abc") * 3, len(offsets) + 1).tolist()
        inputs = [name for name in line if name in variables]
        output = str(rng.choice(inputs)) if inputs and rng.random() < 0.6 else str(rng.integers(states))
        text += ",".join(line + [output]) + "\n"
        several = sorted({name for name in inputs if (line + [output]).count(name) > 1}, reverse=True)
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
    after = run_rule(tools, tmp_path, text, cells, 1, compiled=True)
    known = {tuple(line[:5]): line[5] for line in reversed(lines.tolist())}
    n, e, s, w = neighbours(cells, TABLES["vonNeumann"])
    for x, y in np.ndindex(cells.shape):
        place = (cells[x, y], n[x, y], e[x, y], s[x, y], w[x, y])
        same = place[0] == 0 and place[1] == place[3] and place[2] == place[4]
        assert after[x, y] == (place[1] if same else known.get(place, place[0]))


def test_states_that_ask_different_cells(tools, tmp_path):
    """Each state asks for neighbours like it in places of its own: one tree for all states would have millions of
    numbers, and one for each has some thousands."""
    rng = np.random.default_rng(6)
    states, names = 18, [f"any{i}" for i in range(8)]
    everything = list(range(states))
    text = f"n_states:{states}\nneighborhood:Moore\nsymmetries:rotate4\n"
    text += f"var any0={{{','.join(map(str, everything))}}}\n" + "".join(f"var {name}=any0\n" for name in names[1:])
    transitions = []
    for state in everything[1:]:
        for centre, output in [(0, state), (state, 0)]:
            alike = rng.choice(8, int(rng.integers(2, 5)), replace=False)
            line = [str(state) if i in alike else names[i] for i in range(8)]
            text += ",".join([str(centre), *line, str(output)]) + "\n"
            transitions.append(([centre], [[state] if i in alike else everything for i in range(8)], output))
    patches = np.kron(rng.integers(1, states, (4, 4)), np.ones((5, 5), int))
    cells = np.where(rng.random((20, 20)) < 0.6, patches, 0)
    after = run_rule(tools, tmp_path, text, cells, 2, compiled=True)
    for _ in range(2):
        before, cells = cells, table_step(cells, transitions, TABLES["Moore"], "rotate4")
    assert (after == cells).all() and (before != cells).sum() > 20


PLAIN = """@RULE Made
@TABLE
n_states:4
neighborhood:vonNeumann
symmetries:rotate4reflect
var a={0,1,2}
var b={a,3}
var c={1}
0,a,a,0,0,1
1,a,b,a,b,a
2,b,0,0,3,c
3,1,2,0,a,a
"""
COLOURS = "@COLORS\n\n0 48 48 48  # dark\n1 255 0 0\n"
ICONS = '@ICONS\nXPM\n"7 7 2 1"\n". c #000000"\n"A c #FFFFFF"\n".......\n".AA.AA."\n'
STYLES = {
    "comments": PLAIN.replace("@TABLE", "Made up, after nobody's rule.\n\n@TABLE\n# the table:").replace(",1\n", ",1 # born\n"),
    "blanks": PLAIN.replace(":", ": ").replace(",", " , ").replace("{", "{ ").replace("var a", "  var  a"),
    "tabs": PLAIN.replace("0,a,a,0,0,1", "0\ta\ta\t0\t0\t1\t").replace("={", "\t=\t{").replace("var ", "var\t"),
    "spaces": PLAIN.replace("1,a,b,a,b,a", "1 a b a b a"),
    "carriage returns": PLAIN.replace("\n", "\r\n"),
    "old line ends": PLAIN.replace("\n", "\r"),
    "no line end": PLAIN.rstrip("\n"),
    "keywords": PLAIN.replace("n_states", "N_States").replace("symm", "Symm"),
    "symmetries first": PLAIN.replace("symmetries:rotate4reflect\n", "").replace("n_st", "symmetries:rotate4reflect\nn_st"),
    "no braces": PLAIN.replace("{1}", "1").replace("{a,3}", "a,3"),
    "no equals": PLAIN.replace("={0", "{0"),
    "a wrong brace": PLAIN.replace("2}", "2]"),
    "declared twice": PLAIN.replace("var c", "var a={3}\nvar a={0,1,2}\nvar c"),
    "long names": re.sub(r"\b([abc])\b", r"any|\1.0&", PLAIN),
    "colours behind": PLAIN + COLOURS + ICONS,
    "colours before": PLAIN.replace("@TABLE", "@NAMES\n0 nothing\n1 wire: n_states:9\n" + COLOURS + ICONS + "@TABLE"),
    "a tree behind": PLAIN + "@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=1\n",
    "old file": PLAIN.partition("@TABLE\n")[2],
}


@pytest.mark.parametrize("style", STYLES)
def test_styles_of_published_tables(tools, tmp_path, style):
    """What people and programs write for one and the same table."""
    def read(text):
        (tmp_path / "rule").write_bytes(text.encode())
        tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", "-o", tmp_path / "rule.mlir")
        return tools.run("lmpm-translate", "--export-lmpm", tmp_path / "rule.mlir").stdout.partition("\n")[2]

    assert STYLES[style] != PLAIN and read(STYLES[style]) == read(PLAIN)


def test_the_plain_table(tools, tmp_path):
    cells = np.random.default_rng(12).integers(0, 4, (14, 12))
    after = run_rule(tools, tmp_path, PLAIN, cells, 3, compiled=True)
    few, all_of = [0, 1, 2], [0, 1, 2, 3]
    transitions = [([0], [[a], [a], [0], [0]], 1) for a in few]
    transitions += [([1], [[a], [b], [a], [b]], a) for b in all_of for a in few]
    transitions += [([2], [all_of, [0], [0], [3]], 1)] + [([3], [[1], [2], [0], [a]], a) for a in few]
    for _ in range(3):
        cells = table_step(cells, transitions, TABLES["vonNeumann"], "rotate4reflect")
    assert (after == cells).all()


def test_too_many_cases(tools, tmp_path):
    lines = np.random.default_rng(1).integers(0, 256, (5000, 10))
    (tmp_path / "rule").write_text("n_states:256\nneighborhood:Moore\nsymmetries:none\n" +
                                   "".join(",".join(map(str, line)) + "\n" for line in lines))
    result = tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", check=False)
    assert result.returncode == 1
    assert "expected a rule that is a tree of at most 8388608 numbers, but this one has more" in result.stderr


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
    after = run_rule(tools, tmp_path, text, cells, 2, compiled=True)
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
