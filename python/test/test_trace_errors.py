"""What cannot be traced or is wrong: an error at its Python line, with a caret and a hint."""

import math

import numpy
import pytest
from traced import grid, refused, refused_rule, same_rule

import lmpm
from lmpm import ANY, N8, Grid2D, Token

d, x, y = lmpm.indices("d x y")


# What asks a traced value for what it is -----------------------------------------------------------

NO_TRUTH = "a traced value has no truth while the program is made"
WHERE = "use lmpm.where(condition, a, b) instead of 'if'"
JOINS = "use & | ~ instead of 'and', 'or', 'not', with parentheses around comparisons"
CHAIN = "write (a < b) & (b < c) instead of a < b < c"


def test_if():
    def rule(self, near):
        if near.sum() == 3:  # wrong
            return 1
        return self
    refused_rule(rule, NO_TRUTH, WHERE, at="near.sum() == 3")


def test_a_conditional_expression():
    def rule(self):
        return 1 if self == 0 else 2  # wrong
    refused_rule(rule, NO_TRUTH, WHERE, at="self == 0")


def test_and():
    def rule(self, near):
        return lmpm.where((near.sum() == 3) and (self == 1), 1, 0)  # wrong
    refused_rule(rule, NO_TRUTH, JOINS)


def test_or_in_an_if():
    def rule(self, near):
        if self == 1 or near.sum() == 3:  # wrong
            return 1
        return 0
    refused_rule(rule, NO_TRUTH, JOINS)


def test_not():
    def rule(self):
        return lmpm.where(not self == 1, 1, 0)  # wrong
    refused_rule(rule, NO_TRUTH, JOINS)


def test_chains():
    def rule(self):
        return lmpm.where(0 < self < 3, 1, 0)  # wrong
    refused_rule(rule, NO_TRUTH, CHAIN, at="0 < self < 3")

    def missing_parentheses(self, near):
        return lmpm.where(self == 1 | near.sum() == 3, 1, 0)  # wrong
    refused_rule(missing_parentheses, NO_TRUTH, CHAIN)


def test_min_and_any_of_python():
    def rule(self, near):
        return min(self, near.sum())  # wrong
    refused_rule(rule, NO_TRUTH, "use lmpm.min(a, b)")

    def any_of(self):
        return lmpm.where(any([self == 1]), 1, 0)  # wrong
    refused_rule(any_of, NO_TRUTH, "use .any() of a family, or & and |")


def test_while_and_assert_get_all_hints():
    def rule(self):
        while self > 0:  # wrong
            pass
    refused_rule(rule, NO_TRUTH, f"{WHERE}; {JOINS}; {CHAIN}")


def test_iteration():
    def rule(near):
        return sum(near)  # wrong
    refused_rule(rule, "a traced value cannot be iterated over",
                 "reduce a family with a method, such as .sum(), or give an index")


def test_length():
    def rule(near):
        return len(near)  # wrong
    refused_rule(rule, "a traced value has no length while the program is made",
                 ".count() counts the members of a family")


def test_in():
    def rule(self, near):
        return lmpm.where(1 in near, 1, 0)  # wrong
    refused_rule(rule, "Python's 'in' cannot be traced", "use x.isin(members)")


@pytest.mark.parametrize("members", [{0, 1}, frozenset({0, 1}), {0: 1}])
def test_in_of_what_looks_up_hashes(members):
    def rule(self):
        return 1 if self in members else 0  # wrong
    refused_rule(rule, "Python's 'in' cannot be traced", "use x.isin(members)")


NO_KEY = "a traced value is no key while the program is made"
TABLE = "a table that cells look into is a parameter"


def test_keys():
    def with_default(self):
        return {0: 1}.get(self, 0)  # wrong
    refused_rule(with_default, NO_KEY, TABLE)

    def of_a_dictionary(self):
        return {0: 1, 1: 0}[self]  # wrong
    refused_rule(of_a_dictionary, NO_KEY, TABLE)

    def of_a_set(self):
        return len({self, 1})  # wrong
    refused_rule(of_a_set, NO_KEY, TABLE)


