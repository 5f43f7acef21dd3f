"""Random expressions, most of them nonsense: each is IR or an error, and nothing else."""

import random
import traceback

import pytest

import lmpm
from lmpm import ANY, F32, I32, N4, N8, Grid2D, Latent, Moore, Seq, Token


class Maker:
    """Makes expressions of everything that Python can hold of a program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.program = lmpm.Program()
        self.beta = self.program.param("beta", F32, 0.5)
        self.level = self.program.param("level", I32("Q"))
        self.matrix = self.program.param("matrix", F32(3, 3))
        self.cell = self.program.value("Cell", Token(4), Grid2D("W", "H"), init=0)
        self.vector = self.program.value("Vec", Latent(3), Grid2D("W", "H"))
        self.line = self.program.value("Line", Token(4), Seq("N"), init=0)
        self.near, = self.cell.sees(near=self.cell[N8])
        self.cell.sees(self.cell, self.vector)
        self.cell.sees(line=self.line[:])
        self.atoms = [
            *lmpm.indices("x y d k i"), *lmpm.sizes("W H N"), self.beta, self.level, self.matrix,
            self.cell, self.vector, self.line, self.near, self.cell[N8], self.cell[N4], N8,
            Moore(1), lmpm.epoch, lmpm.pi, lmpm.neighbors, lmpm.prev_frame, ANY, 0, 1, 2, 3, 0.5,
            -1, True, False, lmpm.range(3), lmpm.Palette("p"), lmpm.region("r"), range(2), {1, 2},
            {(0, 1), (1, 1)}, lmpm.Model(...), lmpm.any_of(range(2))]

    def make(self, height=4):
        if height == 0 or self.random.random() < 0.2:
            return self.random.choice(self.atoms)
        def part():
            return self.make(height - 1)
        return self.random.choice([
            lambda: part() + part(), lambda: part() * part(), lambda: part() - part(),
            lambda: part() // part(), lambda: part() / part(), lambda: part() % part(),
            lambda: part() ** 2, lambda: part() ** part(), lambda: part() @ part(),
            lambda: part() & part(), lambda: part() | part(), lambda: part() ^ part(),
            lambda: part() << part(), lambda: -part(), lambda: ~part(),
            lambda: part() == part(), lambda: part() < part(), lambda: part() >= part(),
            lambda: part()[part()], lambda: part()[part(), part()], lambda: part()[:, part()],
            lambda: part()[part():part(), part()], lambda: part()[...],
            lambda: lmpm.where(part(), part(), part()), lambda: part().isin(part()),
            lambda: lmpm.isin((part(), part()), part()), lambda: part().or_else(part()),
            lambda: part().maybe(), lambda: part().when(part()), lambda: lmpm.change(part()),
            lambda: getattr(part(), self.random.choice(
                ["sum", "min", "mean", "count", "any", "all", "argmax", "product"]))(),
            lambda: part().sum(when=part()), lambda: lmpm.max(part(), part()),
            lambda: lmpm.exp(part()), lambda: lmpm.concat(part(), part()),
            lambda: lmpm.softmax(part()), lambda: lmpm.norm(part()), lambda: lmpm.bernoulli(part()),
            lambda: lmpm.randint(part()), lambda: lmpm.uniform(), lambda: lmpm.Model(part(), part()),
        ])()

    def formula(self, x):
        return x + self.make()

    def declare(self):
        """One declaration with one or two expressions in it."""
        return self.random.choice([
            lambda: self.program.observe("o", self.make()),
            lambda: self.program.rule("R", on=self.cell)(lambda: self.make()),
            lambda: self.program.rule("R", on=self.cell, when=self.make())(lambda: self.make()),
            lambda: self.program.rule("R", on=self.cell)(
                lambda: lmpm.propose(self.make(), score=self.make())),
            lambda: self.program.rule("R", on=self.cell, read=[self.make(1)])(lambda: self.make()),
            lambda: self.program.require("C", on=self.cell)(lambda: self.make()),
            lambda: self.program.forbid("C", self.make()),
            lambda: self.program.param("p", F32, self.make()),
            lambda: self.program.value("V", Token(4), Grid2D(4, 4), init=self.make()),
            lambda: self.program.value("V", Token(self.make()), Grid2D(4, self.make())),
            lambda: self.cell.sees(other=self.make()),
            lambda: self.cell.sees(other=self.cell[self.make(2), self.make(2)].when(self.make(3))),
            lambda: self.program.schedule(self.cell, "random", self.make(2)),
            lambda: self.program.commit(self.cell, "sample", temperature=self.make(3)),
            lambda: self.program.formula(self.formula),
        ])()


def attempt(seed):
    """The program of a seed, or None if it was refused."""
    maker = Maker(seed)
    try:
        maker.declare()
        maker.program.commit(maker.cell, "accept")
        maker.program.module
    except lmpm.Error as error:
        assert error.message and error.line and error.file, error
        return None
    except (TypeError, AttributeError, ValueError, ArithmeticError, LookupError) as error:
        # Python's own, of Python's own values; the package raises its own.
        assert traceback.extract_tb(error.__traceback__)[-1].filename == __file__, error
        return None
    return maker.program


@pytest.mark.parametrize("seeds", range(0, 2000, 200))
def test_nonsense_is_ir_or_an_error(seeds):
    accepted = [program for program in map(attempt, range(seeds, seeds + 200)) if program]
    assert accepted
    for program in accepted:
        try:
            text = program.to_lmpm()
        except lmpm.Error:  # what the text has no words for
            continue
        assert lmpm.parse(text).to_lmpm() == text
