"""Functions of the language, and what is predefined in rules."""

import inspect

from lmpm._places import here, own
from lmpm.expressions import (Expr, Neighborhood, Operation, call, half_open, index_set, is_truth,
                              membership, node, operand, reduction)
from lmpm.shapes import NOWHERE, Predefined

__all__ = ["ANY", "Model", "ModelScore", "SampleTiles", "abs", "all", "any", "any_of", "argmax",
           "argmin", "atan", "atan2", "bernoulli", "ceil", "change", "clamp", "concat", "cos",
           "count", "dot", "epoch", "erf", "exp", "exp2", "floor", "isin", "log", "log2", "max",
           "mean", "min", "neighbors", "norm", "normal", "pi", "popcount", "pow", "prev_frame",
           "product", "propose", "randint", "range", "read_future", "relu", "round", "rsqrt",
           "sigmoid", "sin", "softmax", "sqrt", "sum", "tan", "tanh", "uniform", "where"]

own(globals())

#: The number of epochs before this one.
epoch = Predefined("epoch")
#: The ratio of a circle's circumference to its diameter.
pi = Predefined("pi")
#: The same cell one step back on the first axis, in rules.
prev_frame = Predefined("prev_frame")
#: The neighbours of a rule's cell: `neighbors.isin(N8)`.
neighbors = Predefined("neighbors")
#: What a rule returns to propose every token of the vocabulary.
ANY = Operation("any_marker", None, (), NOWHERE)


def any_of(tokens):
    """What a rule returns to propose every token of a range: `any_of(range(1, 10))`."""
    place = here()
    return Operation("any_marker", None, (index_set(tokens, place),), place)


class Proposal:
    """What a rule proposes, with a score for each candidate."""

    __slots__ = ("value", "score", "place")

    def __init__(self, value, score, place):
        self.value, self.score, self.place = value, score, place


def propose(value, score=None):
    """What a rule returns if it also scores a candidate: `return propose(ANY, score=…)`."""
    place = here()
    return Proposal(operand(value, place),
                    None if score is None else operand(score, place), place)


def where(condition, a, b):
    """a where the condition holds, else b; only the one that is taken must be there."""
    place = here()
    condition, a, b = (operand(one, place) for one in (condition, a, b))
    return node("conditional", None, (condition, a, b), place, is_truth(a) and is_truth(b))


def isin(x, members):
    """Whether x, or a tuple of indices, is a member: `isin((dx, dy), N8)`. See `Expr.isin`."""
    return membership(x, members, here())


def range(start, stop=None):
    """The integers from `start` (0 if there is one argument) to below `stop`, which are traced;
    constants may be given with Python's own `range`."""
    place = here()
    if stop is None:
        start, stop = 0, start
    return half_open(operand(start, place), operand(stop, place), place)


def change(cell):
    """In a constraint: whether the candidate differs from what the cell holds."""
    return call("change", (cell,), here())


def read_future(cell):
    """In a constraint: whether the cell is computed from what lies in its future."""
    return call("read_future", (cell,), here())


def Model(*arguments):  # noqa: N802: as the language spells it
    """The answer of the model that the bindings name; arguments are labels, values, `cell[N8]`."""
    return _ask("Model", arguments, here())


def ModelScore(*arguments):  # noqa: N802
    """The model's score of the candidate; `ModelScore(...)` takes the arguments of `Model`."""
    return _ask("ModelScore", arguments, here())


def _ask(name, arguments, place):
    operands = []
    for one in arguments:
        one = operand(one, place, strings=True)
        if isinstance(one, Neighborhood) and one.offsets is not None:
            one = Operation("neighbors", one.operands[0], (one.offsets,), place)
        elif isinstance(one, Expr) and one.over is not None:
            place.fail("unreduced-family", "an argument of a model is a read that has a name",
                       "label it, as in cell.sees(past=…), and give the label")
        operands.append(one)
    return Operation("call", (name, ("",) * len(operands)), tuple(operands), place)


def SampleTiles(strategy, epoch=Predefined("e")):  # noqa: N802
    """On a set of events: which tiles are up."""
    return call("SampleTiles", (strategy, epoch), here(), ("strategy", "epoch"), strings=True)


