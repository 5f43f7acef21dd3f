"""Numbers (F32) and vectors, infinities and NaN among them."""

from wild.terms import ABSENT, BITS, COMPARE, IF, POSTFIX, POWER, PRIMARY, PRODUCT, SUM, UNARY, Term

SPECIAL = ["-0.0", "0.0 / 0.0", "-(0.0 / 0.0)", "1.0 / 0.0", "-1.0 / 0.0", "1e-45", "3.4e38", "1.17549435e-38",
           "3.4028235e38 * 2.0", "16777217.0", "1e38"]
ROOM = {"0.0 / 0.0": PRODUCT, "1.0 / 0.0": PRODUCT, "-1.0 / 0.0": PRODUCT, "3.4028235e38 * 2.0": PRODUCT}
FUNCTIONS = ("sqrt rsqrt exp exp2 log log2 sin cos tan atan tanh sigmoid erf floor ceil round abs relu").split()


class Numbers:
    """Mixed into Expressions: numbers."""

    def number(self, depth):
        if depth <= 0 or self.dice.chance(15):
            return self.number_leaf(depth)
        return self.dice.choose({
            "sum-of": lambda: self.operated(depth, "+", SUM), "difference": lambda: self.operated(depth, "-", SUM),
            "product-of": lambda: self.operated(depth, "*", PRODUCT),
            "quotient": lambda: self.operated(depth, "/", PRODUCT),
            "negation": lambda: Term(f"-{self.number(depth - 1).at(POWER)}", UNARY),
            "power": lambda: Term(f"{self.number(depth - 1).at(ABSENT)}^{self.dice.choice([0, 1, 2, 3, 5, -1])}", POWER),
            "function": lambda: Term(f"{self.dice.choice(FUNCTIONS)}({self.number(depth - 1).text})"),
            "extreme": lambda: self.extreme_number(depth),
            "general-power": lambda: Term(f"pow({self.number(depth - 1).text}, {self.number(depth - 2).text})"),
            "arc-tangent": lambda: Term(f"atan2({self.number(depth - 1).text}, {self.number(depth - 2).text})"),
            "choice": lambda: self.chosen_number(depth), "integer-as-number": lambda: self.integer_as_number(depth),
            "reduction": lambda: self.reduced(depth, "number"),
            "lifted-reduction": lambda: self.lifted(depth, "number"),
            "nested-reduction": lambda: self.nested(depth, "number"),
            "norm": lambda: self.of_vector("norm", depth), "dot": lambda: self.dotted(depth),
            "component": lambda: self.component(depth),
        })

    def number_leaf(self, depth=0):
        return self.dice.choose({
            "literal": lambda: Term(self.dice.choice(["0.0", "1.0", "0.5", "0.1", "2.75", "3.0", "1e-3", "100.0"])),
            "special-number": self.special, "pi": lambda: Term("pi"), "self": self.own_number,
            "cell": lambda: self.cell("number"), "candidate": self.candidate_number,
            "parameter": lambda: self.parameter("F32"), "element": lambda: self.element("F32", depth),
            "named": lambda: self.named("number"), "uniform": lambda: self.drawn("uniform()"),
            "normal": lambda: self.drawn("normal()"), "formula": lambda: self.formula("number"),
        })

    def special(self):
        text = self.dice.choice(SPECIAL)
        return Term(text, ROOM.get(text, UNARY if text.startswith("-") else PRIMARY))

    def drawn(self, text):
        return Term(text) if self.scene.draws else None

    def own_number(self):
        own = self.scene.own
        return Term("self") if own and own.name == "f32" else None

    def candidate_number(self):
        own = self.scene.candidate
        return Term("candidate") if own and own.name == "f32" else None

    def operated(self, depth, sign, level):
        a, b = self.number(depth - 1), self.number(depth - 1)
        return Term(f"{a.at(level)} {sign} {b.at(level + 1)}", level)

    def integer_as_number(self, depth):
        """A quotient of integers would lose its fraction, which is an error."""
        a, b = self.number_leaf(), self.integer(depth - 1)
        if "/" in b.text and not self.dice.chance(self.scene.careless):
            b = self.integer_leaf()
        return Term(f"{a.at(PRODUCT)} * {b.at(UNARY)}", PRODUCT)

    def extreme_number(self, depth):
        if self.dice.chance(30):
            return Term(f"clamp({self.number(depth - 1).text}, -1.5, 2.0)")
        others = ", ".join(self.number(depth - 1).text for _ in range(self.dice.choice([1, 1, 2])))
        return Term(f"{self.dice.choice(['min', 'max'])}({self.number(depth - 1).text}, {others})")

    def chosen_number(self, depth):
        a, b = self.number(depth - 1), self.number(depth - 1)
        return Term(f"if {self.truth(depth - 1).text} then {a.text} else {b.text}", IF)


