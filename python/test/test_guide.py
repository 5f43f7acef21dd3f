"""Executes docs/python-language.md and docs/python.md: their blocks in order, and each row of the
tables of expressions."""

import contextlib
import io
import linecache
import pathlib
import re

import pytest

import lmpm
from lmpm import F32, I32, N4, N8, Grid2D, Latent, Token

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = (SOURCE / "docs/python-language.md").read_text()


def blocks_of(page):
    return re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


BLOCKS = blocks_of(PAGE)


def execute(text, namespace):
    """Runs a block, whose messages show its own lines, and returns what it prints."""
    linecache.cache["guide.py"] = (len(text), None, text.splitlines(keepends=True), "guide.py")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "guide.py", "exec"), namespace)
    return printed.getvalue()


def run_blocks(blocks):
    """Runs blocks of Python in order, compares what they print, and returns their names."""
    namespace = {}
    for (language, text), (following, expected) in zip(blocks, blocks[1:] + [("", "")]):
        if language == "python":
            printed = execute(text, namespace)
            lines = [line.rstrip() for line in printed.rstrip().splitlines()]
            assert following != "output" or lines == expected.splitlines()
    return namespace


def test_blocks_on_running_and_looking(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of((SOURCE / "docs/python.md").read_text())
    assert run_blocks(blocks) and len(blocks) > 20
    assert {path.name for path in tmp_path.iterdir()} == {
        "life.checkpoint", "life.png", "moving.png", "other.checkpoint", "visibility.svg"}


def test_blocks_run_and_print_what_they_say():
    namespace = run_blocks(BLOCKS)
    text = next(text for language, text in BLOCKS if language == "lmpm")
    program = lmpm.parse(text)
    assert str(namespace["program"].module) == str(program.module)
    assert namespace["program"].to_lmpm() == program.to_lmpm()


def test_the_first_result_of_the_readme(monkeypatch):
    monkeypatch.chdir(SOURCE)
    blocks = blocks_of((SOURCE / "README.md").read_text())
    at = [language for language, text in blocks].index("python")
    assert execute(blocks[at][1], {}) == blocks[at + 1][1]


def cells_of(row):
    return [re.findall(r"`(.*?)`", cell.replace("\\|", "|")) for cell in
            re.split(r"(?<!\\)\|", row)[1:-1]]


TABLE = PAGE[PAGE.index("| text | Python |"):].split("\n\n")[0].splitlines()[2:]
ROWS = [pair for row in TABLE for pair in zip(*cells_of(row))]

TEXT = """
param beta : F32
param level : I32[64]
param W1 : F32[4, 5]
value Cell : Token[64] shape Grid2D(W, H) boundary wrap init 0
value Vec : Latent[4] shape Grid2D(W, H) boundary wrap
value Out : F32 shape Grid2D(W, H) boundary wrap init 0.0
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
visible Cell[x,y] <- Vec[x,y]
rule R:
  on Cell[x,y]
  let c = self == 1
  let c2 = self < 2
  let v = Vec[x,y]
  emit proposal Cell[x,y] := self
  score {}
commit Cell[*] using satisfy(max_constraints_then_score)
"""


def in_python(expression):
    """The program of TEXT with an expression as score."""
    program = lmpm.Program()
    names = {"lmpm": lmpm, "N4": N4, "N8": N8}
    names.update(zip(["x", "y", "d", "dx", "dy"], lmpm.indices("x y d dx dy")))
    names["beta"] = program.param("beta", F32)
    names["level"] = program.param("level", I32(64))
    names["W1"] = program.param("W1", F32(4, 5))
    cell = names["cell"] = program.value("Cell", Token(64), Grid2D("W", "H"), boundary="wrap",
                                         init=0)
    vec = program.value("Vec", Latent(4), Grid2D("W", "H"), boundary="wrap")
    program.value("Out", F32, Grid2D("W", "H"), boundary="wrap", init=0.0)
    cell.sees(near=cell[N8])
    cell.sees(vec)

    @program.rule("R", on=cell)
    def rule(self, near, x, y):
        c = self == 1
        c2 = self < 2
        v = vec[x, y]
        return lmpm.propose(self, score=eval(expression, {
            **names, "self": self, "near": near, "c": c, "c2": c2, "v": v}))

    program.commit(cell, "satisfy", "max_constraints_then_score")
    return program


@pytest.mark.parametrize("text, python", ROWS, ids=[python for _, python in ROWS])
def test_a_row_says_the_same_twice(text, python):
    expected = TEXT.format(text)
    for name in ["c", "c2", "v"]:  # what is not used is not in the program
        if not re.search(rf"\b{name}\b", text):
            expected = re.sub(rf"  let {name} = .*\n", "", expected)
    assert str(in_python(python).module) == str(lmpm.parse(expected).module)


def test_rows_are_found():
    assert len(ROWS) > 60 and all(len(set(map(len, cells_of(row)))) == 1 for row in TABLE)
