"""Programs written in Python: values, what they see, rules, constraints, commits, observers."""

from lmpm import _lmpm
from lmpm._places import Sources, here, own
from lmpm._trace import Declaration, place_of, trace
from lmpm._writer import Writer, members_of, postorder
from lmpm.errors import Error
from lmpm.expressions import (Expr, Neighborhood, Operation, index_operand, index_set, joined, node, operand)
from lmpm.functions import Proposal
from lmpm.programs import AnyProgram
from lmpm.shapes import (Index, Named, Predefined, Scalar, Shape, Type, is_offsets, own_index, own_offset,
                         shifted)

own(globals())


class Program(AnyProgram):
    """A program that Python declares, in the order in which its methods are called.

    Names, types and meanings are the language's (docs/language.md); what is wrong with a program
    is said at the lines of the Python files that made it. The IR is made when `module` is asked
    for, as `compile` does.
    """

    def __init__(self, name="program"):
        self.name = name
        self._context = _lmpm.Context()
        self._tree = _lmpm.Tree(self._context)
        self._sources = Sources(self._tree, self._context)
        self._module = None
        self._declared = {}  # what each name is, for rules' parameters and for fresh names

    @property
    def module(self):
        if self._module is None:
            self._module = self._tree.build()
        return self._module

    def _writer(self, indices=(), lets=None):
        self._module = None
        return Writer(self._sources, indices, lets)

    def _place(self, place):
        return self._sources.number(place)

    # Declarations ---------------------------------------------------------------------------

    def value(self, name, type, shape=Scalar, *, boundary=None, init=None, clock=None,
              indices=None):
        """Declares a value: `program.value("Cell", Token(2), Grid2D("W", "H"), boundary="wrap")`.

        `boundary` is `open` (the default), `wrap` or `clamp`, or a tuple with one for each axis.
        `init` is a number, an expression, or a function of the indices. `indices` names them
        ("b x y") where a declaration does not.
        """
        place = here()
        _expect(type, Type, "a type, such as Token(2)", place)
        _expect(shape, Shape, "a shape, such as Grid2D(\"W\", \"H\")", place)
        names = tuple(indices.split()) if indices else shape.indices
        if len(names) != len(shape.sizes):
            place.fail("wrong-arity", f"'{name}' has {len(shape.sizes)} axes, but got "
                       f"{len(names)} names of indices")
        made = Value(self, name, shape, names)
        boundaries = (boundary,) if isinstance(boundary, str) else tuple(boundary or ())
        self._open()
        writer = self._writer(names)
        arguments = [writer.write(one, place) for one in type.arguments]
        sizes = [writer.write(one, place) for one in shape.sizes]
        init_names, init = self._body(init, names, place)
        number = None if init is None else Writer(self._sources, init_names).write(init, place)
        self._tree.add_value((name, self._place(place)), type.name, arguments, shape.name, sizes,
                             clock or "", boundaries, isinstance(boundary, (list, tuple)),
                             init_names, number)
        self._declared[name] = made
        return made

    def param(self, name, type, value=None):
        """Declares a parameter: `program.param("beta", F32, 0.44)`, or `F32("N")` for an array."""
        place = here()
        _expect(type, Type, "a type, such as F32", place)
        writer = self._writer()
        arguments = [writer.write(one, place) for one in type.arguments]
        number = None if value is None else writer.write(operand(value, place), place)
        self._tree.add_param((name, self._place(place)), type.name, arguments, number)
        made = self._declared[name] = Param(name)
        return made

    def formula(self, function):
        """Declares a formula, as a decorator: its name and its indices are the function's."""
        place = place_of(function)
        indices, value = self._body(function, None, place)
        number = self._writer(indices).write(value, place)
        name = function.__name__
        self._tree.add_def((name, self._place(place)), indices, number)
        made = self._declared[name] = Formula(name, truth=getattr(value, "truth", False))
        return made

    def rule(self, name=None, *, on=None, when=None, read=()):
        """Declares a rule, as a decorator of a function that returns what it proposes.

        The function is called once, with traced values by the names of its parameters: `self`,
        `candidate`, `neighbors`, `prev_frame`, `epoch`, an index of `on`, a label of the value's
        `sees`, an item of `read`. A parameter with offsets as annotation (`near: N8`) is that
        neighbourhood. `return propose(x, score=s)` also scores; `return ANY` proposes every token.
        What is assigned to a local variable is computed once, under its name.
        """
        place = here()
        if on is None:
            place.fail("missing-part", "a rule needs what it is on", "@program.rule(on=cell)")

        def declare(function):
            declaration = Declaration(self, function, name or function.__name__, on, place)
            result, assigned = trace(function, declaration.arguments(read))
            if result is None:
                declaration.place.fail("missing-part", f"rule '{declaration.name}' returns nothing",
                                       "a rule returns what it proposes for the cell it is on")
            if not isinstance(result, Proposal):
                result = Proposal(operand(result, declaration.place), None, declaration.place)
            roots = [result.value] if result.score is None else [result.value, result.score]
            clauses = declaration.clauses(assigned, roots, when, read)
            write = declaration.writer.write
            clauses.append(_lmpm.Clause(self._place(_place_in(result.value, result.place)), "emit",
                                        target=declaration.target(),
                                        value=write(result.value, result.place)))
            if result.score is not None:
                clauses.append(_lmpm.Clause(self._place(_place_in(result.score, result.place)),
                                            "score", value=write(result.score, result.place)))
            self._tree.add_rule((declaration.name, self._place(declaration.place)), clauses,
                                _comments(function))
            self._module = None
            return function

        return declare

    def require(self, name=None, condition=None, *, on=None, when=None, priority=None):
        """Declares a constraint: what must hold of a candidate.

        As a decorator, `@program.require(on=cell, priority="hard")`, of a function that returns
        the condition; or, about one reference to a value, `program.require("Paint", condition)`.
        `priority` is a number (0 if missing) or `hard`.
        """
        return self._constraint("require", name, condition, on, when, priority, here())

    def forbid(self, name=None, condition=None, *, on=None, when=None, priority=None):
        """Declares a constraint: what must not hold of a candidate. See `require`."""
        return self._constraint("forbid", name, condition, on, when, priority, here())

    def schedule(self, value, strategy, *options, **named):
        """Says which cells of a value are up together: `program.schedule(cell, "red_black")`.

        Options are those of the language: a fraction, `axes=(0, 1)`, `tile=(8, 8)`, `phase=2`,
        `legalize="recolor"`.
        """
        self._policy(self._tree.add_schedule, value, strategy, options, named, here())

    def commit(self, value, policy, *options, **named):
        """Says how the cells of a value agree: `program.commit(cell, "accept")`,
        `program.commit(cell, "sample", temperature=0.5)`."""
        self._policy(self._tree.add_commit, value, policy, options, named, here())

    def observe(self, name, value):
        """Declares an observer: `program.observe("population", cell.sum())`."""
        place = here()
        number = self._writer().write(operand(value, place), place)
        self._tree.add_observe((name, self._place(place)), number)

    # How they are written ---------------------------------------------------------------------

    def _open(self):
        self._module = None

    def _body(self, body, names, place):
        """The indices and the expression of an `init` or a formula."""
        if callable(body) and not isinstance(body, Expr):
            parameters = list(body.__code__.co_varnames[:body.__code__.co_argcount])
            result, _ = trace(body, {one: Index(one) for one in parameters})
            if result is None:
                place_of(body).fail("missing-part", "this function returns nothing",
                                    "it returns an expression of its indices")
            return parameters, operand(result, place_of(body))
        if body is None:
            return [], None
        value = operand(body, place)
        mentioned = {one.data for one in postorder([value]) if isinstance(one, Index)}
        return (list(names) if mentioned & set(names) else []), value

    def _constraint(self, word, name, condition, on, when, priority, place):
        if condition is not None:
            writer = self._writer()
            value = writer.write(operand(condition, place), place)
            self._add_constraint(name, place, [_lmpm.Clause(self._place(place), word, value=value)],
                                 priority, [])
            return None
        if on is None:
            place.fail("missing-part", "this constraint needs a condition or what it is on",
                       f"@program.{word}(on=cell) before a function, or "
                       f"program.{word}(\"Name\", condition)")

        def declare(function):
            declaration = Declaration(self, function, name or function.__name__, on, place)
            result, assigned = trace(function, declaration.arguments(()))
            if result is None:
                declaration.place.fail(
                    "missing-part", f"constraint '{declaration.name}' returns nothing",
                    "it returns the condition")
            result = operand(result, declaration.place)
            clauses = declaration.clauses(assigned, [result], when, ())
            clauses.append(_lmpm.Clause(self._place(_place_in(result, declaration.place)), word,
                                        value=declaration.writer.write(result, declaration.place)))
            self._add_constraint(declaration.name, declaration.place, clauses, priority,
                                 _comments(function))
            return function

        return declare

    def _add_constraint(self, name, place, clauses, priority, comments):
        writer = self._writer()
        number = None
        if priority is not None:
            named = Predefined("hard") if priority == "hard" else operand(priority, place)
            number = writer.write(named, place)
        self._tree.add_constraint((name, self._place(place)), clauses, number, comments)

    def _policy(self, add, value, policy, options, named, place):
        _expect(value, Value, "a value", place)
        writer = self._writer()
        target = writer.write(value.all(place), place)
        given = [("", one) for one in options] + list(named.items())
        values = [writer.write(_option(one, place), place) for _, one in given]
        add((policy, self._place(place)), target, [key for key, _ in given], values)


