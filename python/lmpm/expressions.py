"""Expressions of a program: what Python's operators on them make is traced, not computed."""

import numbers
import threading

from lmpm._lmpm import BINARY, COMPARE, UNARY
from lmpm._hints import hint_of_numpy, hint_of_truth, hint_of_value, nearest, shown
from lmpm._places import here, own, refuse_lookup, variable_here
from lmpm.errors import Error

own(globals())

#: Calls that go over a family, if they have one argument.
REDUCTIONS = {"sum", "product", "min", "max", "mean", "count", "any", "all", "argmin", "argmax"}
#: Calls whose result is a truth value.
_TRUTHS = {"any", "all", "bernoulli", "change", "read_future"}
#: Types that are constants as they are.
PLAIN = {int, float, bool}


class _Tracing(threading.local):
    """What the function that is traced now assigned to local variables; None if there is none."""

    assigned = None


tracing = _Tracing()


class UnknownAttribute(Error, AttributeError):
    """What an expression does not have."""


class Expr:
    """An expression that is traced.

    A node of the tree that the compiler reads: its `kind`, what it says (`data`), its operands
    (expressions, or Python's numbers), its place, whether it is a truth value, and the condition
    of the family it mentions, until a reduction takes it.
    """

    __slots__ = ("kind", "data", "operands", "place", "truth", "over")

    def __init__(self, kind, data, operands, place, truth=False, over=None):
        self.kind, self.data, self.operands = kind, data, operands
        self.place, self.truth, self.over = place, truth, over

    def __hash__(self):
        refuse_lookup(is_tracing=tracing.assigned is not None)
        return object.__hash__(self)

    # Operators ------------------------------------------------------------------------------

    def __and__(self, other):
        return _logical("and", "&", self, other, here())

    def __rand__(self, other):
        return _logical("and", "&", other, self, here())

    def __or__(self, other):
        return _logical("or", "|", self, other, here())

    def __ror__(self, other):
        return _logical("or", "|", other, self, here())

    def __xor__(self, other):
        return _logical("xor", "xor", self, other, here())

    def __rxor__(self, other):
        return _logical("xor", "xor", other, self, here())

    def __invert__(self):
        return node("unary", UNARY["not" if self.truth else "~"], (self,), here(), self.truth)

    def __neg__(self):
        return node("unary", UNARY["-"], (self,), here())

    def __pos__(self):
        return self

    def __abs__(self):
        return call("abs", (self,), here())

    def __round__(self, digits=None):
        place = here()
        if digits is not None:
            place.fail("wrong-arity", "'round' gives a whole number and takes no digits")
        return call("round", (self,), place)

    def __floor__(self):
        return call("floor", (self,), here())

    def __ceil__(self):
        return call("ceil", (self,), here())

    def __getitem__(self, indices):
        place = here()
        indices = indices if isinstance(indices, tuple) else (indices,)
        return node("index", None, (self, *(self._index(axis, one, place)
                                            for axis, one in enumerate(indices))), place)

    def _index(self, axis, index, place):
        return index_operand(index, place)

    # Families -------------------------------------------------------------------------------

    def when(self, condition):
        """The members of the family for which a condition holds: `near.when(near > 0).sum()`."""
        place = here()
        condition = operand(condition, place)
        return self._over(joined(self.over, condition, place), place)

    def _over(self, condition, place):
        """The same with another condition, or none."""
        return Operation(self.kind, self.data, self.operands, place, self.truth, condition)

    def sum(self, when=None):
        """The sum of a family's members, 0 of none."""
        return reduction("sum", self, when, here())

    def product(self, when=None):
        """The product of a family's members, 1 of none."""
        return reduction("product", self, when, here())

    def min(self, when=None):
        """The least member of a family, absent if there is none."""
        return reduction("min", self, when, here())

    def max(self, when=None):
        """The greatest member of a family, absent if there is none."""
        return reduction("max", self, when, here())

    def mean(self, when=None):
        """The mean of a family's members, absent if there is none."""
        return reduction("mean", self, when, here())

    def count(self, when=None):
        """How many members hold, of truth values; else how many are there."""
        return reduction("count", self, when, here())

    def any(self, when=None):
        """Whether one member holds."""
        return reduction("any", self, when, here())

    def all(self, when=None):
        """Whether all members hold."""
        return reduction("all", self, when, here())

    def argmin(self, when=None):
        """The rank of the first least member, absent if there is none."""
        return reduction("argmin", self, when, here())

    def argmax(self, when=None):
        """The rank of the first greatest member, absent if there is none."""
        return reduction("argmax", self, when, here())

    # Membership and absence -----------------------------------------------------------------

    def isin(self, members):
        """Whether it is a member: of a `range` (without its end, as in Python), a set such as
        `{-1, 1}`, offsets such as `N8`, a `Palette`, or a union of these with `|`."""
        return membership(self, members, here())

    def or_else(self, replacement):
        """The value, or a replacement where it is absent: `x ?? d` of the language."""
        place = here()
        return node("binary", BINARY["??"], (self, operand(replacement, place)), place, self.truth)

    def maybe(self):
        """A read that may have no value: `x?` of the language."""
        return node("maybe", None, (self,), here())

    # What is not there while a program is made ------------------------------------------------

    def __bool__(self):
        place = here()
        hint = hint_of_truth(place)
        place.fail("not-traceable", "a traced value has no truth while the program is made", hint)

    def __iter__(self):
        here().fail("not-traceable", "a traced value cannot be iterated over",
                    "reduce a family with a method, such as .sum(), or give an index")

    def __len__(self):
        here().fail("not-traceable", "a traced value has no length while the program is made",
                    ".count() counts the members of a family")

    def __contains__(self, member):
        here().fail("not-traceable", "Python's 'in' cannot be traced", "use x.isin(members)")

    def __float__(self):
        here().fail("not-traceable", "a traced value is no number while the program is made",
                    "numbers are converted where they are asked for; functions of math are there "
                    "as lmpm.exp, lmpm.sqrt, …")

    def __int__(self):
        here().fail("not-traceable", "a traced value is no number while the program is made",
                    "use lmpm.floor(x)")

    def __index__(self):
        here().fail("not-traceable", "a traced value is no index of Python while the program is made",
                    "a range is lmpm.range(a, b); a table that cells look into is a parameter: "
                    "table = program.param(\"table\", I32(2)), read as table[x]")

    __complex__ = __float__
    __trunc__ = __int__

    def __format__(self, form):
        if form:
            here().fail("not-traceable", "a traced value has no digits while the program is made",
                        "without a format it is shown as what it is")
        return repr(self)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    # NumPy asks these where one of its functions or arrays meets a traced value.

    def __array_ufunc__(self, function, method, *inputs, **named):
        place = here()
        name = function.__name__
        if method == "__call__" and name in _OPERATORS and not named:
            kind, sign = _OPERATORS[name]
            return _operation(kind, sign, [operand(one, place) for one in inputs], place)
        place.fail("not-traceable", f"NumPy's '{name}' computes at once, which a traced value cannot",
                   hint_of_numpy(name))

    def __array_function__(self, function, types, arguments, named):
        name = function.__name__
        here().fail("not-traceable", f"NumPy's '{name}' computes at once, which a traced value cannot",
                    hint_of_numpy(name))

    def __array__(self, *arguments, **named):
        here().fail("not-traceable", "a traced value is no array while the program is made",
                    "a table that cells look into is a parameter: "
                    "table = program.param(\"table\", I32(2)), read as table[x]")

    def __setitem__(self, index, value):
        here().fail("not-traceable", "a cell cannot be assigned to",
                    "a rule returns what it proposes for the cell it is on")

    def __getattr__(self, name):
        if name.startswith("_"):  # what Python and notebooks look for
            raise AttributeError(name)
        try:
            here().fail("undeclared-name", f"a traced value has no attribute '{name}'",
                        nearest(name, dir(type(self))))
        except Error as error:
            raise UnknownAttribute(error.diagnostics) from None

    def __repr__(self):
        from lmpm._show import show
        return f"<traced {show(self)}>"


