"""Programs, whoever wrote them: text that is parsed, or Python that is traced."""

import os

from lmpm import _lmpm

__all__ = ["AnyProgram", "ParsedProgram", "load", "parse"]


class AnyProgram:
    """What all programs can: be shown, explained, compiled.

    Those who make programs derive from it and provide `module`.
    """

    @property
    def module(self):
        """The program form of the program: a `Module` that holds one `lci.program`."""
        raise NotImplementedError

    def to_lmpm(self):
        """The program as text of the language."""
        return self.module.to_lmpm()


class ParsedProgram(AnyProgram):
    """A program that was read from text or IR."""

    def __init__(self, module):
        self._module = module

    @property
    def module(self):
        return self._module


def parse(text, name="<text>.lmpm"):
    """Reads a program from text of the language.

    `name` stands in messages; one that does not end in `.lmpm` says that the text is IR.
    """
    return ParsedProgram(_lmpm.Module.parse(text, name))


def load(path):
    """Reads a program from a file: `.lmpm`, or IR as text (`.mlir`) or bytecode (`.mlirbc`)."""
    with open(path, "rb") as file:
        return ParsedProgram(_lmpm.Module.parse(file.read(), os.fspath(path)))
