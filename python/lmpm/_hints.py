"""What to write instead of what cannot be traced."""

import ast
import linecache
from difflib import get_close_matches
from inspect import signature

from lmpm._lmpm import FUNCTIONS


# Longer names nobody has typed; comparing takes as long as both lengths multiplied.
_LONGEST = 100


def shown(value):
    """A value of Python in one line of a message, however deep it is nested."""
    try:
        return " ".join(repr(value).split())
    except RecursionError:
        return f"<{type(value).__name__} nested too deep to show>"


def nearest(name, known):
    """A question about the name that was most likely meant, or nothing."""
    if len(name) > _LONGEST:
        return ""
    folded = {one.casefold(): one for one in known if not one.startswith("_")}
    found = get_close_matches(name.casefold(), folded, 1)
    return f"did you mean '{folded[found[0]]}'?" if found else ""


def hint_of_truth(place):
    """What to write instead of the `if`, `and`, `not` or chain that asked for a truth value."""
    where = "use lmpm.where(condition, a, b) instead of 'if'"
    joins = "use & | ~ instead of 'and', 'or', 'not', with parentheses around comparisons"
    chain = "write (a < b) & (b < c) instead of a < b < c"
    asked = _asking(place)
    if isinstance(asked, (ast.If, ast.IfExp)):
        return where
    if isinstance(asked, (ast.BoolOp, ast.UnaryOp)):
        return joins
    if isinstance(asked, ast.Compare):
        return chain
    if isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name):
        if asked.func.id in ("min", "max"):
            return f"use lmpm.{asked.func.id}(a, b)"
        if asked.func.id in ("any", "all"):
            return f"use .{asked.func.id}() of a family, or & and |"
    return f"{where}; {joins}; {chain}"


def hint_of_value(value):
    """What to write instead of a value of Python that is no expression."""
    if hasattr(value, "shape"):
        return "parameters are arrays that a run is given"
    if isinstance(value, (list, tuple)):
        return "a vector is lmpm.concat(…)"
    if getattr(value, "__module__", None) == "lmpm.functions" and callable(value):
        return f"a function is called with parentheses: '{value.__name__}({'…' * bool(signature(value).parameters)})'"
    return ""


#: What stands for NumPy's functions that have another name here.
_NUMPY = {"where": "lmpm.where(condition, a, b)", "select": "lmpm.where(condition, a, b)",
          "absolute": "abs(x)", "fabs": "abs(x)", "clip": "lmpm.clamp(x, low, high)",
          "minimum": "lmpm.min(a, b)", "maximum": "lmpm.max(a, b)", "fmin": "lmpm.min(a, b)",
          "fmax": "lmpm.max(a, b)", "amin": "a family's .min()", "amax": "a family's .max()",
          "prod": "a family's .product()", "average": "a family's .mean()",
          "count_nonzero": "a family's .count()", "arctan": "lmpm.atan(x)",
          "arctan2": "lmpm.atan2(y, x)", "rint": "lmpm.round(x)", "square": "x**2",
          "logical_and": "a & b", "logical_or": "a | b", "logical_not": "~a", "logical_xor": "a ^ b",
          "mod": "a % b", "fmod": "a % b", "negative": "-x", "invert": "~x", "sign":
          "lmpm.where(x > 0, 1, lmpm.where(x < 0, -1, 0))", "roll": "another cell: cell[x + 1, y]",
          "concatenate": "lmpm.concat(v, w)", "bitwise_count": "lmpm.popcount(n)",
          "isin": "x.isin(members)"}
_OF_FAMILIES = {"sum", "min", "max", "mean", "any", "all", "argmin", "argmax"}


def hint_of_numpy(name):
    """What to write instead of a function of NumPy."""
    if name in _NUMPY:
        return f"use {_NUMPY[name]}"
    if name in _OF_FAMILIES:
        return f"use a family's .{name}()"
    if name in FUNCTIONS:
        return f"use lmpm.{name}"
    return "the functions of the language are those of lmpm"


def _asking(place):
    """The innermost part of a Python file around a place that asks for truth values."""
    try:
        tree = ast.parse("".join(linecache.getlines(place.file)))
    except (SyntaxError, ValueError):  # a cell with magics in it
        return None
    found = None
    for part in ast.walk(tree):  # from the outside in
        asks = isinstance(part, (ast.If, ast.IfExp, ast.BoolOp, ast.Call)) or \
            (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)) or \
            (isinstance(part, ast.Compare) and len(part.ops) > 1)
        if asks and _within(place, part.test if isinstance(part, ast.If) else part):
            found = part
    return found


def _within(place, part):
    return (part.lineno, part.col_offset) <= (place.line, place.byte) and \
        (place.end_line, place.end_byte) <= (part.end_lineno, part.end_col_offset)
