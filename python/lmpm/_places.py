"""Where in a Python file an expression stands: what the compiler's messages point at."""

import bisect
import dis
import functools
import linecache
import re
import sys

import numpy  # noqa: F401

from lmpm import _lmpm

# The namespaces of the package's own modules: their frames are not where a person wrote something.
_OWN = set()
# For each code object, by its identity: itself, so that it lives, and its places by instruction.
_TABLES = {}
_MOST_TABLES = 10_000


class Place:
    """A range of a file, and what Python does there: `variable` is the local name that the result
    is assigned to, `returns` whether it is returned, `comparison` the operator of a comparison as
    it is written."""

    __slots__ = ("file", "line", "byte", "end_line", "end_byte", "variable", "returns",
                 "comparison")

    def __init__(self, file, line, byte, end_line=0, end_byte=0, variable=None, returns=False,
                 comparison=None):
        self.file, self.line, self.byte = file, line, byte
        self.end_line, self.end_byte = end_line, end_byte
        self.variable, self.returns, self.comparison = variable, returns, comparison

    def fail(self, id, message, hint=""):
        """Raises an error here."""
        context = _lmpm.Context()
        sources = Sources(_lmpm.Tree(context), context)
        sources.tree.fail(sources.number(self), id, message, hint)


_CONTAINS = dis.opmap["CONTAINS_OP"]


def refuse_lookup(is_tracing):
    """Fails where somebody else's code hashes a traced value: for `in`, which would never ask whether
    it is equal, or, while a function is traced, to look something up that cells are to look up."""
    frame = sys._getframe(2)
    if id(frame.f_globals) in _OWN:
        return
    if frame.f_code.co_code[frame.f_lasti] == _CONTAINS:
        here().fail("not-traceable", "Python's 'in' cannot be traced", "use x.isin(members)")
    if is_tracing:
        here().fail("not-traceable", "a traced value is no key while the program is made",
                    "a table that cells look into is a parameter: "
                    "table = program.param(\"table\", I32(2)), read as table[x]")


def own(namespace):
    """Says that a module belongs to the package."""
    _OWN.add(id(namespace))


own(globals())
# What NumPy's functions do with a traced value is done by who called them.
for _name in [name for name in sys.modules if name.startswith("numpy.")]:
    own(vars(sys.modules[_name]))


def here():
    """The place of what the nearest code outside the package does now."""
    frame = sys._getframe(1)
    while id(frame.f_globals) in _OWN:
        frame = frame.f_back
    table = _TABLES.get(id(frame.f_code))
    if table is None:
        table = _tabulate(frame.f_code)
    place = table.places.get(frame.f_lasti)
    if place is None:
        place = table.add(frame.f_lasti)
    return place


def variable_here(place):
    """The local variable that the result of a place is assigned to, where `here` is; a function
    that returns the result may have been called for it."""
    frame = sys._getframe(1)
    while id(frame.f_globals) in _OWN:
        frame = frame.f_back
    while place.variable is None and place.returns:
        frame = frame.f_back
        if id(frame.f_globals) in _OWN:
            return None
        table = _TABLES.get(id(frame.f_code)) or _tabulate(frame.f_code)
        place = table.places.get(frame.f_lasti) or table.add(frame.f_lasti)
    return place.variable


class _Table:
    """The places of one code object."""

    __slots__ = ("code", "positions", "offsets", "variables", "returns", "comparisons",
                 "places")

    def __init__(self, code):
        self.code = code
        self.positions = list(code.co_positions())
        self.places, self.variables, self.comparisons, self.returns = {}, {}, {}, set()
        steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
        self.offsets = [step.offset for step in steps]
        for number, step in enumerate(steps):
            behind = steps[number + 1:number + 3]
            if behind and behind[0].opname == "COPY":  # a = b = …, (a := …)
                del behind[0]
            if behind and behind[0].opname.startswith(("STORE_FAST", "STORE_DEREF")):
                name = behind[0].argval
                self.variables[step.offset] = name if isinstance(name, str) else name[0]
            if behind and behind[0].opname == "RETURN_VALUE":
                self.returns.add(step.offset)
            if step.opname == "COMPARE_OP":
                self.comparisons[step.offset] = step.argval.removeprefix("bool(").removesuffix(")")

    def add(self, instruction):
        line, end_line, byte, end_byte = self.positions[instruction // 2]
        line = line or self.code.co_firstlineno
        # What runs may stand in the inline cache behind its instruction.
        step = self.offsets[bisect.bisect_right(self.offsets, instruction) - 1]
        place = self.places[instruction] = Place(
            self.code.co_filename, line, byte or 0, end_line or line, end_byte or 0,
            self.variables.get(step), step in self.returns, self.comparisons.get(step))
        return place


def _tabulate(code):
    if len(_TABLES) >= _MOST_TABLES:  # a notebook makes new code with each cell
        _TABLES.clear()
    table = _TABLES[id(code)] = _Table(code)
    return table


def unwrapped(function):
    """What a partial function calls."""
    while isinstance(function, functools.partial):
        function = function.func
    return function


def code_of(function):
    """The code of a function, of a method or of what has one inside; None of anything else."""
    return getattr(unwrapped(function), "__code__", None)


def place_of(function, word=None):
    """The place of a function's head, or of a parameter in it."""
    code = code_of(function)
    first = code.co_firstlineno  # of the first decorator, if there is one
    for number, line in enumerate(linecache.getlines(code.co_filename)[first - 1:], first):
        head = re.search(r"\bdef\b|\blambda\b", line)
        if head:
            found = word and re.search(rf"\b{re.escape(word)}\b", line[head.end():])
            column = head.end() + found.start() if found else head.start()
            return Place(code.co_filename, number, len(line[:column].encode()))
    return Place(code.co_filename, first, 0)


class Sources:
    """The Python files of one program, as texts of its tree."""

    def __init__(self, tree, context):
        self.tree = tree
        self._context = context
        self._files, self._numbers = {}, {}

    def number(self, place):
        """The tree's number of a place."""
        number = self._numbers.get(place)
        if number is None:
            source = self._files.get(place.file)
            if source is None:
                source = self._files[place.file] = self._context.add_source(_text_of(place.file),
                                                                            place.file)
            number = self.tree.place(source, place.line, place.byte)
            self._numbers[place] = number
        return number


def _text_of(file):
    """The text of a file or of a notebook's cell. What Python cannot show, such as what `exec` was
    given, is a text of empty lines: messages still name the line."""
    lines = linecache.getlines(file)
    return "".join(lines) if lines else "\n" * 10_000
