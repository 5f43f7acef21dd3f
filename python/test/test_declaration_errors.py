"""Declarations that are wrong: an error at their Python line, with a caret and a hint."""

import pytest
from traced import grid, refused, refused_rule

import lmpm
from lmpm import F32, N4, N8, Grid, Grid2D, Grid3D, Moore, Scalar, Seq, Token

t, x, y = lmpm.indices("t x y")


# Declarations --------------------------------------------------------------------------------------

def test_types_and_shapes():
    def make():
        lmpm.Program().value("Cell", 2, Scalar)  # wrong
    refused(make, "expected a type, such as Token(2), but got 2", "", "wrong-type")

    def shape():
        lmpm.Program().value("Cell", Token(2), (8, 8))  # wrong
    refused(shape, "expected a shape, such as Grid2D(\"W\", \"H\"), but got (8, 8)", "", "wrong-type")

    def param():
        lmpm.Program().param("beta", float)  # wrong
    refused(param, "expected a type, such as F32, but got <class 'float'>", "", "wrong-type")

    deep = []
    for _ in range(100000):
        deep = [deep]

    def nested():
        lmpm.Program().value("Cell", Token(deep), Scalar)  # wrong
    refused(nested, "expected a traced value or a number, but got list <list nested too deep to show>",
            "a vector is lmpm.concat(…)", "wrong-type")

    def type_of():
        lmpm.Program().value("Cell", deep, Scalar)  # wrong
    refused(type_of, "expected a type, such as Token(2), but got <list nested too deep to show>", "",
            "wrong-type")

    def policy():
        lmpm.Program().commit("Cell", "accept")  # wrong
    refused(policy, "expected a value, but got 'Cell'", "", "wrong-type")


def test_a_formula_is_a_function():
    def make():
        lmpm.Program().formula("wave")  # wrong
    refused(make, "a formula is a function, whose name it has", "write @program.formula above 'def'", "missing-part")


def test_names():
    def make():
        lmpm.Program().value("my cell", Token(2), Scalar)  # wrong
    hint = "names consist of A-Z a-z 0-9 _ and are no words of the language"
    refused(make, "'my cell' cannot be a name", hint, "syntax", at="lmpm.Program()")

    def reserved():
        lmpm.Program().param("rule", F32)  # wrong
    refused(reserved, "'rule' cannot be a name", hint, "syntax")

    def size():
        lmpm.Program().value("Cell", Token(2), Seq("W/8"))  # wrong
    refused(size, "'W/8' cannot be a name", hint, "syntax")

    def indices():
        lmpm.Program().value("Cell", Token(2), Grid2D(2, 3), indices="x y z")  # wrong
    refused(indices, "'Cell' has 2 axes, but got 3 names of indices", "", "wrong-arity")

    def axes():
        lmpm.Program().value("Cell", Token(2), Grid(*[1] * 17)).program.module  # wrong
    refused(axes, "expected at most 16 axes, but got 17", "two axes of 2 and 3 cells can be one of 6", "wrong-arity")


def test_sixteen_axes_have_names():
    program = lmpm.Program()
    cell = program.value("Cell", Token(2), Grid(*[1] * 16), init=0)
    cell.sees(cell)
    assert "Cell[i,j,k,l,m,n,p,q,r,s,t,u,v,w,x,y] <-" in program.to_lmpm()


def test_words():
    def make():
        lmpm.Program().value(3, Token(2), Scalar)  # wrong
    refused(make, "expected a name in quotes, but got 3", "", "wrong-type")

    def boundary():
        lmpm.Program().value("Cell", Token(2), Grid2D(2, 3), boundary=("open", None, 3))  # wrong
    refused(boundary, "expected a name in quotes, but got 3", "", "wrong-type")

    def policy():
        program, cell = grid()
        program.commit(cell, max)  # wrong
    refused(policy, "expected a name in quotes, but got <built-in function max>", "", "wrong-type")


def test_several_results():
    def rule(self):  # wrong
        return self, 1.0
    refused_rule(rule, "'Step' returns several things", "return lmpm.propose(value, score=…)",
                 "wrong-type")


def test_other_programs():
    def make():
        _, first = grid()
        second, cell = grid()
        second.rule("Step", on=cell)(
            lambda: first[x, y])  # wrong
    refused(make, "'Cell' is declared by another program",
            "one that was made before this one, for example by a notebook's cell",
            "undeclared-name", at="first[x, y]")


def test_annotations_that_are_strings():
    text = "from __future__ import annotations\n" \
        "def good(neighbors: N8): return neighbors.count()\n" \
        "def bad(neighbors: N9): return 1\n"
    namespace = {"N8": N8}
    exec(compile(text, "<annotated>", "exec"), namespace)
    program, cell = grid()
    program.rule(on=cell)(namespace["good"])
    with pytest.raises(lmpm.Error) as caught:
        program.rule(on=cell)(namespace["bad"])
    assert caught.value.message == "an annotation cannot be read: name 'N9' is not defined"
    assert str(caught.value).endswith("note: names in annotations are those of the module")


