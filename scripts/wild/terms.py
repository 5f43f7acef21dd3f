"""What expressions are made of: texts with how tightly they bind, the types of cells, and what a rule sees."""

import dataclasses

# How tightly each form of the grammar binds.
IF, OR, AND, NOT, COMPARE, RANGE, BITS, MASK, SHIFT, SUM, PRODUCT, UNARY, POWER, ABSENT, POSTFIX, PRIMARY = range(16)


@dataclasses.dataclass(frozen=True)
class Term:
    """An expression; of an integer also between which numbers it lies."""

    text: str
    level: int = PRIMARY
    low: int = 0
    high: int = 0

    def at(self, level):
        """The text where something must bind as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"


@dataclasses.dataclass(frozen=True)
class Type:
    """What a cell holds: `token`, `i32`, `f32` or `latent`; how many tokens or components."""

    name: str
    size: int = 0

    def text(self):
        return {"token": f"Token[{self.size}]", "i32": "I32", "f32": "F32", "latent": f"Latent[{self.size}]"}[self.name]

    def bounds(self):
        return (0, self.size - 1) if self.name == "token" else (-2**31, 2**31 - 1)


@dataclasses.dataclass
class Value:
    """A value of the program; `axes` are the texts of its sizes and their numbers."""

    name: str
    type: Type
    axes: list
    boundary: list
    indices: list
    ruled: bool = True
    present: bool = True

    @property
    def extents(self):
        return [extent for _, extent in self.axes]

    @property
    def cells(self):
        product = 1
        for extent in self.extents:
            product *= extent
        return product

    def ref(self, places=None):
        places = self.indices if places is None else places
        return f"{self.name}[{','.join(places)}]" if places else self.name


@dataclasses.dataclass
class Sight:
    """What a `visible` line shows: cells of a type, how many at most, and whether they may be absent. `free`
    are its free indices with the numbers they go over; `when` is what the line says of them."""

    type: Type
    ref: str
    label: str = ""
    when: str = ""
    free: dict = dataclasses.field(default_factory=dict)
    members: int = 1
    may_be_absent: bool = False
    one: str = ""  # one member, without free indices
    is_whole: bool = False  # says `*` or a range, which stand in no reduction with free indices


@dataclasses.dataclass
class Param:
    """A parameter, with between which numbers its elements lie."""

    name: str
    type: str
    sizes: list
    low: int = 0
    high: int = 0


@dataclasses.dataclass
class Formula:
    """A formula of so many indices."""

    name: str
    arity: int
    kind: str
    low: int = 0
    high: int = 0


@dataclasses.dataclass
class Scene:
    """Where an expression stands: what it may name and do."""

    indices: dict  # with their extents
    sizes: dict
    params: list
    formulas: list
    sights: list = dataclasses.field(default_factory=list)
    own: Type = None
    own_is_present: bool = True
    candidate: Type = None
    named: list = dataclasses.field(default_factory=list)  # lets: (kind, term)
    draws: bool = False
    epoch: bool = True
    palettes: list = dataclasses.field(default_factory=list)
    careless: int = 1  # percent of what is left out although it is asked for
