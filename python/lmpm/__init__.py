"""LMPM: programs made of rules that propose and constraints that agree, compiled by MLIR."""

from lmpm._native import __version__
from lmpm.errors import Diagnostic, Error
from lmpm.programs import AnyProgram, ParsedProgram, load, parse

__all__ = ["AnyProgram", "Diagnostic", "Error", "ParsedProgram", "__version__", "load", "parse"]
