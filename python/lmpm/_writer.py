"""From traced expressions to the nodes that the compiler's importer reads."""

from lmpm._lmpm import BINARY, COMPARE, MAX_WRITTEN_OUT, UNARY
from lmpm._places import own
from lmpm.expressions import PLAIN, Expr

own(globals())

_DRAWS = {"bernoulli", "uniform", "randint", "normal"}


class Writer:
    """Writes the expressions of one declaration into its program's tree.

    `indices` are the names of the declaration's own indices, `own` is the value that it is on;
    `lets` has the names of expressions that are written once, by identity.
    """

    def __init__(self, program, indices=(), own=None):
        self.program, self.indices, self.own = program, indices, own
        self.sources, self.tree = program._sources, program._tree
        self.lets = {}
        self._drawn = set()
        self._nodes = 0
        self._make = {kind: getattr(self.tree, kind) for kind in _KINDS}
        self._make["neighbors"] = self._neighbors

    def write(self, value, place, family=False, defines=False):
        """The number of an expression. A `family` may be one that no reduction has taken; what a
        let `defines` is written out itself."""
        if type(value) not in PLAIN and value.over is not None and not family:
            value.place.fail("unreduced-family", "this stands for all members of a family",
                             "reduce it, for example with .sum(), .count() or .max()")
        made = self._leaf(value, place) if not defines else None
        if made is not None:
            return made
        # Expressions may be higher than Python's stack: what is under way is a list. Each member is
        # an expression, its place, the numbers of its operands so far.
        self._check(value)
        under_way = [(value, self.sources.number(value.place), [])]
        while True:
            value, number, numbers = under_way[-1]
            if len(numbers) == len(value.operands):
                under_way.pop()
                made = self._make[value.kind](number, value.data, numbers)
                if not under_way:
                    return made
                under_way[-1][2].append(made)
                continue
            one = value.operands[len(numbers)]
            made = self._leaf(one, value.place)
            if made is not None:
                numbers.append(made)
                continue
            self._check(one, value.place)
            under_way.append((one, self.sources.number(one.place), []))

    def _leaf(self, value, place):
        """The number of a constant, of a name or of what has one; None for anything else."""
        if type(value) in PLAIN:
            return self._constant(value, place)
        if value.kind == "name":
            if value.program not in (None, self.program):
                place.fail("undeclared-name", f"'{value.data}' is declared by another program",
                           "one that was made before this one, for example by a notebook's cell")
            return self._name(value.data, place)
        if value.kind == "own":
            return self._own(value, place)
        name = self.lets.get(id(value))
        return None if name is None else self._name(name, place)

    def _name(self, name, place):
        return self.tree.name(self.sources.number(place), name, ())

    def _own(self, value, place):
        axis, prefix = value.data
        if axis >= len(self.indices):
            value.place.fail("wrong-arity", f"the cells of this declaration have "
                             f"{len(self.indices)} axes, but this neighbourhood has one more",
                             "say which cells: cell[x + dx, y + dy].when(isin((dx, dy), N8))")
        return self._name(prefix + self.indices[axis], place)

    def _neighbors(self, number, value, offsets):
        """`neighbors in N8`, an argument of a model."""
        if value is not self.own:
            self.tree.fail(number, "wrong-place",
                              f"a model is asked about neighbours of '{value.name}', but the rule "
                              f"is on '{self.own.name if self.own is not None else 'nothing'}'",
                              "label what the rule's value sees, and give the label")
        return self.tree.compare(number, COMPARE["in"],
                                 [self.tree.name(number, "neighbors", ()), *offsets])

    def _check(self, value, around=None):
        """Refuses what the language could not say; `around` is the place of the operation that an
        operand is of."""
        self._nodes += 1
        if self._nodes > MAX_WRITTEN_OUT:  # what Python shares is written out
            value.place.fail("nested-too-deep",
                             f"the declaration has more than {MAX_WRITTEN_OUT} operations",
                             "assign parts of it to variables: in a rule, each is computed once")
        if value.kind == "any_marker" and around:
            around.fail("wrong-place", "ANY proposes every token and stands alone",
                        "a rule returns it as it is: return ANY")
        if value.kind == "call" and value.data[0] in _DRAWS:
            if id(value) in self._drawn:
                value.place.fail("not-traceable", "this draw is used twice",
                                 "in a rule, assign it to a variable of its own; else draw twice")
            self._drawn.add(id(value))

    def _constant(self, value, place):
        number = self.sources.number(place)
        if isinstance(value, bool):
            one, other = self.tree.integer(number, 1, ()), self.tree.integer(number, int(value), ())
            return self.tree.compare(number, COMPARE["=="], [one, other])
        if isinstance(value, int):
            if abs(value) >= 1 << 63:
                place.fail("number-too-large", f"the integer {value} does not fit 64 bits",
                           "the largest is 9223372036854775807")
            made = self.tree.integer(number, abs(value), ())
            negative = value < 0
        else:
            made = self.tree.real(number, repr(abs(value)), ())
            negative = value < 0 or (value == 0 and str(value)[0] == "-")
        return self.tree.unary(number, UNARY["-"], [made]) if negative else made


_KINDS = ["any_marker", "binary", "call", "compare", "conditional", "ellipsis", "index", "maybe",
          "set", "star", "string", "tuple", "unary", "where"]


def postorder(roots):
    """Each expression below some, operands first, once."""
    seen, order = set(), []
    pending = [(root, False) for root in reversed(roots) if isinstance(root, Expr)]
    while pending:
        value, ready = pending.pop()
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            pending.append((value, True))
            pending.extend((one, False) for one in reversed(value.operands)
                           if isinstance(one, Expr))
            if isinstance(value.over, Expr):
                pending.append((value.over, False))
    return order


def members_of(condition):
    """The names left of the `in`s of a condition, which a reduction binds."""
    found = set()
    pending = [condition]
    while pending:
        value = pending.pop()
        if not isinstance(value, Expr):
            continue
        if value.kind == "binary" and value.data == BINARY["and"]:
            pending.extend(value.operands)
        elif value.kind == "compare" and value.data == COMPARE["in"]:
            left = value.operands[0]
            names = left.operands if isinstance(left, Expr) and left.kind == "tuple" else (left,)
            found.update(one.data for one in names if isinstance(one, Expr))
    return found
