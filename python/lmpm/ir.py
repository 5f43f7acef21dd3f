"""Work on IR: modules and what is in them, pipelines, passes and patterns in Python.

    >>> module = lmpm.ir.Module.parse("func.func @f() { return }", "f.mlir")
    >>> [op.name for op in module.walk()]
    ['builtin.module', 'func.func', 'func.return']
    >>> print(lmpm.ir.PassPipeline("canonicalize", lmpm.ir.Pass("cse")))
    canonicalize,cse

Operations of the dialect have classes with names for their parts, such as `lmpm.ir.TickOp`; `help` explains them.
"""

import typing

from lmpm import _arguments, _html, _lmpm
from lmpm._lmpm import (Attribute, Attributes, Block, Context, Module, Operation, Region, Rewriter,
                        Type, Value)
from lmpm.errors import Error
from lmpm.operations import *  # noqa: F403  # as `ir.TickOp`; the page of the dialect lists them

__all__ = ["Attribute", "Attributes", "Block", "Context", "Module", "Operation", "Pass",
           "PassPipeline", "Region", "Rewriter", "Step", "Type", "Value", "check_equivalent", "create", "pattern",
           "rewrite"]


_arguments.check_methods(Attribute, Attributes, Block, Context, Module, Operation, Region, Rewriter, Type, Value)
create = _arguments.checked(_lmpm.create)


def _show(self):
    """A notebook shows IR with colours, and with regions that fold."""
    try:
        shown = _html.code(str(self))
    except Error as error:  # an operation that is gone
        shown = f'<div class="code">{_html.escape(error)}</div>'
    return _html.block(shown)


Module._repr_html_ = Operation._repr_html_ = _show


class Pass:
    """A pass of the compiler by its name, with options by theirs: `Pass("lci-bind", sizes="W=4")`.

    Underscores in names of options are written as they are; lists become `a,b`, truth `true`.
    """

    def __init__(self, name, **options):
        self.name, self.options = name, options

    def __str__(self):
        options = " ".join(f"{key}={_option(value)}" for key, value in self.options.items())
        return f"{self.name}{{{options}}}" if options else self.name


def _option(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(_option(one) for one in value)
    text = str(value)
    return f"{{{text}}}" if " " in text else text


class Step(typing.NamedTuple):
    """What one pass of a pipeline did: its name, its time in seconds, and the IR behind it as text."""

    name: str
    seconds: float
    text: str


class PassPipeline:
    """Passes in their order: text as `lmpm-opt` takes it, `Pass` objects, and functions.

    A function is a pass: it takes the module's `Operation` and changes what is in it; what it
    raises ends the pipeline. `verify` has the IR verified after each pass; before the first one and
    after functions it always is.
    """

    def __init__(self, *passes, verify=True):
        self.passes = list(passes)
        self.verify = verify

    def add(self, one):
        """Appends a pass and returns the pipeline; also a decorator of functions."""
        self.passes.append(one)
        return self

    def run(self, module):
        """Runs the passes on a module and returns it. Operations that were looked up before are
        gone then. Raises `lmpm.Error` with what a pass says."""
        self._run(module, traces=False)
        return module

    def trace(self, module):
        """Runs the passes as `run` does, and returns a list of `Step`: what each of them did. Those
        that work on what is in the module are one step together."""
        return [Step(*row) for row in self._run(module, traces=True)]

    def _run(self, module, traces):
        _expect_module(module, "a pipeline")
        passes = [one if callable(one) else str(one) for one in self.passes]
        return _lmpm.run_passes(module, passes, self.verify, traces)

    def __str__(self):
        return ",".join(getattr(one, "__name__", str(one)) for one in self.passes)


def _expect_module(given, what):
    if not isinstance(given, Module):
        hint = "a program has one as its attribute 'module'" if hasattr(given, "module") else ""
        _arguments.fail("a Module", what, given, hint)


#: More than any pattern needs; MLIR keeps it in 16 bits.
_MOST_BENEFIT = 65534


def pattern(root, benefit=1):
    """Makes a function of `(operation, rewriter)` a pattern on operations of the name `root`; it
    returns whether it changed something, and changes it by the `Rewriter` alone."""
    _arguments.text(root, "the root of a pattern", "write for example @ir.pattern('arith.addi')")
    benefit = _arguments.whole(benefit, "benefit", 0, _MOST_BENEFIT)

    def decorate(function):
        function.root, function.benefit = root, benefit
        return function
    return decorate


def rewrite(module, *patterns):
    """Applies patterns all over a module until none applies; returns whether it changed."""
    _expect_module(module, "rewrite")
    for one in patterns:
        if not callable(one) or not hasattr(one, "root"):
            _arguments.fail("a pattern", "rewrite", one, "write @ir.pattern('arith.addi') above its function")
    return _lmpm.apply_patterns(module, [(one.root, one.benefit, one) for one in patterns])


def check_equivalent(left, right, trials=5, epochs=3, seed=1):
    """Runs two modules of the same program, each from the level that it is on, and compares what they
    end in bit by bit: `trials` times on random contents, which follow from `seed`, for `epochs` epochs.

    >>> text = "value A : I32 shape Seq(N)\\nrule R: on A[i] emit proposal A[i] := i\\ncommit A[*] using accept"
    >>> levels = lmpm.parse(text).levels(N=5)
    >>> lmpm.ir.check_equivalent(levels["ticks"].module, levels["llvm"].module)

    Raises `lmpm.Error` with the first cell that differs, or if one of them cannot be run: programs
    must be bound, and code for GPUs is run as kernels, not as the nvvm dialect or PTX."""
    _expect_module(left, "check_equivalent")
    _expect_module(right, "check_equivalent")
    _lmpm.check_equivalent(left, right, _arguments.whole(trials, "trials", 1, 1 << 20),
                           _arguments.whole(epochs, "epochs", 1, 1 << 40),
                           _arguments.whole(seed, "seed", 0, (1 << 64) - 1))