def test_names_that_are_no_text():
    with pytest.raises(lmpm.Error, match="expected a name in quotes, but got 3"):
        lmpm.Program(3)
    with pytest.raises(lmpm.Error, match="expected names with blanks between, but got None"):
        lmpm.indices(None)
    def surrogate():
        program = lmpm.Program("test")
        program.value("A\ud800", Token(2))  # wrong
    refused(surrogate, "expected text that UTF-8 can say, but got 'A\\ud800'", id="unreadable-text")
    with pytest.raises(lmpm.Error, match="expected text that UTF-8 can say for a program"):
        lmpm.parse("// \ud800\n")


def test_names_of_parameters():
    def rule(self, *near):  # wrong
        return self
    refused_rule(rule, "expected parameters with names of their own, but got '*near'",
                 "what a parameter is called says what it is", id="wrong-type")


def test_positional_parameters_are_as_others():
    def rule(self, /, near):
        return lmpm.where(near.sum() > 1, self, 0)
    same_rule(rule, "if sum(near) > 1 then self else 0")


def test_expressions_are_kept_by_what_they_are():
    assert {x: 1}[x] == 1 and len({x, y, x}) == 2


@pytest.mark.parametrize("function", [float, complex, math.sqrt])
def test_numbers(function):
    def rule(self):
        return function(self)  # wrong
    refused_rule(rule, "a traced value is no number while the program is made",
                 "numbers are converted where they are asked for; functions of math are there as "
                 "lmpm.exp, lmpm.sqrt, …")


@pytest.mark.parametrize("function", [int, math.trunc])
def test_integers(function):
    def rule(self):
        return function(self)  # wrong
    refused_rule(rule, "a traced value is no number while the program is made", "use lmpm.floor(x)")


TABLE = 'a table that cells look into is a parameter: table = program.param("table", I32(2)), read as table[x]'


@pytest.mark.parametrize("function", [range, [1, 2].__getitem__])
def test_indices_of_python(function):
    def rule(self):
        return function(self)  # wrong
    refused_rule(rule, "a traced value is no index of Python while the program is made",
                 f"a range is lmpm.range(a, b); {TABLE}")


@pytest.mark.parametrize("function", [numpy.array([1, 0]).__getitem__, numpy.asarray])
def test_arrays_that_cells_look_into(function):
    def rule(self):
        return function(self)  # wrong
    refused_rule(rule, "a traced value is no array while the program is made", TABLE)


@pytest.mark.parametrize("name, hint", [
    ("exp", "use lmpm.exp"), ("sqrt", "use lmpm.sqrt"), ("tanh", "use lmpm.tanh"),
    ("absolute", "use abs(x)"), ("arctan", "use lmpm.atan(x)"), ("rint", "use lmpm.round(x)"),
    ("negative", "use -x"), ("logical_not", "use ~a"), ("sum", "use a family's .sum()"),
    ("mean", "use a family's .mean()"), ("prod", "use a family's .product()"),
    ("count_nonzero", "use a family's .count()"), ("roll", "use another cell: cell[x + 1, y]"),
    ("cbrt", "the functions of the language are those of lmpm"),
    ("fft.fft", "the functions of the language are those of lmpm")])
def test_functions_of_numpy(name, hint):
    function = numpy
    for part in name.split("."):
        function = getattr(function, part)

    def rule(self):
        return function(self, 1) if name == "roll" else function(self)  # wrong
    refused_rule(rule, f"NumPy's '{name.split('.')[-1]}' computes at once, which a traced value cannot", hint)


def test_functions_of_numpy_with_more_arguments():
    def where(self):
        return numpy.where(self == 1, 1, 0)  # wrong
    message = "NumPy's 'where' computes at once, which a traced value cannot"
    refused_rule(where, message, "use lmpm.where(condition, a, b)")

    def both(self, near):
        return numpy.logical_and(self == 1, near.sum() == 2)  # wrong
    refused_rule(both, message.replace("where", "logical_and"), "use a & b")

    def reduced(self):
        return numpy.add.reduce([self, self])  # wrong
    with pytest.raises(lmpm.Error):
        grid()[0].rule("Step", on=grid()[1])(reduced)


