"""Whether a function that is traced drew random numbers, which would be one constant for all cells."""

import pickle
import random

import numpy

from lmpm._places import code_of, place_of, unwrapped

_HINT = ("each cell draws with lmpm.uniform(), lmpm.randint(n), lmpm.bernoulli(p) or lmpm.normal(); what is to "
         "be one number for all is drawn outside of the function")


class Watch:
    """The states of the generators that a function may draw from, before it is called."""

    def __init__(self, function):
        self._function = function
        self._before = self._states()

    def check(self):
        """An error where one was drawn from."""
        now = self._states()
        for name, state in self._before.items():
            if now[name] != state:
                place_of(self._function).fail(
                    "not-traceable", f"{name} draws at once, while the program is made, so that all cells and "
                    "epochs would have one number", _HINT)

    def _states(self):
        states = {"NumPy's 'numpy.random'": pickle.dumps(numpy.random.get_state()),
                  "Python's 'random'": random.getstate()}
        for name, found in _named_in(self._function).items():
            if isinstance(found, numpy.random.Generator):
                states[f"NumPy's generator '{name}'"] = pickle.dumps(found.bit_generator.state)
            elif isinstance(found, numpy.random.RandomState):
                states[f"NumPy's generator '{name}'"] = pickle.dumps(found.get_state())
            elif isinstance(found, random.Random):
                states[f"Python's generator '{name}'"] = found.getstate()
        return states


def _named_in(function):
    """What the names of a function that are not its own stand for."""
    function, code = unwrapped(function), code_of(function)
    if code is None:
        return {}
    known = getattr(function, "__globals__", {})
    named = {name: known[name] for name in code.co_names if name in known}
    for name, cell in zip(code.co_freevars, getattr(function, "__closure__", None) or ()):
        try:
            named[name] = cell.cell_contents
        except ValueError:  # assigned later
            pass
    return named
