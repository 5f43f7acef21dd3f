"""Calls a rule's function once, with traced values, and says what it assigned to variables."""

import inspect

from lmpm import _lmpm
from lmpm._hints import nearest, shown
from lmpm._places import code_of, own, place_of, unwrapped
from lmpm._random import Watch
from lmpm._writer import members_of, postorder
from lmpm.expressions import PLAIN, REDUCTIONS, Expr, IndexSet, operand, tracing
from lmpm.shapes import NOWHERE, Index, Named, Predefined
from lmpm.values import Label, Reference, Value

own(globals())

_PREDEFINED = ("self", "candidate", "neighbors", "prev_frame", "epoch", "e")
_NONE = frozenset()
#: What a let cannot hold.
_ANSWERS = {"Model", "ModelScore", "SampleTiles"}
_RESERVED = {"any", "pi", "N4", "N8", "Diagonal", *_PREDEFINED}


def trace(function, arguments):
    """What a function returns, and what it assigned to local variables, in order."""
    outer, tracing.assigned = tracing.assigned, []
    draws = Watch(function)
    try:
        bound = inspect.BoundArguments(inspect.signature(function), arguments)
        result = function(*bound.args, **bound.kwargs)
        draws.check()
        return result, tracing.assigned
    finally:
        tracing.assigned = outer


class Declaration:
    """A rule or a constraint that is on cells of a value, as a function says it."""

    def __init__(self, program, function, name, on, place, when, read=()):
        if code_of(function) is None:
            place.fail("wrong-type", f"expected a function, but got {shown(function):.60}")
        self.program, self.function = program, function
        self.name = name or getattr(function, "__name__", "<lambda>")
        self.place, self.on_place = place_of(function), place
        self.when, self.read = when, [operand(one, place) for one in read]
        if self.name == "<lambda>":
            self.place.fail("missing-part", "this function gives a rule or a constraint no name",
                            "give one: @program.rule(\"Name\", on=cell)")
        self.value = on.operands[0] if isinstance(on, Reference) else on
        if not isinstance(self.value, Value):
            place.fail("wrong-type", f"expected a value behind 'on', but got {shown(on):.60}",
                       "on=cell, or on=cell[x, y]")
        self.indices = self.value.indices
        if isinstance(on, Reference):
            if not all(isinstance(one, Index) for one in on.operands[1:]):
                place.fail("declared-twice", "expected a new name for each index behind 'on'",
                           "conditions stand behind 'when'")
            self.indices = tuple(one.data for one in on.operands[1:])
        self.labels = program._labels.get(self.value.name, [])
        self.writer = program._writer(self.indices, self.value)
        self.assigned = []

    # Calling ----------------------------------------------------------------------------------

    def call(self, purpose):
        """What the function returns."""
        result, self.assigned = trace(self.function, self._arguments(self.function))
        if result is None:
            self.place.fail("missing-part", f"'{self.name}' returns nothing", purpose)
        return result

    def operand(self, result):
        """What was returned, as an expression."""
        if isinstance(result, tuple):
            self.place.fail("wrong-type", f"'{self.name}' returns several things",
                            "return lmpm.propose(value, score=…)")
        return operand(result, self.place)

    def _arguments(self, function):
        """Traced values for a function's parameters."""
        try:
            signature = inspect.signature(function, eval_str=True)
        except NameError as error:  # `from __future__ import annotations`
            place_of(function).fail("undeclared-name", f"an annotation cannot be read: {error}",
                                    "names in annotations are those of the module")
        return {name: self._argument(function, name, parameter)
                for name, parameter in signature.parameters.items()}

    def _argument(self, function, name, parameter):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            place_of(function, name).fail(
                "wrong-type", f"expected parameters with names of their own, but got '{parameter}'",
                "what a parameter is called says what it is")
        if isinstance(parameter.annotation, (IndexSet, set, frozenset)):
            return self.value._neighborhood((parameter.annotation,), self.place)
        if parameter.default is not parameter.empty:
            return parameter.default
        if name in self.indices:
            return Index(name)
        if name in self.labels:
            return Label(name, self.program)
        if name in _PREDEFINED:
            return Predefined(name)
        for item in self.read:
            if _name_of(item).lower() == name.lower():
                return Predefined(_name_of(item))
        known = [*self.indices, *self.labels, *_PREDEFINED]
        place_of(function, name).fail(
            "undeclared-name", f"'{name}' is no index of '{self.value.name}', no label of what it "
            f"sees and no read of the rule",
            nearest(name, known) or "what a parameter is called says what it is; known are "
            + ", ".join(known))

    # Writing ----------------------------------------------------------------------------------

    def begin(self, roots):
        """`on`, `read` and `let`s; from then on expressions are written by their names."""
        clauses = [self._on()]
        if self.read:
            reads = [self.writer.write(one, self.on_place) for one in self.read]
            clauses.append(_lmpm.Clause(self.program._number(self.on_place), "read", reads=reads))
        names = self._names(postorder(roots))
        self.writer.lets = names
        for value, _ in self.assigned:
            if id(value) in names:
                number = self.writer.write(value, value.place, defines=True)
                clauses.append(_lmpm.Clause(self.program._number(value.place), "let",
                                            name=names[id(value)], value=number))
        return clauses

    def _on(self):
        when = self.when
        if not isinstance(when, Expr) and code_of(when) is not None:
            when, _ = trace(when, self._arguments(when))
        condition = None if when is None else \
            self.writer.write(operand(when, self.on_place), self.on_place)
        return _lmpm.Clause(self.program._number(self.on_place), "on", target=self._target(),
                            value=condition)

    def _target(self):
        return self.writer.write(self.value._own_cell(self.on_place), self.on_place)

    def clause(self, word, value, place, emits=False):
        """A clause with an expression, at its place if it has one."""
        own_place = getattr(value, "place", None)
        if own_place is not None and own_place is not NOWHERE:
            place = own_place
        return _lmpm.Clause(self.program._number(place), word,
                            target=self._target() if emits else None,
                            value=self.writer.write(value, place))

    def comments(self):
        """The function's docstring, as comments of the language."""
        lines = (unwrapped(self.function).__doc__ or "").strip().splitlines()
        return [f"// {line.strip()}".rstrip() for line in lines]

    def _names(self, order):
        """A name for each expression that is used and that a let can hold, by identity."""
        reachable = {id(one) for one in order}
        free = _free_names(order, set(self.indices))
        taken = _RESERVED | set(self.indices) | {"d" + one for one in self.indices} \
            | self.program._names | set(self.labels) \
            | {one.data for one in order if one.kind == "name"}
        names, last = {}, {}
        for value, variable in self.assigned:
            if id(value) in reachable and not free[id(value)] and _can_be_let(value):
                name = names[id(value)] = _fresh(variable, taken, last)
                taken.add(name)
        return names


