"""What the package's functions are called with, before it goes to the compiler; else a sentence."""

import collections.abc
import operator

from lmpm._hints import nearest
from lmpm.errors import Error


def fail(expected, what, given, hint=""):
    """Raises the error of an argument: what was expected, what for, and what came."""
    shown = " ".join(repr(given).split())
    shown = f"{shown[:57]}..." if len(shown) > 60 else shown
    hint = f"; {hint}" if hint else ""
    raise Error.of(f"expected {expected} for {what}, but got {shown}{hint}", "command-line")


def whole(given, what, least=None, most=None):
    """An integer of Python, NumPy or another library, within limits."""
    try:
        number = None if isinstance(given, bool) else operator.index(given)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        within = "" if least is None else \
            f" of at least {least}" if most is None else f" in {least} .. {most}"
        fail(f"a whole number{within}", what, given, _whole_hint(given))
    if most is None and number >= 2**63:
        fail("a whole number below 2^63", what, given)
    return number


def _whole_hint(given):
    """What a float or a text was meant to be."""
    try:
        number = float(given) if isinstance(given, (float, str)) else 0.5
    except ValueError:
        return ""
    return f"write {int(number)}" if number.is_integer() else ""


def text(given, what, hint=""):
    """A string."""
    if not isinstance(given, str):
        fail("text", what, given, hint)
    try:
        given.encode()
    except UnicodeEncodeError:
        fail("text that UTF-8 can say", what, given)
    return given


def truth(given, what):
    """True or False."""
    if not isinstance(given, bool):
        fail("True or False", what, given)
    return given


def one_of(given, what, known, others={}):
    """One of some words; a near one is asked about, or what another word means here."""
    if not isinstance(given, str) or given not in known:
        *first, last = (repr(one) for one in known)
        hint = ""
        if isinstance(given, str):
            hint = f"did you mean '{others[given]}'?" if given in others else nearest(given, known)
        fail(f"{', '.join(first)} or {last}", what, given, hint)
    return given


def by_name(given, what, example):
    """A dictionary with names as keys; nothing is an empty one."""
    if given is None:
        return {}
    if not isinstance(given, collections.abc.Mapping) or not all(isinstance(key, str) for key in given):
        fail("a dictionary by name", what, given, f"write for example {what}={example}")
    return given


def names(given, what):
    """A list of names; one string is no list."""
    if isinstance(given, str):
        fail("a list of names", what, given, f"write {what}=[{given!r}]")
    if not isinstance(given, collections.abc.Iterable):
        fail("a list of names", what, given)
    made = list(given)
    for one in made:
        text(one, f"a name in {what}")
    return made
