"""Calls a rule's function once, with traced values, and says what it assigned to variables."""

import inspect

from lmpm import _lmpm
from lmpm._places import own, place_of
from lmpm._writer import members_of, postorder
from lmpm.expressions import PLAIN, Expr, IndexSet, nearest, operand, tracing
from lmpm.shapes import Index, Predefined

own(globals())

_PREDEFINED = ("self", "candidate", "neighbors", "prev_frame", "epoch", "e")
_NONE = frozenset()
#: What a let cannot hold.
_ANSWERS = {"Model", "ModelScore", "SampleTiles"}
_RESERVED = {"any", "pi", "N4", "N8", "Diagonal", *_PREDEFINED}


def trace(function, arguments):
    """What a function returns, and what it assigned to local variables, in order."""
    outer, tracing.assigned = tracing.assigned, []
    try:
        result = function(**arguments)
        return result, tracing.assigned
    finally:
        tracing.assigned = outer


class Declaration:
    """A rule or a constraint with `on`: its indices, its parameters, its clauses."""

    def __init__(self, program, function, name, on, place):
        self.program, self.function, self.name = program, function, name
        self.place = place_of(function)
        self.on_place = place
        if name == "<lambda>":
            self.place.fail("missing-part", "a lambda gives a rule or a constraint no name",
                            "give one: @program.rule(\"Name\", on=cell)")
        self.value = on.operands[0] if on_is_reference(on) else on
        if not hasattr(self.value, "indices"):
            place.fail("wrong-type", f"expected a value behind 'on', but got {on!r:.60}",
                       "on=cell, or on=cell[x, y]")
        self.indices = self.value.indices
        if on_is_reference(on):
            if not all(isinstance(one, Index) for one in on.operands[1:]):
                place.fail("declared-twice", "expected a new name for each index behind 'on'",
                           "conditions stand behind 'when'")
            self.indices = tuple(one.data for one in on.operands[1:])
        self.writer = None

    def arguments(self, read):
        """Traced values for the function's parameters."""
        found = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            found[name] = self._argument(name, parameter, read)
        return found

    def _argument(self, name, parameter, read):
        annotation = parameter.annotation
        if annotation is not parameter.empty:
            if isinstance(annotation, (IndexSet, set, frozenset)):
                return self.value._neighborhood((annotation,), self.place)
        if name in self.indices:
            return Index(name)
        if name in self._labels() or name in _PREDEFINED:
            return Predefined(name)
        for item in read:
            if _name_of(item).lower() == name.lower():
                return Predefined(_name_of(item))
        if parameter.default is not parameter.empty:
            return parameter.default
        known = [*self.indices, *self._labels(), *_PREDEFINED]
        place_of(self.function, name).fail(
            "undeclared-name", f"'{name}' is no index of '{self.value.name}', no label of what it "
            f"sees and no read of the rule",
            nearest(name, known) or "what a parameter is called says what it is; known are "
            + ", ".join(known))

    def _labels(self):
        return [label for key in self.program._declared.values()
                if isinstance(key, tuple) and key[0] is self.value for label in key[1:] if label]

    def target(self):
        """The number of the reference to the own cell."""
        return self.writer.write(self.value.at_own_cell(self.on_place), self.on_place)

    def clauses(self, assigned, roots, when, read):
        """`on`, `read` and `let`s; from then on expressions are written by their names."""
        program = self.program
        if callable(when) and not isinstance(when, Expr):
            when, _ = trace(when, {name: self._argument(name, one, read) for name, one in
                                   inspect.signature(when).parameters.items()})
        self.writer = program._writer(self.indices)
        self.writer.own = self.value
        condition = None if when is None else \
            self.writer.write(operand(when, self.on_place), self.on_place)
        clauses = [_lmpm.Clause(program._place(self.on_place), "on", target=self.target(),
                                value=condition)]
        if read:
            reads = [self.writer.write(one, self.on_place) for one in read]
            clauses.append(_lmpm.Clause(program._place(self.on_place), "read", reads=reads))
        order = postorder(roots)
        names = self._names(order, assigned)
        self.writer.lets = names
        for value, _ in assigned:
            if id(value) in names:
                number = self.writer.write(value, value.place, defines=True)
                clauses.append(_lmpm.Clause(program._place(value.place), "let",
                                            name=names[id(value)], value=number))
        return clauses

    def _names(self, order, assigned):
        """A name for each expression that is used and that a let can hold, by identity."""
        reachable = {id(one) for one in order}
        free = _free_names(order, set(self.indices))
        taken = _RESERVED | set(self.indices) | {"d" + one for one in self.indices} \
            | {one for one in self.program._declared if isinstance(one, str)} \
            | {one.data for one in order if one.kind == "name"}
        names, last = {}, {}
        for value, variable in assigned:
            if id(value) in reachable and not free[id(value)] and _can_be_let(value):
                name = names[id(value)] = _fresh(variable, taken, last)
                taken.add(name)
        return names


def on_is_reference(on):
    return isinstance(on, Expr) and on.kind == "index"


def _name_of(item):
    """The name of a read: of `neighbors in N8`, of `Txt[*]`, of `Coarse?`."""
    while isinstance(item, Expr) and item.operands:
        item = item.operands[0]
    return item.data


def _can_be_let(value):
    return value.over is None and not isinstance(value, IndexSet) and \
        not (value.kind == "call" and value.data[0] in _ANSWERS) and value.kind != "any_marker"


def _free_names(order, own_names):
    """The indices that each expression leaves for a reduction around it to bind."""
    free = {}
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
