"""Traced expressions as text, for people who print one."""

from lmpm._lmpm import BINARY, COMPARE, UNARY
from lmpm.expressions import Expr

_SIGNS = {kind: {number: sign for sign, number in signs.items()}
          for kind, signs in (("unary", UNARY), ("binary", BINARY), ("compare", COMPARE))}
_DEEPEST = 5  # more of an expression helps nobody


def show(value):
    """An expression nearly as the language writes it."""
    indices = getattr(value.operands[0], "indices", ()) if value.kind == "index" else ()
    shown = _show(value, indices, 0)
    return shown if value.over is None else f"{shown} when {_show(value.over, indices, 1)}"


def _show(value, indices, depth):
    if not isinstance(value, Expr):
        return str(value)
    if depth > _DEEPEST:
        return "…"
    parts = [_show(one, indices, depth + 1) for one in value.operands]
    if value.kind == "own":  # an index of whichever declaration it is written into
        axis, prefix = value.data
        return prefix + (indices[axis] if axis < len(indices) else str(axis))
    if value.kind in ("binary", "compare"):
        return "(" + f" {_SIGNS[value.kind][value.data]} ".join(parts) + ")"
    if value.kind == "unary":
        return f"{_SIGNS['unary'][value.data]} {parts[0]}"
    return _show_other(value, parts)


def _show_other(value, parts):
    inner = ", ".join(parts)
    if value.kind == "index":
        return f"{parts[0]}[{', '.join(parts[1:])}]"
    if value.kind == "call":
        return f"{value.data[0]}({inner})"
    if value.kind == "conditional":
        return "(if {} then {} else {})".format(*parts)
    return {"name": value.data, "where": " when ".join(parts), "star": "*", "ellipsis": "...",
            "string": f'"{value.data}"', "set": f"{{{inner}}}", "tuple": f"({inner})",
            "maybe": f"{inner}?", "neighbors": f"neighbors in {inner}",
            "any_marker": "any"}[value.kind]