def _name_of(item):
    """The name of a read: of `neighbors in N8`, of `Txt[*]`, of `Coarse?`."""
    while isinstance(item, Expr) and item.operands:
        item = item.operands[0]
    return item.data if isinstance(item, Named) else ""


def _can_be_let(value):
    return value.over is None and not isinstance(value, IndexSet) and \
        not (value.kind == "call" and value.data[0] in _ANSWERS) and value.kind != "any_marker"


def _free_names(order, own_names):
    """The indices that each expression leaves for a reduction around it to bind."""
    free = {}
    ranged = set()  # what a reduction further out goes over, in its own `when`
    for value in order:
        if value.kind == "where":
            ranged |= members_of(value.operands[1])
    for value in order:
        found = _NONE
        if isinstance(value, Index):
            found = _NONE if value.data in own_names else frozenset((value.data,))
        elif value.kind == "own" and value.data[1]:
            found = frozenset((value.data,))
        for one in value.operands:
            if type(one) not in PLAIN and free[id(one)]:
                found |= free[id(one)]
        if found and value.kind == "where":
            found -= members_of(value.operands[1])
        if value.kind == "call" and value.data[0] in REDUCTIONS and len(value.operands) == 1:
            found &= ranged
        free[id(value)] = found
    return free


def _fresh(name, taken, last):
    """A name of the language that nothing else has; `last` has the numbers that were given."""
    name = "".join(one if one.isascii() and (one.isalnum() or one == "_") else "_" for one in name)
    number = last.get(name, 0) + 1
    made = name if number == 1 else f"{name}_{number}"
    while made in taken or not _lmpm.is_name(made):
        number += 1
        made = f"{name}_{number}"
    last[name] = number
    return made