def test_formats():
    def rule(self):
        return f"{self:.2f}"  # wrong
    refused_rule(rule, "a traced value has no digits while the program is made",
                 "without a format it is shown as what it is")
    assert f"{grid()[1][x, y]}" == "<traced Cell[x, y]>"


def test_assignment_to_a_cell():
    def make():
        program, cell = grid()
        cell[x, y] = 1  # wrong
    refused(make, "a cell cannot be assigned to",
            "a rule returns what it proposes for the cell it is on")


def test_attributes():
    def rule(near):
        return near.summ()  # wrong
    refused_rule(rule, "a traced value has no attribute 'summ'", "did you mean 'sum'?",
                 "undeclared-name", at="near.summ")

    def unlike(near):
        return near.frobnicate()  # wrong
    refused_rule(unlike, "a traced value has no attribute 'frobnicate'", "", "undeclared-name")
    _, cell = grid()
    assert not hasattr(cell, "frobnicate") and not hasattr(cell, "_repr_html_")


def test_a_draw_that_is_used_twice():
    def rule():
        draws = [lmpm.randint(4)]  # wrong
        return draws[0] + draws[0]
    refused_rule(rule, "this draw is used twice",
                 "in a rule, assign it to a variable of its own; else draw twice")


def test_steps_of_slices():
    def make():
        _, cell = grid()
        cell[0:8:2, y]  # wrong
    refused(make, "a slice has no step here",
            "give an index of its own, as in cell[2*k], with k in a range")


# Wrong types and numbers ---------------------------------------------------------------------------

@pytest.mark.parametrize("other, found", [
    (None, "None"), ("x", "str 'x'"), ([1, 2], "list [1, 2]"),
    (numpy.arange(2), "ndarray array([0, 1])")])
@pytest.mark.parametrize("operator", ["+", "==", "<"])
def test_operands(other, found, operator):
    def rule(self):
        if operator == "+":
            return self + other  # wrong
        return self == other if operator == "==" else self < other  # wrong
    hint = ("parameters are arrays that a run is given" if "array" in found else
            "a vector is lmpm.concat(…)" if "list" in found else "")
    refused_rule(rule, f"expected a traced value or a number, but got {found}", hint, "wrong-type")


@pytest.mark.parametrize("function, written", [(lmpm.uniform, "uniform()"), (lmpm.floor, "floor(…)")])
def test_functions_without_parentheses(function, written):
    def rule(self):
        return self + function  # wrong
    refused_rule(rule, f"expected a traced value or a number, but got function {function!r:.40}",
                 f"a function is called with parentheses: '{written}'", "wrong-type")


def test_truths_and_integers():
    def rule(self, near):
        return (near.sum() == 3) & self  # wrong
    refused_rule(rule, "'&' joins truth values or integers, but got one of each",
                 "compare the integer, and set parentheses: (a == 1) & (b > 0)", "wrong-type")

    def exclusive(self):
        return 1 ^ (self == 3)  # wrong
    refused_rule(exclusive, "'^' joins truth values or integers, but got one of each",
                 "compare the integer, and set parentheses: (a == 1) ^ (b > 0)", "wrong-type")


