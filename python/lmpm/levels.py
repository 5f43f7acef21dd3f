"""The levels of a program: from the language down to machine code, each made when it is asked for."""

import functools
import secrets

from lmpm import _html, _lmpm
from lmpm._hints import nearest
from lmpm.errors import Error
from lmpm.ir import PassPipeline

__all__ = ["Level", "Levels"]


class Level:
    """One level: `name`, `about` (a sentence), `made_by` (what one writes to come here), `text`,
    and `module`, a `Module` of one's own to work on; None where it is not MLIR."""

    def __init__(self, name, about, made_by, make):
        self.name, self.about, self.made_by = name, about, made_by
        self._make = make

    @functools.cached_property
    def _made(self):
        return self._make()

    @property
    def module(self):
        """The IR, as a copy. Raises `lmpm.Error` if the program does not come this far."""
        return None if isinstance(self._made, str) else self._made.clone()

    @property
    def text(self):
        """The IR as text. Raises `lmpm.Error` if the program does not come this far."""
        return str(self._made)

    def __str__(self):
        return self.text

    def _code(self, most):
        try:
            return _html.code(self.text, self.name == "language", most)
        except Error as error:
            return f'<div class="code">not for this program: {_html.escape(error)}</div>'

    def _section(self, most):
        return (f'<div class="title">{_html.escape(self.name)}</div><div>{_html.escape(self.about)}'
                f' <span class="faint">(by {_html.escape(self.made_by)})</span></div>{self._code(most)}')

    def _repr_html_(self):
        return _html.block(self._section(_html.MAX_LINES))

    def __repr__(self):
        return f"<level {self.name}: {self.about}>"


class Levels:
    """All levels of a program, by name and in their order, the language first.

    A notebook shows them one at a time, with a row of stops to flip through by mouse or arrow keys.

    >>> text = "value Cell : Token[2] shape Grid2D(W, W) clock Lamport boundary wrap init 0"
    >>> levels = lmpm.parse(text).levels(W=64)
    >>> levels["bound"].module.walk()[1].name
    'lci.program'
    """

    def __init__(self, levels):
        self._levels = {level.name: level for level in levels}

    def __getitem__(self, name):
        if name not in self._levels:
            hint = nearest(name, self._levels) if isinstance(name, str) else ""
            raise Error.of(f"expected one of the levels {', '.join(self._levels)}, but got {name!r}"
                           f"{'; ' if hint else ''}{hint}", "no-such-name")
        return self._levels[name]

    def __iter__(self):
        return iter(self._levels.values())

    def __len__(self):
        return len(self._levels)

    def keys(self):
        """Their names."""
        return self._levels.keys()

    def explain(self):
        """What each level is, what makes it, and how long its text is, as text."""
        return "\n".join(_line(level) for level in self)

    def _repr_html_(self):
        sections = [(level.name, level._section(_html.MAX_LINES_BESIDE)) for level in self]
        return _html.block(_html.stops(sections, secrets.token_hex(6)))

    def __repr__(self):
        return "\n".join(f"{level.name:9} {level.about}" for level in self)


def _line(level):
    try:
        size = f"{level.text.count(chr(10)) + 1} lines"
    except Error as error:
        size = f"not for this program: {error.message}"
    return f"{level.name:9} {level.about} ({size})\n{'':9} by {level.made_by}"


def of(program, arguments, threads, chip):
    """The levels of a program, bound by what `_lmpm.bind` takes behind the module."""
    @functools.cache
    def ticks():
        return _lmpm.lower(program.module, *arguments)

    def lowered(pipeline):
        return PassPipeline(pipeline).run(ticks().clone())

    cpu = f"{{threads={threads}}}" if threads != 1 else ""
    pipelines = [
        ("linalg", "loops over buffers as operations of linalg, for the CPU",
         f"lci-to-linalg-pipeline{cpu}"),
        ("llvm", "the llvm dialect, for the CPU", f"lci-to-llvm-pipeline{cpu}"),
        ("kernels", "kernels of a gpu.module, and what launches them", "lci-to-kernels-pipeline"),
        ("nvvm", "kernels in the nvvm dialect", f"lci-to-nvvm-pipeline{{chip={chip}}}")]
    return Levels([
        Level("language", "text of the language", "you", program.to_lmpm),
        Level("program", "declarations; sizes are names", "lmpm-translate --import-lmpm",
              lambda: program.module),
        Level("bound", "the same; sizes are numbers, every value has a schedule; proved",
              "lci-bind and lci-check-pipeline", lambda: _lmpm.bind(program.module, *arguments)),
        Level("ticks", "functions on tensors, one lci.tick per value and phase",
              "lci-lower-rules", ticks),
        *(Level(name, about, pipeline, functools.partial(lowered, pipeline))
          for name, about, pipeline in pipelines),
        Level("llvmir", "LLVM IR for this machine, optimised", "lmpm-translate --lci-to-llvmir",
              lambda: _lmpm.to_llvm_ir(ticks(), threads)),
        Level("ptx", f"PTX for an NVIDIA GPU ({chip})", "lmpm-translate --lci-to-ptx",
              lambda: _lmpm.to_ptx(ticks(), chip))])
