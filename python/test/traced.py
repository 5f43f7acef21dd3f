"""What tests of traced programs share: programs to put a construct into, and what is expected."""

import inspect

import pytest

import lmpm
from lmpm import F32, I32, N8, Grid2D, Latent, Token

W, H = lmpm.sizes("W H")


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def same(program, text):
    """Whether a traced program is what a text says, as canonical text and as IR."""
    parsed = lmpm.parse(text)
    assert lines(program.to_lmpm()) == lines(parsed.to_lmpm())
    assert str(program.module) == str(parsed.module)


def grid(kind=Token(8), **options):
    """A program with one value that sees itself and its neighbours."""
    program = lmpm.Program("test")
    cell = program.value("Cell", kind, Grid2D(W, H), **{"boundary": "wrap", "init": 0, **options})
    cell.sees(cell)
    cell.sees(near=cell[N8])
    return program, cell


GRID = """
value Cell : {kind} shape Grid2D(W, H) boundary wrap init {init}
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule Step:
  on Cell[x,y]
  {lets}
  emit proposal Cell[x,y] := {emit}
commit Cell[*] using accept
"""


def same_rule(function, emit, lets="", kind="Token[8]", init="0"):
    """Whether a rule is what the text proposes."""
    types = {"Token[8]": Token(8), "F32": F32, "I32": I32, "Latent[D]": Latent("D")}
    program, cell = grid(types[kind], init=float(init) if "." in init else int(init))
    program.rule("Step", on=cell)(function)
    program.commit(cell, "accept")
    same(program, GRID.format(kind=kind, init=init, emit=emit, lets=lets))


def refused(make, message, hint="", id="not-traceable", at=None):
    """Whether a function is refused at its line with `# wrong`, with the caret under `at`."""
    with pytest.raises(lmpm.Error) as caught:
        make()
    error = caught.value
    assert (error.id, error.message) == (id, message)
    notes = " ".join(note.message for note in error.diagnostics[0].notes)
    assert notes.startswith(hint) if hint else not notes
    lines, first = inspect.getsourcelines(make)
    file = inspect.getsourcefile(inspect.unwrap(make))
    wrong = [number for number, line in enumerate(lines, first) if "# wrong" in line]
    assert error.file == file and error.line in wrong, str(error)
    place, line, caret = str(error).splitlines()[:3]
    assert place == f"{file}:{error.line}:{error.column}: error: {message} [{id}]"
    assert line == lines[error.line - first].rstrip("\n")
    if at:
        assert line[caret.index("^"):].startswith(at), str(error)


def refused_rule(rule, message, hint="", id="not-traceable", at=None, kind=Token(8)):
    """Whether the function of a rule is refused: when it is traced, or when there is IR."""
    def make():
        program, cell = grid(kind)
        program.rule("Step", on=cell)(rule)
        program.commit(cell, "accept")
        program.module
    make.__wrapped__ = rule  # whose lines `inspect` shows
    refused(make, message, hint, id, at)
