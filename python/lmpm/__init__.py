"""LMPM: programs made of rules that propose and constraints that agree, compiled by MLIR."""

from lmpm._native import __version__
from lmpm.errors import Diagnostic, Error
from lmpm.programs import AnyProgram, ParsedProgram, load, parse
from lmpm.run import Compiled, Run, RunHandle, Value

__all__ = ["AnyProgram", "Compiled", "Diagnostic", "Error", "ParsedProgram", "Run", "RunHandle",
           "Value", "__version__", "load", "parse"]
