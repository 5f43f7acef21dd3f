"""Rules, constraints, schedules, commits and observers of a program."""

import dataclasses

from wild.terms import BITS, COMPARE, Sight, Term

FRACTIONS = ["0.0", "0.3", "0.5", "0.97", "1.0"]


class Agreements:
    """Mixed into Maker: everything about how a value's cells come to agree."""

    def ruled(self, value):
        """A value's lines, rules, constraints, schedule and commit."""
        self.own_line(value)
        sights = []
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            sight = self.sight(value, value if self.dice.chance(60) else self.dice.choice(self.values))
            if sight and sight.members * value.cells <= 40000:
                sights.append(sight)
        scene = self.scene(value, draws=True)
        scene.sights, scene.own, scene.own_is_present = sights, value.type, value.present
        scene.palettes = self.palettes
        if value.axes and self.dice.some("formula-of-cells", 6) and value.type.name in ("token", "f32"):
            self.cell_formula(value, scene)
        is_metropolis = False
        for number in range(self.dice.choose({"one-rule": lambda: 1, "two-rules": lambda: 2})):
            self.rule(value, scene)
            is_metropolis = number > 0
        for _ in range(self.dice.choice([0, 1, 1, 2])):
            self.constraint(value, scene)
        strategy = self.schedule(value)
        self.commit(value, scene, strategy, is_metropolis)

    def cell_formula(self, value, scene):
        name = self.fresh("g")
        kind = "integer" if value.type.name == "token" else "number"
        text = f"2 * ({value.ref()}{' ?? 0' if not value.present else ''})"
        self.declare(f"def {name}[{','.join(value.indices)}] = {text}")
        low, high = value.type.bounds() if kind == "integer" else (0, 0)
        scene.named.append((kind, Term(f"{name}[{','.join(value.indices)}]", low=2 * low, high=2 * high)))

    def rule(self, value, scene):
        lines, name = [], self.fresh("R")
        scene = self.copied(scene)
        with self.expressions.standing(scene):
            head = f"  on {value.ref()}"
            if self.dice.some("rule-condition", 30):
                head += f" when {self.expressions.truth(2).text}"
            if self.dice.some("read", 10):
                labels = [sight.label for sight in scene.sights if sight.label]
                lines.append(f"  read {{{', '.join([value.ref(), *labels[:2]])}}}")
            for _ in range(self.dice.choice([0, 0, 1, 2])):
                lines.append(self.let(scene))
            lines.append(f"  emit proposal {value.ref()} := {self.proposal(value)}")
            if self.dice.some("score", 55):
                scene.candidate = value.type
                scene.draws = value.type.name != "latent"  # whose candidates have no number
                lines.append(f"  score {self.expressions.number(2).text}")
        whole = [f"rule {name}:", head, *lines]
        self.lines.append("\n".join(whole) if self.dice.chance(70) else " ".join(line.strip() for line in whole))

    def copied(self, scene):
        return dataclasses.replace(scene, named=list(scene.named))

    def let(self, scene):
        self.dice.note("let")
        name = self.fresh("n")
        if self.dice.chance(60):
            term = self.expressions.integer(2)
            scene.named.append(("integer", type(term)(name, low=term.low, high=term.high)))
        else:
            term = self.expressions.number(2)
            scene.named.append(("number", type(term)(name)))
        return f"  let {name} = {term.text}"

    def proposal(self, value):
        kind, depth = value.type, self.dice.choice([1, 2, 3])
        if kind.name == "token" and kind.size <= 300 and self.dice.some("emit-any", 15):
            return "any"
        if kind.name == "token" and kind.size > 2 and self.dice.some("emit-any-in", 6):
            low = self.dice.randrange(kind.size - 1)
            return f"any in {low}..{min(kind.size - 1, low + self.dice.randint(0, 20))}"
        if kind.name in ("token", "i32") and self.dice.some("emit-unbounded", 10):
            return self.expressions.integer(depth).text
        return self.held(kind, depth)

    def constraint(self, value, scene):
        name = self.fresh("C")
        made = self.dice.choose({"on-constraint": lambda: self.on_constraint(value, scene),
                                 "change": lambda: self.change(value), "region": lambda: self.in_region(value),
                                 "range-constraint": lambda: self.about_palette(value)})
        if made is None:
            return
        ending = self.dice.choose({
            "number-priority": lambda: f" priority {self.dice.choice([0, 1, 1, 2, 10, 999, 1000, 5000])}",
            "hard": lambda: " priority hard", "require": lambda: ""})
        self.lines.append(f"constraint {name}: {made}{ending}")

    def word(self):
        return self.dice.choose({"require": lambda: "require", "forbid": lambda: "forbid"})

    def on_constraint(self, value, scene):
        scene = self.copied(scene)
        scene.candidate, scene.draws = value.type, False
        scene.named = []
        with self.expressions.standing(scene):
            when = ""
            if value.axes and self.dice.chance(25):
                when = f" when {self.dice.choice(value.indices)} {self.dice.choice(['% 2 == 1', '> 0', '<= 3', '!= 1'])}"
            about = self.expressions.truth(2).at(COMPARE)
            if value.type.name != "latent":
                make = self.expressions.number if value.type.name == "f32" else self.expressions.integer
                own = f"candidate {self.dice.choice(['==', '!=', '<', '>='])} {make(1).at(BITS)}"
                about = self.dice.choice([own, f"{own} or {about}", f"not ({own}) or {about}", f"{own} and {about}"])
            return f"on {value.ref()}{when} {self.word()} {about}"

    def place(self, value):
        """A cell, a range or all cells of an axis, where a constraint speaks."""
        places = [self.dice.choice([name, "*", "0", f"0..{extent - 1}", name])
                  for name, extent in zip(value.indices, value.extents)]
        return value.ref(places) if places else value.name

    def change(self, value):
        return f"forbid change({self.place(value)})"

    def in_region(self, value):
        if not value.axes:
            return None
        name = self.dice.choice(["sky", "sea-1"])
        first = self.dice.randrange(len(value.axes))
        places = [*value.indices[:first], f'region("{name}")']
        box = [sorted(self.dice.randrange(extent) for _ in range(2)) for extent in value.extents[first:]]
        if self.regions.setdefault(name, box) != box and len(self.regions[name]) != len(box):
            return None
        self.regions[name] = [[min(a, c), min(b, d)] for (a, b), (c, d) in zip(self.regions[name], box)]
        return f"forbid change({value.ref(places)})"

    def about_palette(self, value):
        if value.type.name != "token":
            return None
        if self.palettes:
            self.dice.note("palette")
            return f'{self.word()} {self.place(value)} in Palette("{self.dice.choice(self.palettes)}")'
        return f"{self.word()} {self.place(value)} {self.dice.choice(['==', '!=', '<'])} {self.dice.randint(0, 4)}"

    def schedule(self, value):
        """A schedule with options, some of which it may not take."""
        cells, rank = value.cells, len(value.axes)
        makers = {"no-schedule": lambda: ""}
        for name in ("all", "masked", "random", "confidence", "red_black"):
            makers[name] = lambda name=name: name
        if rank >= 2:
            makers["four_color"] = lambda: "four_color"
        if cells <= 400:
            makers["recolor"] = lambda: "recolor"
            makers["wavefront"] = lambda: "wavefront"
        if cells <= 70:
            makers["raster"] = lambda: "raster"
        name = self.dice.choose(makers)
        if name:
            options = self.options(name, rank)
            self.lines.append(f"schedule {value.name}[*] using {name}{f'({options})' if options else ''}")
        return name

    def options(self, name, rank):
        options = [self.dice.choice(FRACTIONS)] if name in ("random", "confidence") else []
        if name in ("red_black", "raster", "wavefront") and rank and self.dice.some("axes", 30):
            chosen = self.dice.sample(range(rank), self.dice.randint(1, rank))
            options.append(f"axes=({','.join(map(str, chosen))})")
        if name in ("red_black", "four_color") and rank and self.dice.some("tile", 25):
            options.append(f"tile=({','.join(str(self.dice.choice([1, 2, 3, 8])) for _ in range(rank))})")
        if self.dice.some("phase", 15):
            options.append(f"phase={self.dice.randint(0, 3)}")
        if self.dice.some("legalize", 8):
            options.append(f"legalize={self.dice.choice(['snapshot', 'recolor', 'snapshot', 'strict'])}")
        return ", ".join(options)

    def temperature(self):
        with self.expressions.standing(self.scene(None, draws=False)):
            some = self.expressions.number(1).text
        return self.dice.choice(["1.0", "0.8", "0.5 + 0.1 * (epoch % 3)", "0.0", some])

    def commit(self, value, scene, strategy, has_two):
        makers = {
            "accept": lambda: ("accept", []),
            "satisfy": lambda: ("satisfy", ["max_constraints_then_score"]),
            "count": lambda: ("satisfy", ["count_constraints_then_score"]),
            "weighted": lambda: ("satisfy", ["weighted_constraints_then_score"]),
            "sample": lambda: ("sample", [f"temperature = {self.temperature()}"]),
            "metropolis": lambda: ("metropolis", [f"temperature = {self.temperature()}"]),
            "quorum": lambda: ("quorum", [str(self.dice.choice([1, 2]))]),
        }
        name, options = self.dice.choose(makers)
        if name in ("accept", "sample", "metropolis") and self.dice.some("constraints-weighted", 15):
            options.append("constraints=weighted")
        self.lines.append(f"commit {value.name}[*] using {name}{'(' + ', '.join(options) + ')' if options else ''}")

    # What watches, and sets

    def observer(self):
        """A reduction of whole values, as a tree."""
        value = self.dice.choice(self.values)
        name = self.fresh("o")
        indices = dict(zip(value.indices, ((0, extent - 1) for extent in value.extents)))
        if value.type.name == "latent":
            self.dice.note("observer-of-vector")
            body = f"{value.ref()}[{self.dice.randrange(value.type.size)}]"
            return self.lines.append(f"observe {name} := {self.dice.choice(['sum', 'mean', 'max'])}({body})")
        scene = self.scene(value, draws=False)
        scene.formulas = []
        scene.sights = [Sight(value.type, value.ref(), one=value.ref())]
        if value.axes and self.dice.some("observer-of-two", 40):
            places = [f"{value.indices[0]}+1", *value.indices[1:]]
            scene.sights.append(Sight(value.type, value.ref(places), one=value.ref(places)))
        scene.indices = indices
        integral = value.type.name in ("token", "i32")
        with self.expressions.standing(scene):
            term = self.expressions.cell("integer" if integral else "number")
            if len(scene.sights) > 1:
                first, second = (sight.one for sight in scene.sights)
                text = self.dice.choice([f"{first} == {second}", f"{first} - {second}", f"{first} * 0.5"])
            else:
                text = self.dice.choice([term.text, f"abs({term.text} - 1)", f"{term.at(BITS)} > 1"])
            when = f" when {self.expressions.truth(1).at(COMPARE)}" if value.axes and self.dice.chance(20) else ""
        reduction = self.dice.choice(["sum", "count", "mean", "max", "min", "argmax"])
        self.dice.note("observer")
        return self.lines.append(f"observe {name} := {reduction}({text}{when})" if value.axes else
                                 f"observe {name} := {value.name}")

    def events(self):
        if self.dice.some("set-of-events", 5):
            self.sets.append("Plan")
            strategy = self.dice.choice(["all", "red-black", "raster"])
            self.lines += ["value Plan : Event shape Set()",
                           f'rule Plans: on Plan emit proposal Plan := SampleTiles(strategy="{strategy}", epoch=e)']
        if self.dice.some("set-of-rules", 4):
            self.sets.append("Rules")
            self.lines.append("value Rules : Rule shape Set()")