class Vectors:
    """Mixed into Expressions: vectors of a length."""

    def a_length(self):
        """A length that something in sight has."""
        own, found = self.scene.own, [3]
        found += [own.size] * 3 if own and own.name == "latent" else []
        found += [sight.type.size for sight in self.scene.sights if sight.type.name == "latent"]
        return self.dice.choice(found)

    def vector(self, depth, length):
        if depth <= 0 or self.dice.chance(15):
            return self.vector_leaf(length)
        return self.dice.choose({
            "sum-of": lambda: self.by_component(depth, length, "+", SUM),
            "product-of": lambda: self.by_component(depth, length, "*", PRODUCT),
            "vector-by-number": lambda: Term(
                f"{self.number(depth - 1).at(PRODUCT)} * {self.vector(depth - 1, length).at(UNARY)}", PRODUCT),
            "vector-function": lambda: Term(
                f"{self.dice.choice(FUNCTIONS)}({self.vector(depth - 1, length).text})"),
            "vector-choice": lambda: self.chosen_vector(depth, length),
            "softmax": lambda: Term(f"softmax({self.vector(depth - 1, length).text})"),
            "matrix": lambda: self.by_matrix(length), "concat": lambda: self.side_by_side(depth, length),
            "reduction": lambda: self.reduced_vectors(length),
        })

    def vector_leaf(self, length):
        own, options = self.scene.own, []
        if own and own.name == "latent" and own.size == length:
            options += ["self"] * 3
        options += ["candidate"] if self.scene.candidate and self.scene.candidate.size == length and \
            self.scene.candidate.name == "latent" else []
        options += [sight.one for sight in self.scene.sights
                    if sight.one and sight.type.name == "latent" and sight.type.size == length
                    and not sight.may_be_absent]
        options += [param.name for param in self.scene.params if param.type == "F32" and param.sizes == [length]]
        return Term(self.dice.choice(options)) if options else self.side_by_side(0, length)

    def by_component(self, depth, length, sign, level):
        a, b = self.vector(depth - 1, length), self.vector(depth - 1, length)
        return Term(f"{a.at(level)} {sign} {b.at(level + 1)}", level)

    def chosen_vector(self, depth, length):
        condition = self.truth(depth - 1).text
        if self.dice.chance(50):
            condition = f"{self.vector_leaf(length).at(BITS)} < {self.vector_leaf(length).at(BITS)}"
        return Term(f"if {condition} then {self.vector(depth - 1, length).text} "
                    f"else {self.vector(depth - 1, length).text}", IF)

    def by_matrix(self, length):
        found = [param for param in self.scene.params
                 if param.type == "F32" and len(param.sizes) == 2 and param.sizes[0] == length]
        if not found:
            return None
        param = self.dice.choice(found)
        return Term(f"{param.name} @ {self.vector_leaf(param.sizes[1]).at(UNARY)}", PRODUCT)

    def side_by_side(self, depth, length):
        parts, left = [], length
        while left:
            parts.append(self.number(depth - 1).text)
            left -= 1
            if left > 1 and depth > 1 and self.dice.chance(30):
                parts.append(self.vector_leaf(left).text)
                left = 0
        return Term(f"concat({', '.join(parts)})")

    def reduced_vectors(self, length):
        found = [sight for sight in self.scene.sights
                 if sight.label and sight.type.name == "latent" and sight.type.size == length]
        if not found:
            return None
        name = self.dice.choice(["sum", "mean", "max", "product"])
        text = f"{name}({self.dice.choice(found).label})"
        return Term(f"{text} ?? 0.5", ABSENT) if name in ("mean", "max") else Term(text)

    def of_vector(self, name, depth):
        return Term(f"{name}({self.vector(depth - 1, self.a_length()).text})")

    def dotted(self, depth):
        length = self.a_length()
        a, b = self.vector(depth - 1, length), self.vector_leaf(length)
        if self.dice.chance(50):
            return Term(f"dot({a.text}, {b.text})")
        return Term(f"{a.at(PRODUCT)} @ {b.at(UNARY)}", PRODUCT)

    def component(self, depth):
        own = self.scene.own
        if own is None or own.name != "latent":
            found = [param for param in self.scene.params if param.type == "F32" and len(param.sizes) == 1]
            if not found:
                return None
            return Term(f"{self.dice.choice(['max', 'min', 'mean'])}({self.dice.choice(found).name})")
        text = self.dice.choice([f"self[{self.plain().text}]", "max(self)", "mean(self * self)",
                                 "count(self > 0.5) * 1.0", "sum(self)", "argmax(self) * 0.5"])
        if text.startswith(("max", "min", "argmax")) and self.dice.chance(90):
            return Term(text.replace("argmax(self)", "(argmax(self) ?? 0)").replace("max(self)", "(max(self) ?? 0.0)")
                        if "argmax" not in text else "(argmax(self) ?? 0) * 0.5", POSTFIX if "*" not in text else PRODUCT)
        return Term(text, PRODUCT if text.endswith(("1.0", "0.5")) else PRIMARY)
