"""Whether a function that is traced drew random numbers, which would be one constant for all cells."""

import pickle
import random
import types

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
        """An error where one was drawn from, or is made."""
        now = self._states()
        for name, state in self._before.items():
            if now[name] != state:
                self._fail(name)
        for name in _made_in(self._function):
            self._fail(f"the generator that '{name}' makes")

    def _fail(self, name):
        place_of(self._function).fail(
            "not-traceable", f"{name} draws at once, while the program is made, so that all cells and "
            "epochs would have one number", _HINT)

    def _states(self):
        states = {"NumPy's 'numpy.random'": pickle.dumps(numpy.random.get_state()),
                  "Python's 'random'": random.getstate()}
        for name, found in _generators(self._function):
            if isinstance(found, numpy.random.Generator):
                states[f"NumPy's generator '{name}'"] = pickle.dumps(found.bit_generator.state)
            elif isinstance(found, numpy.random.RandomState):
                states[f"NumPy's generator '{name}'"] = pickle.dumps(found.get_state())
            else:
                states[f"Python's generator '{name}'"] = found.getstate()
        return states


#: So many objects are looked at, so deep: what a function has at hand, and not all that there is.
_MOST, _DEEPEST = 1000, 4
_KINDS = (numpy.random.Generator, numpy.random.RandomState, random.Random)


def _generators(function):
    """What a function may draw from: what it names, and the elements, attributes and functions of that."""
    left = [(name, found, 0) for name, found in _named_in(function).items()]
    seen = set()
    while left and len(seen) < _MOST:
        name, found, depth = left.pop(0)
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, _KINDS):
            yield name, found
        elif depth < _DEEPEST:
            left += [(part, value, depth + 1) for part, value in _parts(name, found)]


def _parts(name, found):
    """What hangs on an object of that name, each with how it is written."""
    if isinstance(found, (list, tuple)):
        return [(f"{name}[{i}]", one) for i, one in enumerate(found[:_MOST])]
    if isinstance(found, dict):
        return [(f"{name}[{key!r}]", one) for key, one in list(found.items())[:_MOST]]
    if isinstance(found, types.MethodType):
        return [(name, found.__self__), (name, found.__func__)]
    if isinstance(found, types.FunctionType):
        return list(_named_in(found).items())
    if isinstance(found, (types.ModuleType, type)) or not hasattr(found, "__dict__"):
        return []
    of_class = [(part, one) for part, one in vars(type(found)).items()
                if isinstance(one, (types.FunctionType, *_KINDS))]
    return [(f"{name}.{part}", one) for part, one in [*vars(found).items(), *of_class]]


#: What makes a generator, besides Python's own `Random`.
_MAKERS = {"default_rng", "RandomState", "SystemRandom"}


def _made_in(function, depth=0):
    """What a function, or one that it calls, makes generators by: nobody sees those draw."""
    code = code_of(function)
    if code is None or depth > _DEEPEST:
        return set()
    known = getattr(unwrapped(function), "__globals__", {})
    names = {name for one in _codes(code) for name in one.co_names}
    found = names & _MAKERS
    if "Random" in names and (known.get("random") is random or known.get("Random") is random.Random):
        found.add("Random")
    for one in _named_in(function).values():
        if isinstance(one, types.FunctionType) and not f"{one.__module__}.".startswith("lmpm."):
            found |= _made_in(one, depth + 1)
    return found


def _codes(code):
    """A function's code, and that of the functions inside of it."""
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return [code, *(each for one in inner for each in _codes(one))]


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
    arguments = code.co_varnames[:code.co_argcount]
    defaults = getattr(function, "__defaults__", None) or ()
    named.update(zip(arguments[len(arguments) - len(defaults):], defaults))
    named.update(getattr(function, "__kwdefaults__", None) or {})
    return named