class Value(Named):
    """A value of a program: its cells, and, as an expression, what the one `sees` shows of it."""

    __slots__ = ("program", "shape", "indices")

    def __init__(self, program, name, shape, indices):
        super().__init__(name)
        self.program, self.shape, self.indices = program, shape, indices

    def sees(self, *sources, when=None, **labels):
        """Says which cells a cell may read: `cell.sees(cell, cell[N8])`.

        Keywords are labels, by which rules name a line: `near, = cell.sees(near=cell[N8])`. A
        source is a value (its cell at the same place), a neighbourhood, or a reference of which
        `.when` restricts the indices. Returns the labels.
        """
        return _sees(self, self.at_own_cell(here()), sources, when, labels, here())

    def all(self, place=None):
        """`V[*]`; called without a place, the reduction of that name."""
        if place is None:
            return super().all()
        if not self.indices:
            return self
        return Operation("index", None, (self, *[Operation("star", None, (), place)] * len(self.indices)),
                    place)

    def at_own_cell(self, place):
        """The cell at the place of the declaration's own."""
        if not self.indices:
            return self
        own_cell = (own_index(axis, place) for axis, _ in enumerate(self.indices))
        return Reference("index", None, (self, *own_cell), place)

    def __getitem__(self, indices):
        place = here()
        indices = indices if isinstance(indices, tuple) else (indices,)
        if any(is_offsets(one) for one in indices):
            return self._neighborhood(indices, place)
        made = node("index", None, (self, *(self._index(axis, one, place)
                                            for axis, one in enumerate(indices))), place)
        made.__class__ = Reference  # which has no slots of its own
        return made

    def _index(self, axis, index, place):
        size = self.shape.sizes[axis] if axis < len(self.shape.sizes) else None
        return index_operand(index, place, size)

    def _neighborhood(self, indices, place):
        """`cell[N8]`, `cell[b, Moore(3)]`: offsets go over the last axes."""
        if any(is_offsets(one) for one in indices[:-1]) or not is_offsets(indices[-1]):
            place.fail("wrong-place", "offsets stand behind all indices", "as in cell[t, N8]")
        offsets = index_set(indices[-1], place)
        rank, given = len(self.indices), len(indices) - 1
        axes = offsets.axes or rank - given
        if given + axes > rank or (given and given + axes < rank):
            place.fail("wrong-arity", f"'{self.name}' has {rank} axes, but got {given} indices and "
                       f"offsets of {axes}")
        first = rank - axes
        leading = [operand(one, place) for one in indices[:-1]] or \
            [own_index(axis, place) for axis in range(first)]
        moved = [shifted(axis, place) for axis in range(first, rank)]
        steps = [own_offset(axis, place) for axis in range(first, rank)]
        left = steps[0] if len(steps) == 1 else Operation("tuple", None, tuple(steps), place)
        over = Operation("compare", _lmpm.COMPARE["in"], (left, offsets), place, True)
        made = Neighborhood("index", None, (self, *leading, *moved), place, over=over)
        made.offsets = None if given else offsets
        return made


