"""Random numbers of Python or NumPy in a traced function, which would be one constant, are errors."""

import random

import numpy
import pytest
from traced import grid

import lmpm

_generator = numpy.random.default_rng(1)


@pytest.mark.parametrize("draw, name", [
    (lambda: numpy.random.rand(), "NumPy's 'numpy.random'"), (lambda: random.random(), "Python's 'random'")])
def test_random_numbers_that_would_be_one_constant(draw, name):
    program, cell = grid()
    with pytest.raises(lmpm.Error) as caught:
        @program.rule(on=cell)
        def step(self):
            return lmpm.where(self == 1, draw() < 0.5, 0)
    assert caught.value.id == "not-traceable"
    assert caught.value.message == (f"{name} draws at once, while the program is made, so that all cells and "
                                    "epochs would have one number")


def test_generators_that_a_rule_names():
    program, cell = grid()
    own = random.Random(1)
    for draw in (lambda self: self * 0 + (_generator.random() < 0.5), lambda self: self * 0 + int(own.random())):
        with pytest.raises(lmpm.Error, match="generator '(_generator|own)' draws at once"):
            program.rule("Step", on=cell)(draw)


class Walker:
    shared = random.Random(2)

    def __init__(self):
        self.own = random.Random(3)

    def turn(self):
        return self.own.randrange(3)

    def leap(self):
        return self.shared.randrange(3)


@pytest.mark.parametrize("name", ["at[0]", "held['{a}']", "walker.own", "walker.shared", "g"])
def test_generators_that_what_a_rule_names_has(name):
    program, cell = grid()
    at, held, walker = [numpy.random.default_rng(1)], {"{a}": numpy.random.default_rng(2)}, Walker()

    def helped():
        return int(held["{a}"].integers(3))
    draws = {"at[0]": lambda self: self * int(at[0].integers(3)), "held['{a}']": lambda self: self * helped(),
             "walker.own": lambda self: self * walker.turn(), "walker.shared": lambda self: self * walker.leap(),
             "g": lambda self, *, g=numpy.random.default_rng(3): self * int(g.integers(3))}
    with pytest.raises(lmpm.Error) as caught:
        program.rule("Step", on=cell)(draws[name])
    assert f"generator '{name}' draws at once" in caught.value.message


def _makes_one():
    return int(numpy.random.RandomState(3).randint(4))


@pytest.mark.parametrize("maker, draw", [
    ("default_rng", lambda self: self * int(numpy.random.default_rng(1).integers(4))),
    ("Random", lambda self: self * random.Random(3).randrange(4)),
    ("SystemRandom", lambda self: self * [random.SystemRandom().randrange(4) for _ in "a"][0]),
    ("RandomState", lambda self: self * _makes_one())])
def test_generators_that_a_rule_makes(maker, draw):
    program, cell = grid()
    with pytest.raises(lmpm.Error, match=f"the generator that '{maker}' makes draws at once"):
        program.rule("Step", on=cell)(draw)


def test_constants_may_be_drawn_outside():
    program, cell = grid()
    number = int(_generator.integers(2))
    program.rule("Step", on=cell)(lambda self: (self + number) % 2)