class Operation(Expr):
    """What is computed. All that is made is of a class without subclasses: of `a == b`, Python asks
    b first if its class is derived from that of a."""

    __slots__ = ()


class Neighborhood(Expr):
    """The neighbours of a cell, such as `cell[N8]`; `offsets` are all that says which."""

    __slots__ = ("offsets",)


# Nodes ----------------------------------------------------------------------------------------

def node(kind, data, operands, place, truth=False):
    """A node that a person's code makes; if it is assigned to a local variable, it has a name."""
    over = None
    for one in operands:
        if type(one) not in PLAIN and one.over is not None:
            over = joined(over, one.over, place)
    made = Operation(kind, data, operands, place, truth, over)
    if tracing.assigned is not None and (place.variable is not None or place.returns):
        variable = variable_here(place)
        if variable is not None:
            tracing.assigned.append((made, variable))
    return made


def operand(value, place, strings=False):
    """An expression or a constant, or an error that names what was found."""
    if type(value) in PLAIN or isinstance(value, Expr):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):  # numbers of NumPy
        return operand(value.item(), place)
    if strings and isinstance(value, str):
        return Operation("string", value, (), place)
    if value is Ellipsis and strings:
        return Operation("ellipsis", None, (), place)
    place.fail("wrong-type", "expected a traced value or a number, but got "
               + ("None" if value is None else f"{type(value).__name__} {shown(value):.40}"), hint_of_value(value))


