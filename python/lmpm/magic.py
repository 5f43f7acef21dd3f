"""`%%lmpm`: a cell of a notebook that is a program in the language."""

from lmpm.errors import Error
from lmpm.programs import parse

__all__ = ["load_ipython_extension"]


def load_ipython_extension(shell):
    """What `%load_ext lmpm` calls. After it, a cell that begins with `%%lmpm life` is read as a
    program, which the variable `life` then is (`program`, if the line names none)."""

    def lmpm(line, cell):
        """Reads the cell as a program of the language, into the variable that the line names."""
        name = line.strip() or "program"
        if not name.isidentifier():
            raise Error.of(f"expected the name of a variable behind %%lmpm, but got '{name}'",
                           "syntax")
        try:
            program = parse(cell, name=f"{name}.lmpm")
        except Error as error:
            raise error.with_traceback(None) from None  # the picture says where
        shell.user_ns[name] = program
        return program

    shell.register_magic_function(lmpm, magic_kind="cell")