class Reference(Expr):
    """Cells of a value, such as `cell[x + 1, y]`."""

    __slots__ = ()

    def sees(self, *sources, when=None, **labels):
        """As of a value, with indices that are named here: `cell[b, x, y].sees(digit[b])`."""
        return _sees(self.operands[0], self, sources, when, labels, here())

    def _over(self, condition, place):
        return Reference(self.kind, self.data, self.operands, place, over=condition)


class Param(Named):
    """A parameter: a number, or an array with `[indices]`."""

    __slots__ = ()


class Formula(Named):
    """A formula, which stands at any indices: `wave[x, y]`."""

    __slots__ = ()

    def __call__(self, *indices):
        return self[indices]

    def __getitem__(self, indices):
        place = here()
        indices = indices if isinstance(indices, tuple) else (indices,)
        return node("index", None, (self, *(operand(one, place) for one in indices)), place,
                    self.truth)


class Label(Named):
    """What one line of `sees` shows, in the rules of its value."""

    __slots__ = ()


def _sees(value, target, sources, when, labels, place):
    program = value.program
    names = [one.data if isinstance(one, Index) else value.indices[one.data[0]]
             for one in (target.operands[1:] if target is not value else ())
             if isinstance(one, Index) or one.kind == "own"]
    if target is not value and len(names) != len(target.operands) - 1:
        place.fail("wrong-place", "left of 'sees' stands a name for each index",
                   "x, y = lmpm.indices(\"x y\"); cell[x, y].sees(…)")
    for label, source in [("", one) for one in sources] + list(labels.items()):
        source = _source(value, source, place)
        writer = program._writer(names)
        over = joined(source.over, when, place) if when is not None else source.over
        program._tree.add_visible(
            (label, program._place(place)), writer.write(target, place),
            writer.write(source, place, family=True),
            None if over is None else writer.write(over, place))
        program._declared[label or object()] = (value, label)
    made = tuple(Label(label) for label in labels)
    return made


