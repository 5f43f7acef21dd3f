"""Programs written in Python: their declarations, in order."""

import inspect
import sys

from lmpm import _lmpm
from lmpm._hints import shown
from lmpm._places import Sources, code_of, here, own, place_of
from lmpm._trace import Declaration, trace
from lmpm._writer import Writer, postorder
from lmpm.expressions import Expr, Operation, operand
from lmpm.functions import Proposal
from lmpm.programs import AnyProgram
from lmpm.shapes import Index, Predefined, Scalar, Shape, Type
from lmpm.values import Formula, Param, Value

own(globals())

__all__ = ["Program"]


class Program(AnyProgram):
    """A program that Python declares, in the order in which its methods are called.

    Names, types and meanings are the language's (docs/language.md); what is wrong with a program
    is said at the lines of the Python files that made it. The IR is made when `module` is asked
    for, as `compile` does. In a notebook, a cell that is run again declares anew what it declares.
    """

    def __init__(self, name="program"):
        self.name = _word(name, here())
        context = _lmpm.Context()
        self._tree = _lmpm.Tree(context)
        self._sources = Sources(self._tree, context)
        self._module = None
        self._names = set()  # which no let may have
        self._labels = {}  # by the name of the value that sees
        self._cells = {}  # which cell of a notebook made a declaration

    @property
    def module(self):
        if self._module is None:
            self._module = self._tree.build()
        return self._module

    # Declarations ---------------------------------------------------------------------------

    def value(self, name, type, shape=Scalar, *, boundary=None, init=None, clock=None,
              indices=None):
        """Declares a value: `program.value("Cell", Token(2), Grid2D("W", "H"), boundary="wrap")`.

        `boundary` is `open` (the default), `wrap` or `clamp`, or a tuple with one for each axis.
        `init` is a number, an expression, or a function of the indices. `indices` names them
        ("b x y") where a declaration does not.
        """
        place = here()
        _expect(type, Type, "a type, such as Token(2)", place)
        _expect(shape, Shape, "a shape, such as Grid2D(\"W\", \"H\")", place)
        names = tuple(indices.split()) if indices else shape.indices
        if len(names) != len(shape.sizes):
            place.fail("wrong-arity", f"'{name}' has {len(shape.sizes)} axes, but got "
                       f"{len(names)} names of indices")
        boundaries = (boundary,) if boundary is None or isinstance(boundary, str) else boundary
        writer = self._writer()
        arguments = [writer.write(one, place) for one in type.arguments]
        sizes = [writer.write(one, place) for one in shape.sizes]
        init_names, init = self._body(init, names, place)
        number = None if init is None else self._writer(init_names).write(init, place)
        self._declare("value", name, place)
        self._tree.add_value((name, self._number(place)), type.name, arguments, shape.name, sizes,
                             _word(clock or "", place),
                             [_word(one, place) for one in boundaries if one is not None],
                             isinstance(boundary, (list, tuple)), init_names, number)
        self._labels[name] = []
        return Value(self, name, shape, names)

    def param(self, name, type, value=None):
        """Declares a parameter: `program.param("beta", F32, 0.44)`, or `F32("N")` for an array."""
        place = here()
        _expect(type, Type, "a type, such as F32", place)
        writer = self._writer()
        arguments = [writer.write(one, place) for one in type.arguments]
        number = None if value is None else writer.write(operand(value, place), place)
        self._declare("param", name, place)
        self._tree.add_param((name, self._number(place)), type.name, arguments, number)
        return Param(name, self)

    def formula(self, function):
        """Declares a formula, as a decorator: its name and its indices are the function's."""
        if not callable(function):
            here().fail("missing-part", "a formula is a function, whose name it has",
                        "write @program.formula above 'def'")
        place, name = place_of(function), function.__name__
        indices, value = self._body(function, None, place)
        number = self._writer(indices).write(value, place)
        self._declare("formula", name, place)
        self._tree.add_def((name, self._number(place)), indices, number)
        return Formula(name, self, truth=getattr(value, "truth", False))

    def rule(self, name=None, *, on=None, when=None, read=()):
        """Declares a rule, as a decorator of a function that returns what it proposes.

        The function is called once, with traced values by the names of its parameters: `self`,
        `candidate`, `neighbors`, `prev_frame`, `epoch`, an index of `on`, a label of the value's
        `sees`, an item of `read`. A parameter with offsets as annotation (`near: N8`) is that
        neighbourhood. `return propose(x, score=s)` also scores; `return ANY` proposes every token.
        What is assigned to a local variable is computed once, under its name.
        """
        place = here()
        if on is None:
            place.fail("missing-part", "a rule needs what it is on", "@program.rule(on=cell)")

        def declare(function):
            rule = Declaration(self, function, name, on, place, when, read)
            result = rule.call("a rule returns what it proposes for the cell it is on")
            if not isinstance(result, Proposal):
                result = Proposal(rule.operand(result), None, rule.place)
            scores = [] if result.score is None else [result.score]
            clauses = rule.begin([result.value, *scores])
            clauses.append(rule.clause("emit", result.value, result.place, emits=True))
            clauses += [rule.clause("score", score, result.place) for score in scores]
            self._declare("rule", rule.name, rule.place)
            self._tree.add_rule((rule.name, self._number(rule.place)), clauses, rule.comments())
            return function

        return declare

    def require(self, name=None, condition=None, *, on=None, when=None, priority=None):
        """Declares a constraint: what must hold of a candidate.

        As a decorator, `@program.require(on=cell, priority="hard")`, of a function that returns
        the condition; or, about one reference to a value, `program.require("Paint", condition)`.
        `priority` is a number (0 if missing) or `hard`.
        """
        return self._constraint("require", name, condition, on, when, priority, here())

    def forbid(self, name=None, condition=None, *, on=None, when=None, priority=None):
        """Declares a constraint: what must not hold of a candidate. See `require`."""
        return self._constraint("forbid", name, condition, on, when, priority, here())

    def schedule(self, value, strategy, *options, **named):
        """Says which cells of a value are up together: `program.schedule(cell, "red_black")`.

        Options are those of the language: a fraction, `axes=(0, 1)`, `reverse=(0,)`, `tile=(8, 8)`,
        `phase=2`, `legalize="recolor"`.
        """
        self._policy("schedule", value, strategy, options, named, here())

    def commit(self, value, policy, *options, **named):
        """Says how the cells of a value agree: `program.commit(cell, "accept")`,
        `program.commit(cell, "sample", temperature=0.5)`."""
        self._policy("commit", value, policy, options, named, here())

    def observe(self, name, value):
        """Declares an observer: `program.observe("population", cell.sum())`."""
        place = here()
        number = self._writer().write(operand(value, place), place)
        self._declare("observe", name, place)
        self._tree.add_observe((name, self._number(place)), number)

    # How they are written ---------------------------------------------------------------------

    def _writer(self, indices=(), on=None):
        self._module = None
        return Writer(self, indices, on)

    def _number(self, place):
        return self._sources.number(place)

    def _declare(self, kind, name, place):
        """Notes a name, and whether the declaration takes the place of an earlier one."""
        _word(name, place)
        self._names.add(name)
        cell, before = _cell_of_notebook(), self._cells.get((kind, name))
        self._tree.replaces = before is not None and before != cell
        self._cells[kind, name] = cell

    def _body(self, body, names, place):
        """The indices and the expression of an `init` or a formula."""
        if body is None:
            return [], None
        if not isinstance(body, Expr) and code_of(body) is not None:
            parameters = list(inspect.signature(body).parameters)
            result, _ = trace(body, {one: Index(one) for one in parameters})
            if result is None:
                place_of(body).fail("missing-part", "this function returns nothing",
                                    "it returns an expression of its indices")
            return parameters, operand(result, place_of(body))
        value = operand(body, place)
        mentioned = {one.data for one in postorder([value]) if isinstance(one, Index)}
        return (list(names) if mentioned & set(names) else []), value

    def _constraint(self, word, name, condition, on, when, priority, place):
        def add(name, place, clauses, comments):
            hard = Predefined("hard") if priority == "hard" else priority
            number = None if hard is None else self._writer().write(operand(hard, place), place)
            self._declare("constraint", name, place)
            self._tree.add_constraint((name, self._number(place)), clauses, number, comments)

        def declare(function):
            constraint = Declaration(self, function, name, on, place, when)
            result = constraint.operand(constraint.call("a constraint returns its condition"))
            clauses = constraint.begin([result])
            clauses.append(constraint.clause(word, result, constraint.place))
            add(constraint.name, constraint.place, clauses, constraint.comments())
            return function

        if condition is not None:
            value = self._writer().write(operand(condition, place), place)
            return add(name, place, [_lmpm.Clause(self._number(place), word, value=value)], [])
        if on is None:
            place.fail("missing-part", "this constraint needs a condition or what it is on",
                       f"@program.{word}(on=cell) before a function, or "
                       f"program.{word}(\"Name\", condition)")
        return declare

    def _policy(self, kind, value, policy, options, named, place):
        _expect(value, Value, "a value", place)
        writer = self._writer()
        target = writer.write(value._all(place), place)
        values = [writer.write(_option(one, place), place) for one in [*options, *named.values()]]
        self._declare(kind, value.name, place)
        add = self._tree.add_schedule if kind == "schedule" else self._tree.add_commit
        add((_word(policy, place), self._number(place)), target, [""] * len(options) + list(named),
            values)


def _option(value, place):
    """An option of a schedule or a commit: a word, a number, a tuple, an expression."""
    if isinstance(value, str):
        return Predefined(value)
    if isinstance(value, tuple):
        return Operation("tuple", None, tuple(operand(one, place) for one in value), place)
    return operand(value, place)


def _expect(value, type, what, place):
    if not isinstance(value, type):
        place.fail("wrong-type", f"expected {what}, but got {shown(value):.60}")


def _word(value, place):
    """A name, a boundary, a strategy."""
    _expect(value, str, "a name in quotes", place)
    if any("\ud800" <= one <= "\udfff" for one in value):
        place.fail("unreadable-text", f"expected text that UTF-8 can say, but got {shown(value):.60}")
    return value


def _cell_of_notebook():
    """How many cells of a notebook were run before this one, or None."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "execution_count", None)
