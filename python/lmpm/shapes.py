"""Types, shapes, names and offsets: what declarations are made of."""

from lmpm._hints import shown
from lmpm._lmpm import BINARY
from lmpm._places import Place, here, own
from lmpm.expressions import Expr, IndexSet, Operation, node, operand

__all__ = ["Diagonal", "Event", "F32", "Grid", "Grid2D", "Grid3D", "I32", "Latent", "Moore", "N4",
           "N8", "Palette", "Rule", "Scalar", "Seq", "Set", "Token", "VonNeumann", "index",
           "indices", "region", "size", "sizes"]

own(globals())

NOWHERE = Place("<lmpm>", 1, 0)


class Named(Expr):
    """A name, which stands at the place where it is used."""

    __slots__ = ("program",)

    def __init__(self, name, program=None, truth=False):
        super().__init__("name", name, (), NOWHERE, truth)
        self.program = program  # which declares it, if one does

    @property
    def name(self):
        """The name that the program has for it."""
        return self.data

    def _over(self, condition, place):
        made = Predefined(self.data, self.program, self.truth)
        made.over = condition
        return made

    def __repr__(self):
        return f"<{type(self).__name__.lower()} {self.data}>"


class Predefined(Named):
    """A name that the language gives a meaning, such as `candidate`."""

    __slots__ = ()


class Size(Named):
    """A number that a run's bindings give, such as the width of a grid."""

    __slots__ = ()


class Index(Named):
    """An index of a cell, or one over which a reduction ranges."""

    __slots__ = ()


def size(name):
    """A size by its name, for expressions such as `size("W") // 8`."""
    return Size(name)


def sizes(names):
    """Several sizes: `W, H = lmpm.sizes("W H")`."""
    return tuple(Size(name) for name in _split(names))


def index(name):
    """An index by its name."""
    return Index(name)


def indices(names):
    """Several indices: `x, y, dx, dy = lmpm.indices("x y dx dy")`."""
    return tuple(Index(name) for name in _split(names))


def _split(names):
    if not isinstance(names, str):
        here().fail("wrong-type", f"expected names with blanks between, but got {shown(names):.60}",
                    'as in lmpm.indices("x y")')
    return names.split()


def size_operand(value, place):
    """A size in a type or a shape: a number, a name, an expression of sizes."""
    return Size(value) if isinstance(value, str) else operand(value, place)


class Type:
    """The type of a value or a parameter, such as `Token(2)`, `F32`, `F32("Q")` or `Latent(12)`.

    Sizes are numbers, names or expressions; `Token["V"]` is the same as `Token("V")`.
    """

    def __init__(self, name, arguments=()):
        self.name, self.arguments = name, tuple(arguments)

    def __call__(self, *sizes):
        place = here()
        return Type(self.name, [size_operand(one, place) for one in sizes])

    def __getitem__(self, sizes):
        return self(*(sizes if isinstance(sizes, tuple) else (sizes,)))

    def __repr__(self):
        return self.name + (f"({', '.join(map(str, self.arguments))})" if self.arguments else "")


#: A vocabulary of that many tokens: `Token(2)`.
Token = Type("Token")
#: Integers of 32 bits.
I32 = Type("I32")
#: Numbers.
F32 = Type("F32")
#: Vectors of that many numbers: `Latent(12)`.
Latent = Type("Latent")
#: Events, in sets.
Event = Type("Event")
#: Rules, in sets.
Rule = Type("Rule")


def _letter(axis):
    """The index of an axis: one letter for each that the language allows, and a number behind those of more."""
    return f"{'ijklmnpqrstuvwxy'[axis % 16]}{axis // 16 or ''}"


class Shape:
    """The shape of a value: the size of each axis, and the names that its indices have where a
    program gives none."""

    def __init__(self, name, sizes=(), indices=None):
        self.name, self.sizes = name, tuple(sizes)
        self.indices = indices or tuple(_letter(axis) for axis in range(len(self.sizes)))

    def __repr__(self):
        return self.name + (f"({', '.join(map(str, self.sizes))})" if self.sizes else "")


def Seq(n):  # noqa: N802: as the language spells it
    """A sequence of n cells; its index is i."""
    return Shape("Seq", [size_operand(n, here())], ("i",))


def Grid2D(w, h):  # noqa: N802
    """A grid of w by h cells; its indices are x and y."""
    place = here()
    return Shape("Grid2D", [size_operand(one, place) for one in (w, h)], ("x", "y"))


def Grid3D(t, w, h):  # noqa: N802
    """A grid of t frames of w by h cells; its indices are t, x and y."""
    place = here()
    return Shape("Grid3D", [size_operand(one, place) for one in (t, w, h)], ("t", "x", "y"))


def Grid(*sizes):  # noqa: N802
    """A grid of any number of axes; its indices are i, j, k, …"""
    place = here()
    return Shape("Grid", [size_operand(one, place) for one in sizes])


def Set():  # noqa: N802
    """A set, of events or of rules."""
    return Shape("Set")


#: One cell.
Scalar = Shape("Scalar")


def _offsets(name, axes):
    return IndexSet("name", name, (), NOWHERE, axes)


#: The four neighbours of a cell of a grid, without itself.
N4 = _offsets("N4", 2)
#: The eight neighbours of a cell of a grid.
N8 = _offsets("N8", 2)
#: The four neighbours at the corners.
Diagonal = _offsets("Diagonal", 2)


def Moore(radius):  # noqa: N802
    """All cells at most that far away on each axis, without the cell itself; of all axes."""
    place = here()
    return IndexSet("call", ("Moore", ("",)), (operand(radius, place),), place)


def VonNeumann(radius):  # noqa: N802
    """All cells at most that many steps away, without the cell itself; of all axes."""
    place = here()
    return IndexSet("call", ("VonNeumann", ("",)), (operand(radius, place),), place)


def Palette(name):  # noqa: N802
    """A set of tokens that the bindings name."""
    place = here()
    return IndexSet("call", ("Palette", ("",)), (operand(name, place, strings=True),), place, 1)


def region(name):
    """A region of cells that the bindings name, as the last index of a reference."""
    place = here()
    return node("call", ("region", ("",)), (operand(name, place, strings=True),), place)


def is_offsets(value):
    """Whether an index says which neighbours, and not which cell."""
    return isinstance(value, (IndexSet, set, frozenset))


def own_index(axis, place):
    """An index of the cell that a declaration is about, whatever its name is there."""
    return Operation("own", (axis, ""), (), place)


def own_offset(axis, place):
    """How far on that axis a neighbour is: the index's name with a d before it."""
    return Operation("own", (axis, "d"), (), place)


def shifted(axis, place):
    """The index of a neighbour."""
    return Operation("binary", BINARY["+"], (own_index(axis, place), own_offset(axis, place)), place)