def _source(reader, source, place):
    """What a line shows: a value by its name alone is its cell at the same place."""
    if isinstance(source, Value):
        if source.indices and len(source.indices) != len(reader.indices):
            place.fail("wrong-arity", f"'{reader.name}' has {len(reader.indices)} axes and "
                       f"'{source.name}' {len(source.indices)}",
                       f"say which cells: {source.name.lower()}[…]")
        return source.at_own_cell(place)
    if not isinstance(source, (Reference, Neighborhood)):
        place.fail("wrong-type", f"expected a value or cells of one, but got {source!r:.60}",
                   "for example cell, cell[N8] or cell[x + 1, y]")
    return source


def _option(value, place):
    """An option of a schedule or a commit: a word, a number, a tuple, an expression."""
    if isinstance(value, str):
        return Predefined(value)
    if isinstance(value, tuple):
        return Operation("tuple", None, tuple(operand(one, place) for one in value), place)
    return operand(value, place)


def _expect(value, type, what, place):
    if not isinstance(value, type):
        place.fail("wrong-type", f"expected {what}, but got {value!r:.60}")


def _place_in(value, place):
    return value.place if isinstance(value, Expr) and value.kind != "name" and \
        value.place.file != "<lmpm>" else place


def _comments(function):
    """A docstring as comments of the language."""
    lines = (function.__doc__ or "").strip().splitlines()
    return [f"// {line.strip()}".rstrip() for line in lines]
