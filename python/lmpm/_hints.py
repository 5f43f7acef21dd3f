"""What to write instead of what cannot be traced."""

import ast
import linecache
from difflib import get_close_matches


def nearest(name, known):
    """A question about the name that was most likely meant, or nothing."""
    found = get_close_matches(name, [one for one in known if not one.startswith("_")], 1)
    return f"did you mean '{found[0]}'?" if found else ""


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
