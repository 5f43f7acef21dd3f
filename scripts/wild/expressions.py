"""Expressions of every type, in the scene where they stand."""

import contextlib
import dataclasses

from wild.families import Families
from wild.floats import Numbers, Vectors
from wild.integers import Integers, Truths
from wild.terms import Scene


class Expressions(Integers, Truths, Numbers, Vectors, Families):
    """Makes expressions with a die; `scene` says what they may name."""

    def __init__(self, dice):
        self.dice = dice
        self.scene = Scene({}, {}, [], [])

    @contextlib.contextmanager
    def standing(self, scene):
        """Expressions within stand there."""
        before, self.scene = self.scene, scene
        try:
            yield scene
        finally:
            self.scene = before

    @contextlib.contextmanager
    def indices(self, more):
        """Expressions within may name these indices, too."""
        with self.standing(dataclasses.replace(self.scene, indices={**self.scene.indices, **more})):
            yield