def joined(left, right, place):
    """Two conditions as one; either may be missing."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    return Operation("binary", BINARY["and"], (left, right), place, True)


def call(name, arguments, place, names=None, strings=False):
    """A call of a function of the language."""
    arguments = tuple(operand(one, place, strings) for one in arguments)
    return node("call", (name, names or ("",) * len(arguments)), arguments, place, name in _TRUTHS)


def reduction(name, body, when, place):
    """A reduction, which takes the condition of the family it is over."""
    body = operand(body, place)
    if not isinstance(body, Expr):
        place.fail("unreduced-family", f"'{name}' ranges over a family, but got {body!r}")
    over = body.over if when is None else joined(body.over, operand(when, place), place)
    if over is not None:
        body = Operation("where", None, (body._over(None, body.place), over), place)
    return node("call", (name, ("",)), (body,), place, name in _TRUTHS)


# Operators ------------------------------------------------------------------------------------

def _binary(spelling):
    number = BINARY[spelling]

    def forward(self, other, modulus=None):  # which Python's pow has
        place = here()
        if modulus is not None:
            place.fail("wrong-arity", "'pow' takes a base and an exponent", "use pow(a, b) % m for the remainder")
        if type(other) not in PLAIN:
            other = operand(other, place)
        return node("binary", number, (self, other), place)

    def reflected(self, other):
        place = here()
        if type(other) not in PLAIN:
            other = operand(other, place)
        return node("binary", number, (other, self), place)

    return forward, reflected


for _name, _spelling in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//",
                         "mod": "%", "pow": "^", "matmul": "@", "lshift": "<<",
                         "rshift": ">>"}.items():
    _forward, _reflected = _binary(_spelling)
    setattr(Expr, f"__{_name}__", _forward)
    setattr(Expr, f"__r{_name}__", _reflected)


def _comparison(spelling, mirrored):
    number, other_number = COMPARE[spelling], COMPARE[mirrored]

    def compare(self, other):
        place = here()
        if type(other) not in PLAIN:
            other = operand(other, place)
        # Python asks the right operand with the mirrored operator if the left one has no answer.
        if spelling != mirrored and place.comparison == mirrored:
            return node("compare", other_number, (other, self), place, True)
        return node("compare", number, (self, other), place, True)

    return compare


for _name, _spelling, _mirrored in [("lt", "<", ">"), ("le", "<=", ">="), ("gt", ">", "<"),
                                    ("ge", ">=", "<="), ("eq", "==", "=="), ("ne", "!=", "!=")]:
    setattr(Expr, f"__{_name}__", _comparison(_spelling, _mirrored))


# What NumPy's functions for operators are, which it calls if its own numbers stand left.
_OPERATORS = {"add": ("binary", "+"), "subtract": ("binary", "-"), "multiply": ("binary", "*"),
              "divide": ("binary", "/"), "floor_divide": ("binary", "//"),
              "remainder": ("binary", "%"), "power": ("binary", "^"), "matmul": ("binary", "@"),
              "left_shift": ("binary", "<<"), "right_shift": ("binary", ">>"),
              "less": ("compare", "<"), "less_equal": ("compare", "<="),
              "greater": ("compare", ">"), "greater_equal": ("compare", ">="),
              "equal": ("compare", "=="), "not_equal": ("compare", "!="),
              "bitwise_and": ("and", "&"), "bitwise_or": ("or", "|"),
              "bitwise_xor": ("xor", "xor")}


def _operation(kind, sign, operands, place):
    if kind == "binary":
        return node(kind, BINARY[sign], tuple(operands), place)
    if kind == "compare":
        return node(kind, COMPARE[sign], tuple(operands), place, True)
    return _logical(kind, sign, *operands, place)


def is_truth(value):
    """Whether it is a truth value, traced or Python's."""
    return value.truth if isinstance(value, Expr) else isinstance(value, bool)