def bernoulli(p, bits=None):
    """A draw: true with probability p, or with `bits` the next multiple of 2**-bits."""
    if bits is None:
        return call("bernoulli", (p,), here())
    return call("bernoulli", (p, bits), here(), ("", "bits"))


def uniform():
    """A draw from 0 to below 1."""
    return call("uniform", (), here())


def randint(n):
    """A draw: an integer from 0 to n - 1."""
    return call("randint", (n,), here())


def normal():
    """A draw of the standard normal distribution."""
    return call("normal", (), here())


def _named(function, name, parameters, doc):
    """A function as `help` shows it."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    kinds = [(inspect.Parameter.VAR_POSITIONAL if one[0] == "*" else inspect.Parameter.POSITIONAL_ONLY,
              one.lstrip("*")) for one in parameters.split(", ")]
    function.__signature__ = inspect.Signature([inspect.Parameter(one, kind) for kind, one in kinds])
    return function


def _function(name, parameters, doc):
    def function(*arguments):
        return call(name, arguments, here())
    return _named(function, name, parameters, doc)


def _reduction(name, doc):
    def function(family, when=None):
        return reduction(name, family, when, here())
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _extremum(name, doc):
    def function(*arguments, when=None):
        if len(arguments) == 1:
            return reduction(name, arguments[0], when, here())
        return call(name, arguments, here())
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


abs = _function("abs", "x", "The absolute value.")
relu = _function("relu", "x", "max(x, 0).")
clamp = _function("clamp", "x, low, high", "x, at least low and at most high.")
floor = _function("floor", "x", "The greatest integer that is at most x.")
ceil = _function("ceil", "x", "The least integer that is at least x.")
round = _function("round", "x", "The nearest integer, of two the even one.")
popcount = _function("popcount", "n", "How many bits of an integer are 1.")
sqrt = _function("sqrt", "x", "The square root, correctly rounded.")
rsqrt = _function("rsqrt", "x", "1 / sqrt(x), correctly rounded.")
exp = _function("exp", "x", "e to the power of x, correctly rounded.")
exp2 = _function("exp2", "x", "2 to the power of x, correctly rounded.")
log = _function("log", "x", "The natural logarithm, correctly rounded.")
log2 = _function("log2", "x", "The logarithm to base 2, correctly rounded.")
sin = _function("sin", "x", "The sine, correctly rounded.")
cos = _function("cos", "x", "The cosine, correctly rounded.")
tan = _function("tan", "x", "The tangent, correctly rounded.")
atan = _function("atan", "x", "The arc tangent, correctly rounded.")
tanh = _function("tanh", "x", "The hyperbolic tangent, correctly rounded.")
sigmoid = _function("sigmoid", "x", "1 / (1 + exp(-x)), correctly rounded.")
erf = _function("erf", "x", "The error function, correctly rounded.")
pow = _function("pow", "x, y", "x to the power of y, of numbers; x**2 is repeated multiplication.")
atan2 = _function("atan2", "y, x", "The angle of the point (x, y), as atan2(y, x).")
dot = _function("dot", "v, w", "The scalar product of two vectors.")
norm = _function("norm", "v", "The length of a vector.")
concat = _function("concat", "*parts", "Numbers and vectors, one after the other, as one vector.")
softmax = _function("softmax", "v", "exp of each component, divided by their sum.")
sum = _reduction("sum", "The sum of a family's members.")
product = _reduction("product", "The product of a family's members.")
mean = _reduction("mean", "The mean of a family's members, absent if there is none.")
count = _reduction("count", "How many members hold, of truth values; else how many are there.")
any = _reduction("any", "Whether one member of a family holds.")
all = _reduction("all", "Whether all members of a family hold.")
argmin = _reduction("argmin", "The rank of the first least member of a family.")
argmax = _reduction("argmax", "The rank of the first greatest member of a family.")
min = _extremum("min", "The least member of a family, or the least of several arguments.")
max = _extremum("max", "The greatest member of a family, or the greatest of several arguments.")
