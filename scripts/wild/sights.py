"""`visible` lines: where a cell of one value looks in another, whatever their ranks, sizes and borders."""

from wild.terms import Param, Sight

SETS = {"N4": 4, "N8": 8, "Diagonal": 4, "Moore(2)": 24, "VonNeumann(2)": 12, "{(0,1), (1,0), (-1,-1)}": 3,
        "{(2,0)} | N4": 5, "Moore(1) | {(0,3), (-3,0)}": 10}


class Sights:
    """Mixed into Maker: makes visible lines and remembers what they show."""

    def own_line(self, value):
        self.dice.note("own-line")
        self.lines.append(f"visible {value.ref()} <- {value.ref()}")

    def sight(self, value, other):
        """A line by which cells of `value` see some of `other`, if one comes to mind."""
        if other.axes and value.axes and len(value.axes) != len(other.axes):
            self.dice.note("mixed-rank")
        makers = {
            "same-place": lambda: self.places(value, other, self.same_place),
            "constant-place": lambda: self.places(value, other, self.constant_place),
            "scaled-place": lambda: self.places(value, other, self.scaled_place),
            "epoch-place": lambda: self.places(value, other, self.epoch_place),
            "gather": lambda: self.gathered(value, other),
            "whole-axis": lambda: self.whole_axis(value, other),
            "neighbourhood": lambda: self.neighbours(value, other), "named-set": lambda: self.named_set(value, other),
            "range-of-index": lambda: self.ranged(value, other), "triangle": lambda: self.triangle(value, other),
        }
        if not other.axes:
            return self.seen(value, other, [], {}, "", other.present)
        return self.dice.choose(makers)

    def seen(self, value, other, places, free, when, is_there, members=1, whole=False):
        """Writes the line. Its label is left out sometimes: then the text of its reference must do."""
        ref = other.ref(places)
        label = self.fresh("s") if free or whole or self.dice.chance(40) else ""
        shown = label if self.dice.chance(70) else ""
        self.lines.append(f"visible {shown + ': ' if shown else ''}{value.ref()} <- {ref}"
                          + (f" when {when}" if when else ""))
        is_family = bool(free or whole)
        one = "" if is_family else shown if shown and self.dice.chance(50) else ref
        return Sight(other.type, ref, shown if is_family else "", when, free, members, not is_there, one, whole)

    def base(self, value, other, axis):
        """An index of the value that may stand at this axis of the other one, and whether it lies inside."""
        if not value.axes:
            return None, False
        at = axis if axis < len(value.axes) and self.dice.chance(80) else self.dice.randrange(len(value.axes))
        is_inside = value.extents[at] <= other.extents[axis] or other.boundary[axis] != "open"
        return value.indices[at], is_inside and other.present

    def same_place(self, value, other, axis):
        name, is_inside = self.base(value, other, axis)
        if name is None:
            return self.constant_place(value, other, axis)
        if self.dice.chance(50):
            return name, is_inside
        shift = self.dice.choice([-1, 1, 1, 2, -2, 5, 64])
        return f"{name}{shift:+d}", other.boundary[axis] != "open" and other.present

    def constant_place(self, value, other, axis):
        number = self.dice.choice([0, other.extents[axis] - 1, self.dice.randrange(other.extents[axis])])
        return str(number), other.present

    def scaled_place(self, value, other, axis):
        name, _ = self.base(value, other, axis)
        if name is None:
            return self.constant_place(value, other, axis)
        text = self.dice.choice([f"2*{name}", f"{name}/2", f"{name} % 3", f"3*{name}-1", f"-{name}", f"({name}+1)/2",
                                 f"2*({name}/2)+1"])
        return text, other.boundary[axis] != "open" and other.present

    def epoch_place(self, value, other, axis):
        return f"epoch % {other.extents[axis]}", other.present

    def places(self, value, other, special):
        """A place for each axis, of which one is special."""
        chosen = self.dice.randrange(len(other.axes))
        made = [(special if axis == chosen else self.same_place)(value, other, axis)
                for axis in range(len(other.axes))]
        return self.seen(value, other, [text for text, _ in made], {}, "", all(there for _, there in made))

    def gathered(self, value, other):
        """Parameters say which cell of an axis is seen."""
        axis = self.dice.randrange(len(other.axes))
        extent, is_open = other.extents[axis], other.boundary[axis] == "open"
        at = self.dice.randrange(len(value.axes)) if value.axes else None
        low, high = (0, extent - 1) if is_open else (-3, extent + 3)
        sizes = [value.extents[at]] if value.axes else [2]
        name = self.fresh("nbr")
        if self.dice.chance(50):
            sizes.append(2)
        self.params.append(Param(name, "I32", sizes, low, high))
        self.declare(f"param {name} : I32[{', '.join(map(str, sizes))}]")
        places = [self.same_place(value, other, k)[0] for k in range(len(other.axes))]
        indices = [value.indices[at] if value.axes else "1"]
        free = {}
        if len(sizes) == 2:
            free = {"k": (0, 1)}
            indices.append("k")
        places[axis] = f"{name}[{','.join(indices)}]"
        is_there = other.present and all(bound != "open" for bound in other.boundary)
        return self.seen(value, other, places, free, "k in 0..1" if free else "", is_there, 2 if free else 1)

    def whole_axis(self, value, other):
        """All cells of an axis, or those of a range."""
        axes = [axis for axis, extent in enumerate(other.extents) if extent <= 40]
        if not axes:
            return None
        axis = self.dice.choice(axes)
        made = [self.same_place(value, other, k) for k in range(len(other.axes))]
        places, members = [text for text, _ in made], other.extents[axis]
        places[axis] = "*" if self.dice.chance(60) else f"0..{members - 1}"
        return self.seen(value, other, places, {}, "", all(there for _, there in made), members, whole=True)

    def neighbours(self, value, other):
        """Cells at some distances along one axis, or two with indices of their own."""
        axis = self.dice.randrange(len(other.axes))
        name, _ = self.base(value, other, axis)
        if name is None:
            return None
        places = [self.same_place(value, other, k)[0] for k in range(len(other.axes))]
        free = self.dice.choice(["d", "dx", "m"])
        where, low, high, members = self.dice.choice([
            (f"{free} in -1..1", -1, 1, 3), (f"{free} in {{-1, 1}}", -1, 1, 2), (f"{free} in -2..2 and {free} != 0", -2, 2, 4),
            (f"{free} in {{-3, 3}} | (-1..1)", -3, 3, 5), (f"{free} in 0..3", 0, 3, 4), (f"{free} in {{2}}", 2, 2, 1),
            (f"{free} in -4..4 and {free} % 2 == 0", -4, 4, 5)])
        if "|" in where:
            self.dice.note("union-of-sets")
        places[axis] = f"{name}+{free}" if self.dice.chance(80) else f"{name}-{free}"
        return self.seen(value, other, places, {free: (low, high)}, where, False, members)

    def named_set(self, value, other):
        """Cells about a place of two axes."""
        if len(other.axes) < 2 or not value.axes:
            return None
        first = self.dice.randrange(len(other.axes) - 1)
        places = [self.same_place(value, other, k)[0] for k in range(len(other.axes))]
        for axis, free in ((first, "dx"), (first + 1, "dy")):
            name, _ = self.base(value, other, axis)
            places[axis] = f"{name}+{free}"
        name = self.dice.choice(sorted(SETS))
        if "|" in name:
            self.dice.note("union-of-sets")
        where = f"(dx,dy) in {name}"
        where += self.dice.choice(["", "", " and not (dx,dy) in N4" if name.startswith("Moore(2)") else ""])
        return self.seen(value, other, places, {"dx": (-3, 3), "dy": (-3, 3)}, where, False, SETS[name])

    def ranged(self, value, other):
        """A free index between ends that say indices or parameters."""
        return self.along(value, other, "m", 70, lambda name: "m in " + (
            f"{name}..{name}+2" if self.dice.chance(50) else f"{name}/2..{name}"))

    def triangle(self, value, other):
        """All cells that do not lie behind."""
        return self.along(value, other, "k", 40,
                          lambda name: f"k {self.dice.choice(['<', '<=', '!='])} {name}")

    def along(self, value, other, free, most, where):
        """A free index that goes along a short axis, limited by an index of the cell."""
        axes = [axis for axis, extent in enumerate(other.extents) if extent <= most]
        if not axes or not value.axes:
            return None
        axis, name = self.dice.choice(axes), self.dice.choice(value.indices)
        places = [self.same_place(value, other, k)[0] for k in range(len(other.axes))]
        places[axis] = free
        extent = other.extents[axis]
        return self.seen(value, other, places, {free: (0, extent - 1)}, where(name), False, extent)