def _logical(word, sign, left, right, place):
    """`and` of truth values, `&` of integers, and so on."""
    left, right = operand(left, place), operand(right, place)
    truths = is_truth(left), is_truth(right)
    if truths[0] != truths[1]:
        mark = {"xor": "^"}.get(sign, sign)
        place.fail("wrong-type", f"'{mark}' joins truth values or integers, but got one of each",
                   f"compare the integer, and set parentheses: (a == 1) {mark} (b > 0)")
    return node("binary", BINARY[word if truths[0] else sign], (left, right), place, truths[0])


# Sets and indices -----------------------------------------------------------------------------

class IndexSet(Expr):
    """What stands right of `isin`: a range, a set, offsets, or a union of these with `|`."""

    __slots__ = ("axes", "program")

    def __init__(self, kind, data, operands, place=None, axes=None):
        super().__init__(kind, data, operands, place)
        self.program = None  # as of a name: N8 is one
        self.axes = axes  # of how many axes, where that is known

    def __or__(self, other):
        return self._union(self, other, here())

    def __ror__(self, other):
        return self._union(other, self, here())

    @staticmethod
    def _union(left, right, place):
        left, right = index_set(left, place), index_set(right, place)
        return IndexSet("binary", BINARY["|"], (left, right), place, left.axes)


def index_set(members, place):
    """A set of numbers or tuples, whatever Python has it as."""
    if isinstance(members, Expr):
        return members
    if isinstance(members, range) and members.step == 1 and len(members):
        return half_open(members.start, members.stop, place)
    if isinstance(members, (set, frozenset, list, tuple, range)) and len(members):
        ordered = sorted(members) if isinstance(members, (set, frozenset)) else members
        listed = tuple(_tuple(one, place) if isinstance(one, tuple) else operand(one, place)
                       for one in ordered)
        axes = len(ordered[0]) if isinstance(ordered[0], tuple) else 1
        return IndexSet("set", None, listed, place, axes)
    place.fail("wrong-type", f"expected a range or a set with members, but got {shown(members):.40}",
               "sets are lmpm.range(a, b), {-1, 1}, N8, Moore(2), Palette(\"…\") and unions with |")


def _tuple(members, place):
    return Operation("tuple", None, tuple(operand(one, place) for one in members), place)


def half_open(start, stop, place):
    """`start..stop-1` of the language."""
    if type(start) is int and type(stop) is int and stop <= start:
        place.fail("wrong-type", f"the range from {start} to below {stop} is empty",
                   "its end is excluded, as always in Python")
    last = stop - 1 if type(stop) is int else _one_less(stop, place)
    return IndexSet("binary", BINARY[".."], (start, last), place, 1)


def _one_less(stop, place):
    if isinstance(stop, Expr) and stop.kind == "binary" and stop.data == BINARY["+"]:
        left, right = stop.operands
        if type(right) is int and right > 0:
            return left if right == 1 else Operation("binary", BINARY["+"], (left, right - 1), place)
    return Operation("binary", BINARY["-"], (stop, 1), place)


def index_operand(index, place, size=None):
    """An index of a cell: an expression, a slice without its end, `:` or `...` for all."""
    if index is Ellipsis or (isinstance(index, slice)
                             and index.start is index.stop is index.step is None):
        return Operation("star", None, (), place)
    if not isinstance(index, slice):
        return operand(index, place)
    if index.step is not None:
        place.fail("not-traceable", "a slice has no step here",
                   "give an index of its own, as in cell[2*k], with k in a range")
    stop = index.stop if index.stop is not None else size
    if stop is None:
        place.fail("missing-part", "this slice needs an end")
    return half_open(operand(0 if index.start is None else index.start, place),
                     operand(stop, place), place)


def membership(left, members, place):
    """`left in members`."""
    left = _tuple(left, place) if isinstance(left, tuple) else operand(left, place)
    return node("compare", COMPARE["in"], (left, index_set(members, place)), place, True)
