"""Values, parameters, formulas and labels: what the declarations of a program give Python."""

from lmpm._hints import shown
from lmpm._lmpm import COMPARE
from lmpm._places import here, own
from lmpm.expressions import (Expr, Neighborhood, Operation, index_operand, index_set, joined,
                              node, operand)
from lmpm.shapes import Index, Named, is_offsets, own_index, own_offset, shifted

own(globals())


class Value(Named):
    """A value of a program: its cells, and, as an expression, what the one `sees` shows of it."""

    __slots__ = ("shape", "indices")

    def __init__(self, program, name, shape, indices):
        super().__init__(name, program)
        self.shape, self.indices = shape, indices

    def sees(self, /, *sources, when=None, **labels):
        """Says which cells a cell may read: `cell.sees(cell, cell[N8])`.

        Keywords are labels, by which rules name a line: `near, = cell.sees(near=cell[N8])`. A
        source is a value (its cell at the same place), a neighbourhood, or a reference of which
        `.when` restricts the indices. Returns the labels.
        """
        return _sees(self, self._own_cell(here()), sources, when, labels, here())

    def _all(self, place):
        """`V[*]`, of a scalar `V`."""
        if not self.indices:
            return self
        stars = [Operation("star", None, (), place)] * len(self.indices)
        return Operation("index", None, (self, *stars), place)

    def _own_cell(self, place):
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
        over = Operation("compare", COMPARE["in"], (left, offsets), place, True)
        made = Neighborhood("index", None, (self, *leading, *moved), place, over=over)
        made.offsets = None if given else offsets
        return made


class Reference(Expr):
    """Cells of a value, such as `cell[x + 1, y]`."""

    __slots__ = ()

    def sees(self, /, *sources, when=None, **labels):
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
            (label, program._number(place)), writer.write(target, place),
            writer.write(source, place, family=True),
            None if over is None else writer.write(over, place))
    program._labels.setdefault(value.name, []).extend(labels)
    return tuple(Label(label, program) for label in labels)


def _source(reader, source, place):
    """What a line shows: a value by its name alone is its cell at the same place."""
    if isinstance(source, Value):
        if source.indices and len(source.indices) != len(reader.indices):
            place.fail("wrong-arity", f"'{reader.name}' has {len(reader.indices)} axes and "
                       f"'{source.name}' {len(source.indices)}",
                       f"say which cells: {source.name.lower()}[…]")
        return source._own_cell(place)
    if not isinstance(source, (Reference, Neighborhood)):
        place.fail("wrong-type", f"expected a value or cells of one, but got {shown(source):.60}",
                   "for example cell, cell[N8] or cell[x + 1, y]")
    return source
