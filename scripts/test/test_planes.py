"""Small tokens are computed 64 at a time as boolean circuits. Here every operator of the language on
integers is such a circuit, on rows of awkward lengths, and is compared with the interpreter cell by
cell, tick by tick (`--check`).
"""

import os
import re

import pytest

EXPRESSIONS = [
    "(a + b) & 15", "(a + 3*b + 5) & 15", "abs(a - b)", "(a * b) & 15", "(a * b) >> 4", "a & b",
    "a | b", "a xor b", "(~a) & 15", "(a << 2) & 15", "(a << (b & 3)) & 15", "a >> (b & 3)",
    "max(a - b, 0)", "min(a, b)", "max(a, b)", "clamp(a - 2*b + 8, 0, 15)",
    "if a < b then a else 15 - b", "if a - b >= -3 then 1 else 0", "if a == b or a > 9 then b else a",
    "if not (a <= b) then (b + 1) & 15 else a", "(40503 >> a) & 1", "(x + a) & 15",
    "if x > y + a then b else a", "(a - b) & 15", "if x == W - 1 or y != 2 then a else b",
    "(a + b) % 11", "(a + b + 1) / 3", "(3*a + b) % 8", "(a * b) / 16",
]

DECLARATIONS = "value A{0} : Token[16] shape Grid2D(W, H) boundary {1} init randint(16)\n"
RULES = """
visible A{0}[x,y] <- A{0}[x+dx,y+dy] when dx in -2..2 and dy in -1..1
rule R{0}:
  on A{0}[x,y]
  let a = A{0}[x-1,y] {absent}
  let b = A{0}[x+2,y+1] {absent}
  emit proposal A{0}[x,y] := {expression}
schedule A{0}[*] using {schedule}
commit A{0}[*] using accept
"""
SIZES = "sizes=W={},sizes=H={}"


def program(boundary, schedule, expressions):
    """One value for each expression."""
    absent = "?? 3" if boundary == "open" else ""
    text = "".join(DECLARATIONS.format(i, boundary) for i in range(len(expressions)))
    return text + "".join(
        RULES.format(i, absent=absent, expression=expression, schedule=schedule)
        for i, expression in enumerate(expressions))


# Widths about the 64 cells of a word, one below the reach of the windows, heights of a row or two.
GRIDS = [("wrap", "all", 64, 3), ("wrap", "all", 1, 3), ("open", "all", 65, 2), ("clamp", "all", 63, 3),
         ("wrap", "red_black", 130, 4), ("open", "red_black", 129, 3), ("clamp", "four_color", 66, 3)]


@pytest.mark.parametrize("number", range(len(GRIDS)), ids=["-".join(map(str, grid)) for grid in GRIDS])
def test_every_operator_is_a_circuit(tools, tmp_path, number):
    """Each on one of the grids at least; `LCI_ALL_WAYS=1` has each on all of them."""
    boundary, schedule, width, height = GRIDS[number]
    step = 1 if os.environ.get("LCI_ALL_WAYS") else 12
    path = tmp_path / "planes.lmpm"
    path.write_text(program(boundary, schedule, EXPRESSIONS[number % step::step]))
    sizes = ["--set", f"W={height}", "--set", f"H={width}"]  # a row is along the last axis
    said = tools.run("lmpm-run", path, "--check", "--epochs", "2", "--seed", "5", *sizes)
    assert "all checked" in said.stdout


@pytest.mark.parametrize("schedule, parts", [("all", 1), ("four_color", 2)])
def test_they_are_computed_in_planes(tools, tmp_path, schedule, parts):
    """Four planes for each buffer of a value, for each part of a split row."""
    path = tmp_path / "planes.lmpm"
    path.write_text(program("wrap", schedule, EXPRESSIONS))
    level1 = tools.run("lmpm-translate", "--import-lmpm", path).stdout
    lowered = tools.run("lmpm-opt", "-", "--pass-pipeline=builtin.module(lci-bind{sizes=W=64,H=8},"
                        "lci-lower-rules,lci-to-linalg-pipeline)", stdin=level1).stdout
    signature = next(line for line in lowered.splitlines()
                     if re.match(r"\s*func.func @\w+\(", line) and '"first"' in line)
    planes = re.findall(r"memref<[0-9x]*xi64> {[^}]*lci.name = \"A(\d+)\", lci.role = \"scratch\"",
                        signature)
    assert {str(i) for i in range(len(EXPRESSIONS))} == set(planes)
    assert all(planes.count(name) % (4 * parts) == 0 for name in set(planes))


# What was wrong once: draws of rows of three groups of 32 cells, and a proposal that is drawn and
# then taken with a chance that depends on it.
BY_ROW = """value C : Token[2] shape Grid2D(W, H) init 0
rule R: on C[x,y] emit proposal C[x,y] := bernoulli(0.3)
commit C[*] using accept
"""
DRAWN_TWICE = """value C : Token[2] shape Grid2D(W, H) boundary wrap init randint(2)
visible C[x,y] <- C[x,y]
rule R:
  on C[x,y]
  emit proposal C[x,y] := if bernoulli(0.3) then 1 - self else self
  score 1.0 * candidate
commit C[*] using metropolis(temperature = 1.5)
"""


@pytest.mark.parametrize("text, width, height", [(BY_ROW, 64, 96), (DRAWN_TWICE, 64, 64)],
                         ids=["rows of three groups", "a draw that depends on another one"])
def test_draws_that_were_wrong(tools, tmp_path, text, width, height):
    path = tmp_path / "draws.lmpm"
    path.write_text(text)
    said = tools.run("lmpm-run", path, "--check", "--epochs", "4", "--seed", "3", "--set", f"W={width}",
                     "--set", f"H={height}")
    assert "all checked" in said.stdout


def test_spins_on_rows_of_six_groups(tools, source_dir):
    """Of either colour three."""
    folder = source_dir / "examples" / "ising"
    said = tools.run("lmpm-run", folder / "ising.lmpm", "--bindings", folder / "bindings.json", "--check",
                     "--epochs", "2", "--set", "W=32", "--set", "H=192")
    assert "all checked" in said.stdout
