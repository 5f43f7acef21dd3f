"""Programs of the whole language: declarations of every form, with the bindings that they need.

Nothing here is well-formed by construction. Expressions are typed so that most programs are accepted; the
rest is for the tools to refuse.
"""

from wild.agreements import Agreements
from wild.arrays import Bindings
from wild.dice import Dice
from wild.expressions import Expressions
from wild.sights import Sights
from wild.terms import Formula, Param, Scene, Type, Value

ODD = [1, 2, 3, 5, 7, 11, 13, 17, 31, 32, 33, 63, 64, 65, 66, 95, 96, 97, 127, 128, 129, 130, 160, 193]
INDICES = {1: ["i"], 2: ["x", "y"], 3: ["t", "x", "y"], 4: ["t", "x", "y", "z"]}


class Maker(Sights, Agreements):
    """Makes one program."""

    def __init__(self, seed, wanted=()):
        self.dice = Dice(seed, wanted)
        self.expressions = Expressions(self.dice)
        self.lines, self.values, self.params, self.formulas = [], [], [], []
        self.sizes, self.palettes, self.regions, self.number = {}, [], {}, 0
        self.sets = []
        self.make()

    def fresh(self, prefix):
        self.number += 1
        return f"{prefix}{self.number}"

    def declare(self, line):
        """Declarations may stand in any order."""
        self.lines.insert(self.dice.randrange(len(self.lines) + 1) if self.dice.chance(30) else len(self.lines), line)

    def make(self):
        for _ in range(self.dice.choice([0, 1, 1, 2])):
            self.parameter()
        for _ in range(self.dice.choice([1, 1, 2, 2, 3])):
            self.value()
        if not any(value.ruled for value in self.values):
            self.value()
            self.values[-1].ruled = True
        if self.dice.some("palette", 15):
            self.palettes.append("dark" if self.dice.chance(50) else "p-1")
        for _ in range(self.dice.choice([0, 0, 1])):
            self.formula()
        for value in self.values:
            if value.ruled:
                self.ruled(value)
        for _ in range(self.dice.choice([0, 1, 2])):
            self.observer()
        self.events()

    def text(self):
        return "\n".join(self.lines) + "\n"

    # Sizes, values, parameters

    def extents(self, rank):
        """Sizes of which at most one is long, for few cells."""
        most, long = self.dice.choice([120, 500, 1500, 3000]), self.dice.randrange(max(rank, 1))
        if self.dice.chance(50):
            long = rank - 1
        extents = []
        for axis in range(rank):
            left = most
            for extent in extents:
                left //= extent
            limit = left if axis == long else min(left, 6)
            extents.append(self.dice.choice([size for size in ODD if size <= max(limit, 1)]))
        if any(extent in (31, 33, 63, 65, 66, 95, 97, 127, 129, 130) for extent in extents):
            self.dice.note("odd-size")
        if rank and extents[-1] > 64:
            self.dice.note("long-row")
        if rank and 1 in extents:
            self.dice.note("one-cell-axis")
        return extents

    def axis(self, extent):
        """How a size is written: a number, a name, or a sum of names."""
        known = [name for name, number in self.sizes.items() if number == extent]
        if known and self.dice.chance(70):
            return known[0]
        if self.dice.chance(35):
            return str(extent)
        name = self.dice.choice([n for n in ("N", "M", "W", "H", "K", "L", "Q", "R", "S", "T2") if n not in self.sizes]
                                or [self.fresh("Z")])
        if extent > 2 and self.dice.some("sum-of-sizes", 10):
            self.sizes[name] = extent - 1
            return f"{name}+1"
        self.sizes[name] = extent
        return name

    def type(self):
        return self.dice.choose({
            "Token": lambda: Type("token", self.dice.choice([2, 2, 2, 3, 4, 5, 8, 15, 16, 17, 64, 255, 256, 257, 70000])),
            "I32": lambda: Type("i32"), "F32": lambda: Type("f32"),
            "Latent": lambda: Type("latent", self.dice.choice([1, 2, 3, 4, 5])),
        })

    def rank(self):
        return self.dice.choose({"Scalar": lambda: 0 + 10, "Seq": lambda: 11, "Grid2D": lambda: 12,
                                 "Grid3D": lambda: 13, "Grid": lambda: 20 + self.dice.choice([1, 2, 3, 4])})

    def shape(self, code, axes):
        names = {10: "Scalar", 11: "Seq", 12: "Grid2D", 13: "Grid3D"}
        return names.get(code, "Grid") + (f"({', '.join(axes)})" if axes else "")

    def boundaries(self, rank):
        """What stands beyond the borders of each axis, and how that is written."""
        one = self.dice.choose({name: lambda name=name: name for name in ("wrap", "open", "clamp")})
        if rank > 1 and self.dice.some("mixed-boundary", 35):
            each = [self.dice.choice(["wrap", "open", "clamp"]) for _ in range(rank)]
            return each, f" boundary ({', '.join(each)})"
        return [one] * rank, "" if one == "open" and self.dice.chance(50) else f" boundary {one}"

    def value(self):
        code = self.rank()
        rank = code % 10
        if self.values and self.values[-1].axes and self.dice.chance(45):
            extents, rank = self.values[-1].extents, len(self.values[-1].axes)
            code = 20 + rank
        else:
            extents = self.extents(rank)
        may_be_absent = self.dice.some("absent-input", 6)
        kind = Type("token", self.dice.choice([2, 5, 17, 300])) if may_be_absent else self.type()
        if kind.name == "latent" and self.dice.chance(50):
            self.bound_parameter([kind.size, 3], "F32")
        axes = [(self.axis(extent), extent) for extent in extents]
        boundary, clause = self.boundaries(rank)
        value = Value("ABCDE"[len(self.values)], kind, axes, boundary, INDICES.get(rank, []),
                      ruled=not may_be_absent and not self.dice.some("input", 25), present=not may_be_absent)
        clauses = [f" shape {self.shape(code, [text for text, _ in axes])}", clause if rank else "",
                   "" if may_be_absent else self.init(value)]
        if self.dice.some("clock", 8):
            clauses.append(" clock Lamport")
        self.dice.shuffle(clauses)
        self.values.append(value)
        self.declare(f"value {value.name} : {kind.text()}{''.join(clauses)}")

    def init(self, value):
        if self.dice.some("no-init", 20):
            value.present = value.type.name != "token"
            return ""
        scene = self.scene(value, draws=True)
        scene.epoch = False
        with self.expressions.standing(scene):
            text = self.held(value.type, self.dice.choice([0, 1, 2]))
        indices = f"[{','.join(value.indices)}]" if value.axes else ""
        return f" init{indices} {text}"

    def held(self, kind, depth):
        """An expression that a cell of this type can hold."""
        if kind.name == "token":
            return self.expressions.within(depth, 0, kind.size - 1).text
        if kind.name == "i32":
            return self.expressions.within(depth, *self.dice.choice([(-2**31, 2**31 - 1), (-100, 100), (0, 999)])).text
        if kind.name == "latent":
            return self.expressions.vector(depth, kind.size).text
        return self.expressions.number(depth).text

    def parameter(self):
        self.dice.choose({
            "param-number": lambda: self.bound_parameter([]), "param-formula": self.computed_parameter,
            "param-array": lambda: self.bound_parameter(
                self.dice.choice([[3], [1], [4], [2, 3], [3, 3], [4, 4], [3, 4], [17], [2, 2, 2]])),
            "param-literal": self.literal_parameter,
        })

    def bound_parameter(self, sizes, kind=None):
        param = Param(self.fresh("p"), kind or self.dice.choice(["I32", "F32", "F32"]), sizes, -1000, 1000)
        if param.type == "I32" and self.dice.chance(20):
            param.low, param.high = -2**31, 2**31 - 1
        self.params.append(param)
        self.declare(f"param {param.name} : {param.type}{'[' + ', '.join(map(str, sizes)) + ']' if sizes else ''}")
        return param

    def computed_parameter(self):
        kind = self.dice.choice(["I32", "F32"])
        with self.expressions.standing(self.scene(None, draws=False)):
            text = self.expressions.within(2, -1000, 1000).text if kind == "I32" else self.expressions.number(2).text
        name = self.fresh("p")
        self.declare(f"param {name} : {kind} = {text}")
        self.params.append(Param(name, kind, [], -1000, 1000))
        return name

    def literal_parameter(self):
        rows = self.dice.choice([[2], [5], [2, 3]])
        row = ["[" + ", ".join(str(self.dice.randint(-9, 30)) for _ in range(rows[-1])) + "]"
               for _ in range(1 if len(rows) == 1 else rows[0])]
        name = self.fresh("p")
        self.declare(f"param {name} : I32[{', '.join(map(str, rows))}] = "
                     + (row[0] if len(rows) == 1 else f"[{', '.join(row)}]"))
        self.params.append(Param(name, "I32", rows, -9, 30))
        return name

    def scene(self, value, draws):
        """Where expressions of a value stand: its indices, all sizes, parameters and formulas."""
        indices = dict(zip(value.indices, ((0, extent - 1) for extent in value.extents))) if value else {}
        params = [param for param in self.params if not param.name.startswith("nbr")]
        return Scene(indices, dict(self.sizes), params, [f for f in self.formulas if f.kind] if value else [],
                     draws=draws)

    def formula(self):
        """Of indices, and of what all values that it names show of themselves."""
        self.dice.note("formula")
        arity = self.dice.choice([0, 1, 1, 2])
        names = ["a", "b"][:arity]
        scene = Scene(dict.fromkeys(names, (-10, 200)), dict(self.sizes),
                      [p for p in self.params if not p.name.startswith("nbr")], list(self.formulas))
        formula = Formula(self.fresh("f"), arity, self.dice.choice(["integer", "number"]), -5000, 5000)
        with self.expressions.standing(scene):
            scene.formulas = [] if self.dice.chance(70) else scene.formulas
            text = self.expressions.within(2, -5000, 5000).text if formula.kind == "integer" else \
                self.expressions.number(2).text
        self.declare(f"def {formula.name}{'[' + ','.join(names) + ']' if names else ''} = {text}")
        self.formulas.append(formula)


def make(seed, number, wanted):
    """A program by its number: its text, its kinds and what it is bound to."""
    maker = Maker(f"{seed}/{number}", wanted)
    return maker.text(), maker.dice.used, Bindings(maker)
