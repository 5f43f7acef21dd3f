"""The parts of an operation by the names that the dialect gives them: what lmpm/operations.py is made of.

A class of operations lists its parts in the order of the dialect; where each lies among the operands, attributes,
results or regions follows from that.
"""

import inspect

from lmpm import _lmpm
from lmpm.errors import Error

def _attribute(op, name):
    """An attribute, or None."""
    return op.attributes[name] if name in op.attributes else None


class Part:
    """One part of an operation, under its name."""

    word = "part"
    kind = None  #: in which list of the operation it is
    is_one = True
    is_optional = False

    def __init__(self, doc):
        self.__doc__ = doc

    def __set_name__(self, owner, name):
        self.owner, self.name = owner, name

    def __get__(self, op, owner=None):
        return self if op is None else self.get(op)

    def __set__(self, op, value):
        raise AttributeError(f"'{self.name}' of {op.name} cannot be set")

    def get(self, op):
        found = self.slice(op)
        if not self.is_one:
            return found
        return found[0] if found else None

    def slice(self, op):
        """Those of the list that are of this part."""
        first, count = self.place(op)
        return getattr(op, self.kind)[first:first + count]

    def place(self, op):
        """Where they begin, and how many they are."""
        parts = self.owner.parts[self.kind]
        total = len(getattr(op, self.kind))
        sizes = _attribute(op, f"{self.kind[:-1]}SegmentSizes")
        if sizes is not None:
            counts = list(sizes.value)
        else:  # one part alone may be many
            rest = total - sum(one.is_fixed for one in parts)
            counts = [1 if one.is_fixed else rest for one in parts]
        number = parts.index(self)
        return sum(counts[:number]), counts[number]

    @property
    def is_fixed(self):
        """Whether there is exactly one of it in each operation."""
        return self.is_one and not self.is_optional


class Operand(Part):
    """A value that the operation takes; may be set."""

    word = "operand"
    kind = "operands"

    def __set__(self, op, value):
        first, count = self.place(op)
        if count != 1:
            raise Error.of(f"expected an operand '{self.name}' of {op.name} to set, but it has none",
                           "invalid-reference")
        op.set_operand(first, value)


class OptionalOperand(Operand):
    """The same, or None."""

    word = "operand or None"
    is_optional = True


class Operands(Part):
    """Several values, a list."""

    word = "list of operands"
    kind, is_one = "operands", False


class Result(Part):
    """A value that the operation gives."""

    word = "result"
    kind = "results"


class OptionalResult(Result):
    """The same, or None."""

    word = "result or None"
    is_optional = True


class Results(Part):
    """Several values, a list."""

    word = "list of results"
    kind, is_one = "results", False


class RegionPart(Part):
    """A region of the operation."""

    word = "region"
    kind = "regions"


class AttributePart(Part):
    """An attribute of the operation, or None; may be set."""

    word = "attribute"
    kind = "attributes"

    def __init__(self, doc, key=None):
        super().__init__(doc)
        self.key = key

    def get(self, op):
        return _attribute(op, self.key or self.name)

    def __set__(self, op, value):
        op.attributes[self.key or self.name] = value


class View(_lmpm.Operation):
    """An operation of the dialect."""

    __slots__ = ()
    parts = {}

    def __init_subclass__(cls, of):
        cls.parts = {}
        for part in vars(cls).values():
            if isinstance(part, Part):
                cls.parts.setdefault(part.kind, []).append(part)
        _lmpm.operation_classes[of] = cls  # in which the compiler looks
        lines = [f"{part.name} ({part.word}): {part.__doc__}" for list_ in cls.parts.values() for part in list_]
        cls.__doc__ = "\n".join([f"`{of}`: {inspect.getdoc(cls)}", "", *lines])
