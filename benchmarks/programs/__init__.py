"""The programs of the benchmark, a module each.

`make(size, quick)` gives the contest at a size, `SIZES` are the sizes that are measured; a module
that measures otherwise has `measure_all(arguments)`, which gives rows. To add one: a module here, its
name in `ALL`, its versions in ../hand and ../peers.
"""

import importlib

ALL = ("ising", "life", "potts", "sor", "mlp", "nca", "tokens", "compile")


def load(name):
    """The module of a program."""
    return importlib.import_module(f"programs.{name}")