def test_quotients():
    def rule(self):
        return self / 2  # wrong
    message = "'/' of integers would be a fraction"
    hint = "'//' is the floor; for a number, write one on one side, as in 'n / 2.0'"
    refused_rule(rule, message, hint, "integer-division", at="self / 2")

    def index():
        program, cell = grid()
        cell.sees(cell[x / 2, y])  # wrong
        program.module
    refused(index, message, hint, "integer-division")

    def floor(self):
        return lmpm.floor(0.5 * self // 2)  # wrong
    refused_rule(floor, "'//' divides integers, but got a number (F32)",
                 "use '/', and floor(x) for the floor", "wrong-type")


def test_what_numpy_does_is_done_by_its_caller():
    def rule(self):
        return numpy.sum([self, self])  # wrong
    refused_rule(rule, "a traced value is no array while the program is made", TABLE)


def test_round_with_digits():
    def rule(self):
        return round(self, 2)  # wrong
    refused_rule(rule, "'round' gives a whole number and takes no digits", "", "wrong-arity")


def test_power_with_a_modulus():
    def rule(self):
        return pow(self, 2, 3)  # wrong
    refused_rule(rule, "'pow' takes a base and an exponent", "use pow(a, b) % m for the remainder", "wrong-arity")


def test_sets():
    sets = "sets are lmpm.range(a, b), {-1, 1}, N8, Moore(2), Palette(\"…\") and unions with |"

    def rule(self):
        return self.isin(set())  # wrong
    refused_rule(rule, "expected a range or a set with members, but got set()", sets, "wrong-type")

    def empty(self):
        return self.isin(lmpm.range(3, 3))  # wrong
    refused_rule(empty, "the range from 3 to below 3 is empty",
                 "its end is excluded, as always in Python", "wrong-type")


def test_large_numbers():
    def rule(self):
        return self + 2**63  # wrong
    refused_rule(rule, "the integer 9223372036854775808 does not fit 64 bits",
                 "the largest is 9223372036854775807", "number-too-large")

    def real(self):
        return self + 1e39  # wrong
    refused_rule(real, "the number 1e+39 does not fit F32", "the largest is 3.4028235e38",
                 "number-too-large")


def test_what_is_nested_too_deep():
    def rule(self):
        values = [self]
        for _ in range(1001):
            values.append(values[-1] + 1)  # wrong
        return values[-1]
    refused_rule(rule, "the expression has more than 1000 nested operations",
                 "assign parts of it to variables: in a rule, each is computed once",
                 "nested-too-deep")

    def doubled(self):
        values = [self]
        for _ in range(40):
            values.append(values[-1] + values[-1])  # wrong
        return values[-1]
    refused_rule(doubled, "the declaration has more than 100000 operations",
                 "assign parts of it to variables: in a rule, each is computed once",
                 "nested-too-deep")


def test_families_that_nothing_reduces():
    def make():
        program, cell = grid()

        @program.rule(on=cell)
        def step():
            return cell[N8] + 1  # wrong
    refused(make, "this stands for all members of a family",
            "reduce it, for example with .sum(), .count() or .max()", "unreduced-family")

    def reduced():
        lmpm.sum(3)  # wrong
    refused(reduced, "'sum' ranges over a family, but got 3", "", "unreduced-family")


def test_any_in_arithmetic():
    def rule():
        return ANY + 1  # wrong
    refused_rule(rule, "ANY proposes every token and stands alone",
                 "a rule returns it as it is: return ANY", "wrong-place")


def test_arguments_of_models():
    def make():
        program, cell = grid()

        @program.rule(on=cell)
        def step():
            return lmpm.Model(cell[x + d, y].when(d.isin({-1, 1})))  # wrong
    refused(make, "an argument of a model is a read that has a name",
            "label it, as in cell.sees(past=…), and give the label", "unreduced-family")

    def other():
        program, cell = grid()
        second = program.value("Second", Token(2), Grid2D("W", "H"), init=0)

        @program.rule(on=cell)
        def step():
            return lmpm.Model(second[N8])  # wrong
    refused(other, "a model is asked about neighbours of 'Second', but the rule is on 'Cell'",
            "label what the rule's value sees, and give the label", "wrong-place")


# What the compiler says ----------------------------------------------------------------------------

def test_messages_of_the_compiler_are_at_their_lines():
    def rule(self, near):
        number = near.sum()
        return lmpm.where(number, 1, 0)  # wrong
    refused_rule(rule, "expected a truth value, but got an integer",
                 "a comparison is a truth value, as in 'self == 1' or 'sum(near) > 2'", "wrong-type", at="lmpm.where")

    def undeclared():
        program, cell = grid()
        program.observe("o", lmpm.index("q") + 1)  # wrong
        program.module
    refused(undeclared, "unknown name 'q'", "sizes are capitalised, and free indices stand in an index, left "
            "of 'in' or in 'init[…]'", "undeclared-name")


def test_columns_count_characters_of_other_scripts():
    def rule(self):
        return ["größer", self.summ()][1]  # wrong
    refused_rule(rule, "a traced value has no attribute 'summ'", "did you mean 'sum'?",
                 "undeclared-name", at="self.summ")
