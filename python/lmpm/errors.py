"""What goes wrong, as exceptions: the messages of the compiler with their places and pictures."""

import os
import sys
import warnings

from lmpm._lmpm import Diagnostic

__all__ = ["Diagnostic", "Error", "ProgramWarning"]


class ProgramWarning(UserWarning):
    """What the compiler or a run warns of: a category for Python's `warnings`."""


def warn(picture):
    """Shows a warning of the compiler at the line that called the package."""
    package = os.path.dirname(__file__)
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    warnings.warn(picture, ProgramWarning, stacklevel=level)


class Error(Exception):
    """A program, an array or an option that the compiler refuses.

    Its text is what the tools print: the place, the sentence, the line and a caret. The first
    error among `diagnostics` gives `message`, `id` (the kind of mistake, such as `not-visible`),
    `file`, `line` and `column` (both from 1; 0 and an empty file where there is no place).
    """

    def __init__(self, diagnostics):
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(str(one) for one in self.diagnostics))
        first = next((one for one in self.diagnostics if one.severity == "error"), None)
        self.message = first.message if first else ""
        self.id = first.id if first else ""
        self.file = first.file if first else ""
        self.line = first.line if first else 0
        self.column = first.column if first else 0

    def __reduce__(self):  # what another process raises comes back from there
        return type(self), (self.diagnostics,)

    @classmethod
    def of(cls, message, id, file="", line=0, column=0):
        """An error with one sentence, which Python itself says."""
        return cls([Diagnostic("error", message, id, file, line, column)])