def test_strings():
    def make():
        lmpm.Program().observe("o", lmpm.Palette('a"b'))  # wrong
    refused(make, "a string has no quotes and no line breaks in it", "", "syntax")


def test_parameters():
    def rule(nera):  # wrong
        return nera.sum()
    message = "'nera' is no index of 'Cell', no label of what it sees and no read of the rule"
    refused_rule(rule, message, "did you mean 'near'?", "undeclared-name", at="nera")

    def unlike(frobnicate):  # wrong
        return 1
    refused_rule(unlike, message.replace("nera", "frobnicate"),
                 "what a parameter is called says what it is; known are x, y, near, self, "
                 "candidate, neighbors, prev_frame, epoch, e", "undeclared-name")


def test_functions_that_return_nothing():
    def step(self):  # wrong
        self + 1
    refused_rule(step, "'Step' returns nothing",
                 "a rule returns what it proposes for the cell it is on", "missing-part")

    def constraint():
        program, cell = grid()

        @program.require(on=cell)
        def calm(candidate):  # wrong
            pass
    refused(constraint, "'calm' returns nothing", "a constraint returns its condition",
            "missing-part")

    def formula():
        @lmpm.Program().formula
        def wave(x):  # wrong
            pass
    refused(formula, "this function returns nothing", "it returns an expression of its indices",
            "missing-part")


def test_heads_of_rules():
    def bare():
        program, cell = grid()

        @program.rule  # wrong
        def step():
            return 1
    refused(bare, "a rule needs what it is on", "@program.rule(on=cell)", "missing-part")

    def constraint():
        program, cell = grid()
        program.forbid("Lock")  # wrong
    refused(constraint, "this constraint needs a condition or what it is on",
            "@program.forbid(on=cell) before a function, or program.forbid(\"Name\", condition)",
            "missing-part")

    def anonymous():
        program, cell = grid()
        program.rule(on=cell)(lambda self: self)  # wrong
    refused(anonymous, "this function gives a rule or a constraint no name",
            "give one: @program.rule(\"Name\", on=cell)", "missing-part", at="lambda")

    def no_function():
        program, cell = grid()
        program.rule("Step", on=cell)(3)  # wrong
    refused(no_function, "expected a function, but got 3", "", "wrong-type")

    def no_value():
        program, cell = grid()
        program.rule("Step", on=3)(lambda self: self)  # wrong
    refused(no_value, "expected a value behind 'on', but got 3", "on=cell, or on=cell[x, y]",
            "wrong-type")

    def indices():
        program, cell = grid()
        program.rule("Step", on=cell[x + 1, y])(lambda self: self)  # wrong
    refused(indices, "expected a new name for each index behind 'on'",
            "conditions stand behind 'when'", "declared-twice")


def test_sources():
    def ranks():
        program, cell = grid()
        other = program.value("Other", Token(2), Seq("N"), init=0)
        cell.sees(other)  # wrong
    refused(ranks, "'Cell' has 2 axes and 'Other' 1", "say which cells: other[…]", "wrong-arity")

    def no_cells():
        _, cell = grid()
        cell.sees(cell[x, y] + 1)  # wrong
    refused(no_cells, "expected a value or cells of one, but got <traced (Cell[x, y] + 1)>",
            "for example cell, cell[N8] or cell[x + 1, y]", "wrong-type")

    def target():
        _, cell = grid()
        cell[x + 1, y].sees(cell)  # wrong
    refused(target, "left of 'sees' stands a name for each index",
            "x, y = lmpm.indices(\"x y\"); cell[x, y].sees(…)", "wrong-place")


def test_neighbourhoods():
    def axes():
        program = lmpm.Program()
        line = program.value("Line", Token(2), Seq("N"), init=0)
        line.sees(line[N8])  # wrong
    refused(axes, "'Line' has 1 axes, but got 0 indices and offsets of 2", "", "wrong-arity")

    def indices():
        program = lmpm.Program()
        block = program.value("Block", Token(2), Grid3D("T", "W", "H"), init=0)
        block.sees(block[t, x, Moore(2), y])  # wrong
    refused(indices, "offsets stand behind all indices", "as in cell[t, N8]", "wrong-place")

    def other_axes():
        program, cell = grid()
        block = program.value("Block", Token(2), Grid3D("T", "W", "H"), init=0)
        cell.sees(block[N4])  # wrong
    refused(other_axes, "the cells of this declaration have 2 axes, but this neighbourhood has one more",
            "say which cells: cell[x + dx, y + dy].when(isin((dx, dy), N8))", "wrong-arity")


def test_slices_without_an_end():
    def make():
        program = lmpm.Program()
        beta = program.param("beta", F32("N"))
        beta[2:]  # wrong
    refused(make, "this slice needs an end", "", "missing-part")


def test_empty_programs():
    with pytest.raises(lmpm.Error) as caught:
        lmpm.Program().module
    assert str(caught.value) == "error: the program has no declarations [missing-part]"
