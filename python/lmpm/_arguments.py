"""What the package's functions are called with, before it goes to the compiler; else a sentence."""

import collections.abc
import functools
import operator
import os
import re

from lmpm._hints import nearest, shown
from lmpm.errors import Error


def fail(expected, what, given, hint=""):
    """Raises the error of an argument: what was expected, what for, and what came."""
    found = shown(given)
    found = f"{found[:57]}..." if len(found) > 60 else found
    hint = f"; {hint}" if hint else ""
    raise Error.of(f"expected {expected} for {what}, but got {found}{hint}", "command-line")


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


def path(given, what):
    """The path of a file as a string; a number is the descriptor of an open one, which nobody means."""
    name = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
    if not isinstance(name, str):
        fail("the path of a file", what, given)
    return name


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


_REFUSED = re.compile(r"\(\): incompatible function arguments\.[^\n]*\n    1\. \((?:self: \S+?(?:, |(?=\))))?(.*)\) -> ")


def checked(function):
    """A function of the extension module that says in a sentence what it does not take."""
    @functools.wraps(function)
    def call(*given, **named):
        try:
            return function(*given, **named)
        except TypeError as error:
            refused = _REFUSED.match(str(error).removeprefix(function.__name__))
            if not refused:
                raise
        expected = refused[1].replace("lmpm._lmpm.", "")
        fail(f"({expected})", f"'{function.__name__}'", _Call(given[refused[0].count("self: "):], named))
    return call


class _Call:
    """The arguments of a call, as one writes them."""

    def __init__(self, given, named):
        self._text = ", ".join([*map(repr, given), *(f"{key}={value!r}" for key, value in named.items())])

    def __repr__(self):
        return f"({self._text})"


def check_methods(*classes):
    """Has all functions of classes of the extension module `checked`."""
    for one in classes:
        for name, member in list(vars(one).items()):
            if isinstance(member, staticmethod) and name != "__new__":
                setattr(one, name, staticmethod(checked(member.__func__)))
            elif type(member).__name__ == "instancemethod" and name != "__init__":
                setattr(one, name, checked(member))
