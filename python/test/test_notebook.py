"""Cells of notebooks: programs in them, and what happens when they are run again."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

import lmpm


@pytest.fixture(name="shell")
def shell_fixture():
    shell = InteractiveShell.instance()
    yield shell
    InteractiveShell.clear_instance()


def test_a_cell_of_a_notebook_is_a_program(shell):
    shell.run_line_magic("load_ext", "lmpm")
    text = "value Cell : Token[2] shape Grid2D(W, H) init 0\n"
    assert shell.run_cell_magic("lmpm", "life", text) is shell.user_ns["life"]
    assert shell.user_ns["life"].to_lmpm() == lmpm.parse(text).to_lmpm()
    shell.run_cell_magic("lmpm", "", text)
    assert "program" in shell.user_ns
    with pytest.raises(lmpm.Error, match=r"bad\.lmpm:1:7: error: value 'Cell' has no shape"):
        shell.run_cell_magic("lmpm", "bad", "value Cell : Token[2]\n")
    with pytest.raises(lmpm.Error, match="expected the name of a variable behind %%lmpm, but got '2'"):
        shell.run_cell_magic("lmpm", "2", text)


def test_a_notebook_finds_what_it_shows(shell):
    program = lmpm.parse("value Cell : Token[2] shape Grid2D(4, 4) boundary wrap init 0\n"
                         "visible Cell[x,y] <- Cell[x,y]\n"
                         "rule R:\n  on Cell[x,y]\n  emit proposal Cell[x,y] := self\n"
                         "commit Cell[*] using accept\n", name="still.lmpm")
    run = program.compile().run()
    levels = program.levels()
    shown = {"text/html": [program, program.module, program.module.operation, levels, levels["ticks"],
                           run, run.compiled, run.report],
             "image/png": [run.picture("Cell"), run.animate("Cell", 2)],
             "image/svg+xml": [program.view("visibility")]}
    shell.display_formatter.active_types = ["text/plain", *shown]  # a notebook's
    for kind, things in shown.items():
        for thing in things:
            data, _ = shell.display_formatter.format(thing)
            assert set(data) == {"text/plain", kind}
            assert data["text/plain"] == repr(thing)


DECLARED = """
import lmpm
from lmpm import N8, Grid2D, Token
x, y = lmpm.indices("x y")
program = lmpm.Program()
"""
VALUE = """
cell = program.value("Cell", Token(2), Grid2D("W", "H"), init=0)
cell.sees(cell)
cell.sees(near=cell[N8])
program.commit(cell, "accept")
"""
RULE = """
@program.rule(on=cell)
def step(near):
    return near.max().or_else({})
program.observe("seen", cell[x, y].sum() + {})
"""


def run(shell, *cells):
    for cell in cells:
        shell.run_cell(cell, store_history=True).raise_error()
    return shell.user_ns["program"].to_lmpm()


def test_a_cell_that_is_run_again_declares_anew(shell):
    run(shell, DECLARED, VALUE, RULE.format(1, 1))
    again = run(shell, RULE.format(0, 2))
    assert again == run(shell, DECLARED, VALUE, RULE.format(0, 2))
    other = run(shell, VALUE.replace("(2)", "(3)"), RULE.format(0, 2))
    # What the value sees was dropped with it, and is declared behind the rest.
    assert sorted(other.splitlines()) == sorted(again.replace("[2]", "[3]").splitlines())


def test_one_cell_does_not_declare_twice(shell):
    with pytest.raises(lmpm.Error, match="'step' is declared twice"):
        run(shell, DECLARED + VALUE + RULE.format(1, 1) + RULE.format(1, 1))


def test_messages_show_the_cell(shell):
    with pytest.raises(lmpm.Error) as caught:
        run(shell, DECLARED + VALUE + RULE.format("None", 1))
    picture = str(caught.value).splitlines()
    assert picture[1:3] == ["    return near.max().or_else(None)", "           ^"]
