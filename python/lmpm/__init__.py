"""LMPM: programs made of rules that propose and constraints that agree, compiled by MLIR."""

import builtins as _builtins

from lmpm import functions as _functions, shapes as _shapes
from lmpm._native import __version__
from lmpm import ir
from lmpm.config import show_config
from lmpm.errors import Diagnostic, Error, ProgramWarning
from lmpm.functions import *  # noqa: F403
from lmpm.language import Program
from lmpm.levels import Level, Levels
from lmpm.magic import load_ipython_extension
from lmpm.pictures import Animation, Picture, View, animation, picture
from lmpm.programs import AnyProgram, ParsedProgram, load, parse
from lmpm.report import Report, ReportRow
from lmpm.run import Compiled, Run, RunHandle, Tensor, Value
from lmpm.schedules import Tuned
from lmpm.shapes import *  # noqa: F403

# `from lmpm import *` hides no function of Python: lmpm.sum, lmpm.min and their like keep the dot.
__all__ = ["Animation", "AnyProgram", "Compiled", "Diagnostic", "Error", "Level", "Levels",
           "ParsedProgram", "Picture", "Program", "ProgramWarning", "Report", "ReportRow", "Run", "RunHandle",
           "Tensor", "Tuned", "Value", "View", "__version__", "animation", "ir", "load", "load_ipython_extension",
           "parse", "picture", "show_config",
           *_shapes.__all__,
           *(_name for _name in _functions.__all__ if not hasattr(_builtins, _name))]
