"""Integers and truth values, typed well enough that most programs are accepted.

Of an integer its least and greatest value are known, so that few overflow, divide by zero or leave a
vocabulary. What an expression may name is its Scene.
"""

from wild.terms import (ABSENT, AND, BITS, COMPARE, IF, MASK, NOT, OR, POSTFIX, POWER, PRIMARY, PRODUCT, SHIFT,
                        SUM, UNARY, Term)

MOST = 2**60


def corners(function, a, b):
    """The bounds of what is monotonous in each operand."""
    found = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(found), max(found)


def binary(a, sign, b, level, low, high):
    return Term(f"{a.at(level)} {sign} {b.at(level + 1)}", level, low, high)


def ones(bound):
    """The least number of the form 2^n - 1 that is not below a bound."""
    return (1 << max(bound, 1).bit_length()) - 1


class Integers:
    """Mixed into Expressions: integers."""

    def integer(self, depth):
        if depth <= 0 or self.dice.chance(15):
            return self.integer_leaf(depth)
        made = self.dice.choose({
            "sum-of": lambda: self.added(depth, "+"), "difference": lambda: self.added(depth, "-"),
            "product-of": lambda: self.multiplied(depth), "quotient": lambda: self.divided(depth, "/"),
            "remainder": lambda: self.divided(depth, "%"), "power": lambda: self.raised(depth),
            "negation": lambda: self.negated(depth), "bits": lambda: self.masked(depth),
            "shift": lambda: self.shifted(depth), "inversion": lambda: self.inverted(depth),
            "extreme": lambda: self.extreme(depth), "absolute": lambda: self.absolute(depth),
            "popcount": lambda: Term(f"popcount({self.integer(depth - 1).text})", PRIMARY, 0, 64),
            "choice": lambda: self.chosen(depth), "truth-as-number": lambda: self.truth_as_number(depth),
            "randint": lambda: self.randint(depth), "counting": lambda: self.counted(depth),
            "position": lambda: self.position(depth), "reduction": lambda: self.reduced(depth, "integer"),
            "lifted-reduction": lambda: self.lifted(depth, "integer"),
            "nested-reduction": lambda: self.nested(depth, "integer"),
        })
        return made if -MOST <= made.low and made.high <= MOST else self.integer_leaf(depth)

    def integer_leaf(self, depth=0):
        return self.dice.choose({
            "literal": self.literal, "index": self.index, "size": self.size, "epoch": self.epoch,
            "self": self.itself, "cell": lambda: self.cell("integer"), "candidate": self.candidate,
            "parameter": lambda: self.parameter("I32"), "element": lambda: self.element("I32", depth),
            "named": lambda: self.named("integer"), "formula": lambda: self.formula("integer"),
        })

    def plain(self):
        """What has no expression in it."""
        return self.dice.choose({"literal": self.literal, "index": self.index, "epoch": self.epoch})

    def literal(self):
        number = self.dice.choice([0, 1, 1, 2, 3, 5, 7, 8, 16, 31, 64, 255, 1009, 65537, 2**31 - 1])
        return Term(str(number), PRIMARY, number, number)

    def index(self):
        if not self.scene.indices:
            return None
        name = self.dice.choice(sorted(self.scene.indices))
        low, high = self.scene.indices[name]
        return Term(name, PRIMARY, low, high)

    def size(self):
        if not self.scene.sizes:
            return None
        name = self.dice.choice(sorted(self.scene.sizes))
        return Term(name, PRIMARY, self.scene.sizes[name], self.scene.sizes[name])

    def epoch(self):
        period = self.dice.choice([2, 3, 5, 64])
        return Term(f"epoch % {period}", PRODUCT, 0, period - 1) if self.scene.epoch else None

    def defaulted(self, text, may_be_absent, default):
        """What is read, with what stands in its place where nothing is."""
        asked = may_be_absent and not self.dice.chance(self.scene.careless)
        return f"{text} ?? {default}" if asked or self.dice.chance(self.scene.careless) else text

    def itself(self):
        own = self.scene.own
        if own is None or own.name not in ("token", "i32"):
            return None
        text = self.defaulted("self", not self.scene.own_is_present, 0)
        return Term(text, PRIMARY if text == "self" else ABSENT, *own.bounds())

    def candidate(self):
        own = self.scene.candidate
        return Term("candidate", PRIMARY, *own.bounds()) if own and own.name in ("token", "i32") else None

    def added(self, depth, sign):
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        low, high = (a.low + b.low, a.high + b.high) if sign == "+" else (a.low - b.high, a.high - b.low)
        return binary(a, sign, b, SUM, low, high)

    def multiplied(self, depth):
        a, b = self.integer(depth - 1), self.integer(depth - 2)
        return binary(a, "*", b, PRODUCT, *corners(lambda x, y: x * y, a, b))

    def divided(self, depth, sign):
        a = self.integer(depth - 1)
        divisor = self.dice.choice([2, 3, 7, 10, 64, -1, -3])
        b = Term(f"({divisor})" if divisor < 0 else str(divisor), PRIMARY, divisor, divisor)
        if self.dice.chance(25):
            other = self.integer(depth - 2)
            b = Term(f"max({other.text}, 1)", PRIMARY, max(other.low, 1), max(other.high, 1))
        if sign == "/":
            return binary(a, "/", b, PRODUCT, *corners(lambda x, y: x // y, a, b))
        return binary(a, "%", b, PRODUCT, min(b.low + 1, 0), max(b.high - 1, 0))

    def raised(self, depth):
        a, power = self.integer(depth - 1), self.dice.choice([0, 1, 2, 2, 3])
        if max(-a.low, a.high) > 2**16:
            return None
        bound = max(-a.low, a.high, 1)**power
        return Term(f"{a.at(ABSENT)}^{power}", POWER, -bound if power % 2 else 0, bound)

    def negated(self, depth):
        a = self.integer(depth - 1)
        return Term(f"-{a.at(POWER)}", UNARY, -a.high, -a.low)

    def masked(self, depth):
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        bound = ones(max(abs(a.low), abs(a.high), abs(b.low), abs(b.high)))
        sign = self.dice.choice(["&", "|", "xor"])
        low = 0 if a.low >= 0 and b.low >= 0 else -bound - 1
        return binary(a, sign, b, MASK if sign == "&" else BITS, low, bound)

    def shifted(self, depth):
        a, by = self.integer(depth - 1), self.dice.choice([0, 1, 2, 5, 31])
        if self.dice.chance(50):
            return Term(f"{a.at(SHIFT)} >> {by}", SHIFT, a.low >> by, a.high >> by)
        return Term(f"{a.at(SHIFT)} << {by}", SHIFT, a.low << by, a.high << by)

    def inverted(self, depth):
        a = self.integer(depth - 1)
        return Term(f"~{a.at(POWER)}", UNARY, ~a.high, ~a.low)

    def extreme(self, depth):
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        if self.dice.chance(30):
            low, high = sorted(self.dice.sample(range(-20, 300), 2))
            return Term(f"clamp({a.text}, {low}, {high})", PRIMARY, low, high)
        which = self.dice.choice([min, max])
        return Term(f"{which.__name__}({a.text}, {b.text})", PRIMARY, which(a.low, b.low), which(a.high, b.high))

    def absolute(self, depth):
        a = self.integer(depth - 1)
        return Term(f"{self.dice.choice(['abs', 'relu'])}({a.text})", PRIMARY, 0, max(-a.low, a.high, 0))

    def chosen(self, depth):
        condition, a, b = self.truth(depth - 1), self.integer(depth - 1), self.integer(depth - 1)
        text = f"if {condition.text} then {a.text} else {b.text}"
        return Term(text, IF, min(a.low, b.low), max(a.high, b.high))

    def truth_as_number(self, depth):
        a, b = self.integer(depth - 1), self.truth(depth - 1)
        return binary(a, "+", Term(f"({b.text})"), SUM, a.low, a.high + 1)

    def randint(self, depth):
        if not self.scene.draws:
            return None
        bound = self.dice.choice([1, 2, 3, 7, 256, 65537])
        if self.dice.chance(75):
            return Term(f"randint({bound})", PRIMARY, 0, bound - 1)
        a = self.integer(depth - 2)
        return Term(f"randint(1 + {Term(f'abs({a.text})').text} % {bound})", PRIMARY, 0, bound - 1)

    def within(self, depth, low, high):
        """An integer that lies between two numbers."""
        a, span = self.integer(depth), high - low + 1
        if low <= a.low and a.high <= high:
            return a
        base = f"{low} + " if low > 0 else ""
        return self.dice.choice([
            lambda: Term(f"clamp({a.text}, {low}, {high})", PRIMARY, low, high),
            lambda: Term(f"{base}{a.at(PRODUCT)} % {span}", SUM if base else PRODUCT, low, high),
            lambda: Term(f"max({low}, min({a.text}, {high}))", PRIMARY, low, high),
        ])() if low >= 0 else Term(f"clamp({a.text}, {low}, {high})", PRIMARY, low, high)


class Truths:
    """Mixed into Expressions: truth values."""

    def truth(self, depth):
        if depth <= 0:
            return self.compared(depth)
        return self.dice.choose({
            "comparison": lambda: self.compared(depth), "chain": lambda: self.chained(depth),
            "in-range": lambda: self.in_range(depth), "in-set": lambda: self.in_set(depth),
            "and-or": lambda: self.joined(depth), "xor": lambda: self.exclusive(depth),
            "not": lambda: Term(f"not {self.truth(depth - 1).at(COMPARE)}", NOT),
            "bernoulli": lambda: self.bernoulli(depth, False), "bernoulli-bits": lambda: self.bernoulli(depth, True),
            "drawn-chance": self.drawn_chance, "any-all": lambda: self.quantified(depth),
            "palette": self.in_palette,
        })

    def compared(self, depth):
        make = self.integer if self.dice.chance(65) else self.number
        a, b = make(depth - 1), make(depth - 1)
        sign = self.dice.choice(["==", "!=", "<", "<=", ">", ">="])
        return Term(f"{a.at(BITS)} {sign} {b.at(BITS)}", COMPARE)

    def chained(self, depth):
        a, b, c = (self.integer(depth - 2) for _ in range(3))
        return Term(f"{a.at(BITS)} {self.dice.choice(['<', '<='])} {b.at(BITS)} < {c.at(BITS)}", COMPARE)

    def in_range(self, depth):
        low = self.dice.randint(-3, 5)
        return Term(f"{self.integer(depth - 1).at(BITS)} in {low}..{low + self.dice.randint(0, 9)}", COMPARE)

    def in_set(self, depth):
        items = ", ".join(str(self.dice.randint(-2, 20)) for _ in range(self.dice.randint(1, 4)))
        more = " | (3..5)" if self.dice.chance(25) else ""
        return Term(f"{self.integer(depth - 1).at(BITS)} in {{{items}}}{more}", COMPARE)

    def joined(self, depth):
        word, level = self.dice.choice([("and", AND), ("or", OR)])
        return Term(f"{self.truth(depth - 1).at(level)} {word} {self.truth(depth - 1).at(level + 1)}", level)

    def exclusive(self, depth):
        return Term(f"({self.truth(depth - 1).text}) xor ({self.truth(depth - 1).text})", BITS)

    def bernoulli(self, depth, has_bits):
        if not self.scene.draws:
            return None
        chance = self.dice.choice(["0.3", "0.5", "0.01", "0.0", "1.0", "1e-9", self.number(depth - 1).text])
        return Term(f"bernoulli({chance}{f', bits={self.dice.choice([1, 4, 8])}' if has_bits else ''})")

    def drawn_chance(self):
        """A draw that decides how likely another one is."""
        if not self.scene.draws:
            return None
        inner = self.dice.choice(["if bernoulli(0.4) then 0.9 else 0.1", "0.5 * uniform()",
                                  "0.25 * randint(5)", "if bernoulli(if bernoulli(0.5) then 0.2 else 0.7) then 1.0 "
                                  "else 0.3", "sigmoid(normal())"])
        return Term(f"bernoulli({inner})")

    def in_palette(self):
        own = self.scene.candidate or self.scene.own
        if not self.scene.palettes or own is None or own.name != "token" or not self.scene.own_is_present:
            return None
        what = "candidate" if self.scene.candidate else "self"
        return Term(f'{what} in Palette("{self.dice.choice(self.scene.palettes)}")', COMPARE)
