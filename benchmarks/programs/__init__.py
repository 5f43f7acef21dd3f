"""The programs of the benchmark, a module each.

`make(size, quick)` gives the contest at a size, `SIZES` are the sizes that are measured; a module
of several programs has `make_all(quick)`, which gives all contests, and one that measures otherwise
`measure_all(arguments)`, which gives rows. To add one: a module here, its name in `ALL`, its versions
in ../hand and ../peers.
"""

import importlib

ALL = ("ising", "life", "potts", "sor", "mlp", "nca", "tokens", "variety", "compile")


def load(name):
    """The module of a program."""
    return importlib.import_module(f"programs.{name}")


def contests(module, quick, sizes=()):
    """Those of a module: one for each size, or only for some, or for each of several programs."""
    if hasattr(module, "make_all"):
        return list(module.make_all(quick))
    return [module.make(size, quick) for size in module.SIZES if not sizes or size in sizes]
