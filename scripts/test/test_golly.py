"""Rules of Golly, imported and run on known patterns, against the same rules in NumPy.

Steppers here share nothing with the importer: arrangements and neighbourhoods are pictures.
"""

import itertools
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golly_steps import AROUND, count, neighbours, run_rule  # noqa: E402


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
    after = run_rule(tools, tmp_path, f"W{number}", cells, 9, compiled=True)
    for _ in range(9):
        cells = number >> (4 * np.roll(cells, 1) + 2 * cells + np.roll(cells, -1)) & 1
    assert (after == cells).all()


# Pictures of the neighbourhoods, in Golly's help, as conditions.
SHAPES = {"M": lambda x, y, r: True, "N": lambda x, y, r: abs(x) + abs(y) <= r,
          "C": lambda x, y, r: x * x + y * y <= r * r + r, "2": lambda x, y, r: x * x + y * y <= r * r,
          "B": lambda x, y, r: (x + y) % 2 == 1, "D": lambda x, y, r: (x + y) % 2 == 0,
          "+": lambda x, y, r: x * y == 0, "X": lambda x, y, r: abs(x) == abs(y),
          "*": lambda x, y, r: x * y == 0 or abs(x) == abs(y), "#": lambda x, y, r: 1 in (abs(x), abs(y)),
          "H": lambda x, y, r: abs(x - y) <= r, "A": lambda x, y, r: x * y == 0 or x == y,
          "3": lambda x, y, r: (x == 0 and y <= 0) or (y == 0 and x <= 0) or (x == y and x >= 0),
          "@": lambda x, y, r: ["x...x", "..x..", ".x.x.", "..x..", "x...x"][y + r][x + r] == "x"}


def large_step(cells, radius, shape, itself, born, survive, states):
    inside = SHAPES[shape[0]]
    offsets = [(x, y) for x in range(-radius, radius + 1) for y in range(-radius, radius + 1)
               if inside(x, y, radius) and ((x, y) != (0, 0) or itself)]
    n = sum((one == 1).astype(int) for one in neighbours(cells, offsets))
    lives = (cells == 0) & np.isin(n, born) | (cells == 1) & np.isin(n, survive)
    return np.where(lives, 1, np.where(cells == 0, 0, (cells + 1) % states))


@pytest.mark.parametrize("rule, arguments", [
    ("R5,C0,M1,S34..58,B34..45,NM", (5, "M", True, range(34, 46), range(34, 59), 2)),
    ("5,34,45,34,58", (5, "M", True, range(34, 46), range(34, 59), 2)),
    ("r3,c4,m0,s2..9,b4..8,nn", (3, "N", False, range(4, 9), range(2, 10), 4)),
    ("R2,C2,S2-3,5,B3,7-8,NC", (2, "C", False, [3, 7, 8], [2, 3, 5], 2)),
    ("R4,C3,S7-14,B8-13,N2", (4, "2", False, range(8, 14), range(7, 15), 3)),
    ("R3,C0,S4-9,B6-9,NB", (3, "B", False, range(6, 10), range(4, 10), 2)),
    ("R3,C2,S4-9,B6-9,ND", (3, "D", False, range(6, 10), range(4, 10), 2)),
    ("R3,C2,S3-5,B3-5,N+", (3, "+", False, range(3, 6), range(3, 6), 2)),
    ("R3,C2,S3-5,B3-5,NX", (3, "X", False, range(3, 6), range(3, 6), 2)),
    ("R3,C2,S6-9,B5-8,N*", (3, "*", False, range(5, 9), range(6, 10), 2)),
    ("R3,C2,S6-9,B5-8,N#", (3, "#", False, range(5, 9), range(6, 10), 2)),
    ("R3,C4,S6-14,B5-12,NH", (3, "H", False, range(5, 13), range(6, 15), 4)),
    ("R3,C2,S3-7,B4-6,NA", (3, "A", False, range(4, 7), range(3, 8), 2)),
    ("R2,C2,S1-3,B2-3,N3", (2, "3", False, range(2, 4), range(1, 4), 2)),
    ("R2,C2,S2-4,B3-4,N@891891", (2, "@", False, range(3, 5), range(2, 5), 2))])
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


@pytest.mark.parametrize("text, same", [
    ("23/3:T30,20", "B3/S23:T30,20"), ("B3/S23:T30,", "B3/S23:T30,30"), ("B3_S2-i34q", "B3/S2-i34q"), ("Life", "B3/S23"),
    ("#r 23/36\n#C old\nx = 3, y = 3\n3o!", "B36/S23"), ("x = 3, y = 3\n3o!", "B3/S23"),
    ("#N two\r\nx = 3, y = 3, rule = B3/S23,\r\n3o!\r\n", "B3/S23"), ("# a comment\n\n  B3/S23  \n\n", "B3/S23"),
    ("\ufeffB3/S23", "B3/S23"), ("\ufeffx = 3, y = 3, rule = B36/S23\n3o!", "B36/S23")])
def test_strings_that_say_the_same(tools, tmp_path, text, same):
    programs = []
    for one in (text, same):
        (tmp_path / "rule").write_bytes(one.encode())
        tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", "-o", tmp_path / "rule.mlir")
        programs.append(tools.run("lmpm-translate", "--export-lmpm", tmp_path / "rule.mlir").stdout.partition("\n")[2])
    assert programs[0] == programs[1]


def test_a_rule_is_no_file(tools, tmp_path):
    result = tools.run("lmpm-translate", "--import-golly", "B3/S23", check=False)
    assert result.returncode == 1 and "cannot open input file 'B3/S23'" in result.stderr
    assert "note: --import-golly reads a file: echo 'B3/S23' | lmpm-translate --import-golly" in result.stderr
    (tmp_path / "rule").write_text("B3/S2x")
    result = tools.run("lmpm-translate", "--import-golly", tmp_path / "rule", check=False)
    assert result.returncode == 1 and "reads a file" not in result.stderr
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("missing")
    for name in ("loop", "nowhere"):
        result = tools.run("lmpm-translate", "--import-golly", tmp_path / name, check=False)
        assert result.returncode == 1 and "cannot open input file" in result.stderr
        assert "reads a file" not in result.stderr
