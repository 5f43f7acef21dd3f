"""What is read: cells, families of them and what reduces them, parameters, formulas, names."""

from wild.terms import ABSENT, BITS, COMPARE, IF, PRIMARY, PRODUCT, SUM, Term

KINDS = {"token": "integer", "i32": "integer", "f32": "number"}


class Families:
    """Mixed into Expressions: reads and reductions."""

    def cell(self, kind):
        """One cell that is seen."""
        found = [sight for sight in self.scene.sights if sight.one and KINDS.get(sight.type.name) == kind]
        if not found:
            return None
        sight = self.dice.choice(found)
        return self.read(sight, sight.one)

    def read(self, sight, text):
        default = self.dice.choice(["0", "1"]) if sight.type.name in ("token", "i32") else "0.25"
        text = self.defaulted(text, sight.may_be_absent, default)
        bounds = sight.type.bounds() if sight.type.name in ("token", "i32") else (0, 0)
        return Term(text, ABSENT if "??" in text else PRIMARY, min(bounds[0], 0), max(bounds[1], 1))

    def families(self, kind, labelled):
        return [sight for sight in self.scene.sights if KINDS.get(sight.type.name) == kind
                and (sight.label if labelled else sight.free and not sight.is_whole)]

    def reduced(self, depth, kind):
        """A reduction of what is seen, with its free indices and conditions written out."""
        found = self.families(kind, labelled=False)
        if not found:
            return None
        sight = self.dice.choice(found)
        with self.indices(sight.free):
            ref = Term(sight.ref, PRIMARY, *self.bounds(sight))
            body = self.body(ref, kind, depth - 1)
            when = sight.when
            if self.dice.some("computed-range", 30) and (name := self.dice.choice(sorted(sight.free))):
                low, high = sight.free[name]
                when += (" and " if when else "") + f"{name} in {low}..{self.integer(1).at(BITS)}"
            elif self.dice.chance(25):
                when += (" and " if when else "") + self.truth(1).at(COMPARE)
        return self.of_members(kind, body, sight.members, f" when {when}" if when else "")

    def lifted(self, depth, kind):
        """A reduction of a family by its label, over which operators are lifted."""
        found = self.families(kind, labelled=True)
        if not found:
            return None
        sight = self.dice.choice(found)
        body = self.body(Term(sight.label, PRIMARY, *self.bounds(sight)), kind, min(depth - 1, 1), is_one=False)
        return self.of_members(kind, body, sight.members, "")

    def nested(self, depth, kind):
        """A reduction within a reduction, each over distances from the cell."""
        found = [sight for sight in self.families(kind, labelled=False) if len(sight.free) == 1 and " in " in sight.when and sight.members <= 9]
        if not found or depth < 2:
            return None
        sight = self.dice.choice(found)
        (name, bounds), = sight.free.items()
        other = sight.ref.replace(name, name + "2")
        when = sight.when.replace(name, name + "2")
        with self.indices({name: bounds}):
            inner = self.dice.choice([f"count({other} == {sight.ref} when {when})", f"count({other} when {when})",
                                      f"sum({other} when {when})", f"max({other} when {when}) ?? 0"])
        low, high = self.bounds(sight)
        bound = max(-low, high, 1) * sight.members
        return self.of_members(kind, Term(inner, ABSENT if "??" in inner else PRIMARY, -bound, bound), sight.members,
                               f" when {sight.when}")

    def bounds(self, sight):
        return sight.type.bounds() if sight.type.name in ("token", "i32") else (0, 0)

    def body(self, ref, kind, depth, is_one=True):
        """Something of one member."""
        if self.dice.chance(40):
            return ref
        if kind == "number":
            other = self.number(depth - 1 if is_one else 0)
            return self.dice.choice([lambda: Term(f"{ref.text} * {other.at(PRODUCT + 1)}", PRODUCT),
                                     lambda: Term(f"abs({ref.text} - {other.at(PRODUCT)})"),
                                     lambda: Term(f"exp(-{ref.text})"),
                                     lambda: Term(f"if {ref.text} > 0.0 then {ref.text} else {other.text}", IF)])()
        other = self.integer(depth - 1 if is_one else 0)
        span = max(abs(ref.low - other.high), abs(ref.high - other.low))
        return self.dice.choice([
            lambda: Term(f"abs({ref.text} - {other.at(PRODUCT)})", PRIMARY, 0, span),
            lambda: Term(f"{ref.text} + {other.at(PRODUCT)}", SUM, ref.low + other.low, ref.high + other.high),
            lambda: Term(f"{ref.text} * 2 - 1", SUM, 2 * ref.low - 1, 2 * ref.high),
            lambda: Term(f"min({ref.text}, {other.text})", PRIMARY, min(ref.low, other.low), min(ref.high, other.high)),
        ])()

    def of_members(self, kind, body, members, when):
        name = self.dice.choice(["sum", "sum", "min", "max", "mean", "product"])
        if kind == "number":
            text = f"{name}({body.text}{when})"
            needs = name in ("min", "max", "mean") and not self.dice.chance(self.scene.careless)
            return Term(f"{text} ?? 0.5", ABSENT) if needs else Term(text)
        if name == "product" and max(-body.low, body.high, 2)**members < 2**50:
            bound = max(-body.low, body.high, 2)**members
            return Term(f"product({body.text}{when})", PRIMARY, -bound, bound)
        if name in ("min", "max"):
            low, high = min(body.low, 0), max(body.high, 0)
            return Term(f"{name}({body.text}{when}) ?? 0", ABSENT, low, high)
        return Term(f"sum({body.text}{when})", PRIMARY, min(body.low, 0) * members, max(body.high, 0) * members)

    def asked(self, depth, makes_truth):
        """A family, or what is asked of its members, with how many there are."""
        found = [sight for sight in self.scene.sights if sight.type.name != "latent"
                 and (sight.label or (sight.free and not sight.is_whole))]
        if not found:
            return None
        sight = self.dice.choice(found)
        ref = sight.label or sight.ref
        when = f" when {sight.when}" if sight.when and not sight.label else ""
        if not makes_truth:
            return f"{ref}{when}", sight.members
        other = self.integer(0) if sight.type.name in ("token", "i32") else self.number(0)
        sign = self.dice.choice(["==", "!=", "<", ">="])
        return f"{ref} {sign} {other.at(BITS)}{when}", sight.members

    def counted(self, depth):
        made = self.asked(depth, self.dice.chance(70))
        return made and Term(f"count({made[0]})", PRIMARY, 0, made[1])

    def position(self, depth):
        made = self.asked(depth, False)
        return made and Term(f"{self.dice.choice(['argmin', 'argmax'])}({made[0]}) ?? 0", ABSENT, 0, made[1])

    def quantified(self, depth):
        made = self.asked(depth, True)
        return made and Term(f"{self.dice.choice(['any', 'all'])}({made[0]})")

    def parameter(self, kind):
        found = [param for param in self.scene.params if param.type == kind and not param.sizes]
        if not found:
            return None
        param = self.dice.choice(found)
        return Term(param.name, PRIMARY, param.low, param.high)

    def element(self, kind, depth):
        found = [param for param in self.scene.params if param.type == kind and param.sizes]
        if not found:
            return None
        param = self.dice.choice(found)
        if len(param.sizes) == 1 and self.dice.chance(20):
            name = self.dice.choice(["min", "max"])
            return Term(f"({name}({param.name}) ?? 0)" if self.dice.chance(10) else f"{name}({param.name})",
                        PRIMARY, param.low, param.high)
        places = ",".join((self.integer(1) if depth > 1 else self.plain()).text for _ in param.sizes)
        return Term(f"{param.name}[{places}]", PRIMARY, param.low, param.high)

    def named(self, kind):
        found = [term for known, term in self.scene.named if known == kind]
        return self.dice.choice(found) if found else None

    def formula(self, kind):
        found = [formula for formula in self.scene.formulas if formula.kind == kind]
        if not found:
            return None
        formula = self.dice.choice(found)
        names = sorted(self.scene.indices) or ["0"]
        places = [self.dice.choice(names) + self.dice.choice(["", "", "+1", "-2"]) for _ in range(formula.arity)]
        text = f"{formula.name}[{','.join(places)}]" if places else formula.name
        return Term(text, PRIMARY, formula.low, formula.high)
