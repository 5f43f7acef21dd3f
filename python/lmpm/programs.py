"""Programs, whoever wrote them: text that is parsed, or Python that is traced."""

import contextlib
import json
import os

from lmpm import _arguments, _arrays, _html, _lmpm, schedules
from lmpm.errors import Error
from lmpm.run import Compiled

__all__ = ["AnyProgram", "ParsedProgram", "load", "parse"]


class AnyProgram:
    """What all programs can: be shown, explained, compiled.

    Those who make programs derive from it and provide `module`.
    """

    @property
    def module(self):
        """The program form of the program: a `Module` that holds one `lci.program`."""
        raise NotImplementedError

    #: What messages and reports call it.
    name = "program"

    def to_lmpm(self):
        """The program as text of the language."""
        return self.module.to_lmpm()

    def compile(self, bindings=None, *, backend="cpu", threads=1, counters="changed", fixed=False,
                lowering="", schedule="", tf32=False, **names):
        """Binds the program, proves it and compiles it; returns a `Compiled`.

        `bindings` is the path of a bindings file or a dictionary of the same form (see
        docs/running.md), in which arrays may stand for lists. Keywords give sizes and parameters:
        `compile(W=512, H=512)`. `backend` is `cpu`, `kernels` (those of a GPU, on the CPU),
        `interp` (the reference, slow) or `cuda`; `threads` share each tick. `counters`
        are cells that changed (`changed`), also what constraints decided (`full`), or nothing
        (`none`: the fastest, and a run goes on where nothing changes). `fixed` compiles parameters,
        palettes and switches in as they are now: faster code, which no run may give other ones.
        `lowering` has options of `lci-to-llvm-pipeline`; or `schedule` lowers: what `tune` returned, the
        path of a file, text of transform IR, or `auto`, which is what was found before. `tf32` lets the kernels of a GPU multiply the
        matrices of models by tensor cores: eleven bits of each number, other bits in the results, within
        a bound (docs/gpu.md).
        Raises `lmpm.Error` for what cannot be bound, proved or compiled.
        """
        text, name, inputs = _read_bindings(bindings)
        _arguments.one_of(backend, "the back end", _lmpm.BACKENDS, {"gpu": "cuda"})
        _arguments.one_of(counters, "counters", _lmpm.COUNTERS)
        _arguments.truth(fixed, "fixed")
        _arguments.text(lowering, "lowering")
        if _arguments.truth(tf32, "tf32") and backend not in ("cuda", "kernels"):
            _arguments.fail("the back end 'cuda' or 'kernels'", "tf32", backend)
        if backend == "interp" and counters == "none":
            _arguments.fail("'changed' or 'full'", "counters", counters, "the interpreter counts")
        threads = _arguments.whole(threads, "threads")
        if backend != "cpu" and threads != 1:
            _arguments.fail("the back end 'cpu'", "threads", backend)
        if threads != 1 and "threads=" in lowering:
            _arguments.fail(f"no 'threads' beside threads={threads}", "lowering", lowering)
        if backend != "cpu" and lowering:
            _arguments.fail("the back end 'cpu'", "lowering", backend)
        if schedule and backend == "interp":
            _arguments.fail("compiled code", "schedule", backend)
        if schedule and lowering:
            _arguments.fail("no options beside a schedule", "lowering", lowering)
        with _with_advice("compile"):
            return Compiled(_lmpm.compile(self.module, self.name, text, name, _sets(names),
                                          _lmpm.BACKENDS[backend], threads, _lmpm.COUNTERS[counters],
                                          fixed, lowering, *schedules.split(schedule), tf32),
                            inputs, counters != "none")

    def tune(self, bindings=None, *, backend="cpu", threads=1, epochs=None, schedule="", candidates=64,
             measure=32, seconds=60, seed=0, progress=None, **names):
        """Searches for the schedule of the program at the sizes of the bindings; returns a `Tuned`.

        A model that counts instructions and bytes ranks at most `candidates`, the best `measure` of them
        run in turns in a process of their own, each for `epochs` (by default as many as a clock needs) and
        at most `seconds`, and their cells are compared. `schedule` has the knobs and alternatives that are
        searched, by default those of the pipeline (docs/search.md); `seed` decides which candidates are
        tried, where there are more. For a GPU that is not here the model decides alone, and for `kernels`.
        `progress` is called with what is done, how much of how much, and the best ratio so far; Ctrl-C
        ends the search with the best so far. Raises `lmpm.Error` for what cannot be bound or run, and if
        a candidate has other cells, which is a bug of the compiler or of the schedule.
        """
        text, name, inputs = _read_bindings(bindings)
        _arguments.one_of(backend, "the back end", {key: value for key, value in _lmpm.BACKENDS.items()
                                                    if key != "interp"}, {"gpu": "cuda"})
        if epochs is not None:
            epochs = _arguments.whole(epochs, "epochs", 1)
        file, knobs = schedules.split(schedule)
        if file:
            knobs = _read_text(file)
        with _with_advice("tune"):
            found = _lmpm.tune(self.module, self.name, text, name, _sets(names), _arrays.named(inputs, "input"),
                               _lmpm.BACKENDS[backend], _arguments.whole(threads, "threads", 1), epochs, knobs,
                               _arguments.whole(candidates, "candidates", 1),
                               _arguments.whole(measure, "measure", 0),
                               _arguments.whole(seconds, "seconds", 1), _arguments.whole(seed, "seed", 0),
                               progress)
        if found[-1] is not None:
            raise Error.of(f"the candidate '{found[-1]}' has other cells than the default: a bug of the "
                           "compiler, or of the schedule", "check-failed")
        return schedules.Tuned(self.name, found)

    def levels(self, bindings=None, *, threads=1, chip="sm_80", **names):
        """The program on its way to machine code: a `Levels`, by name, each made when it is asked
        for. Takes bindings as `compile` does; `threads` share a tick on the CPU, and `chip` is the
        architecture that PTX is for. Raises `lmpm.Error` for what cannot be bound or proved."""
        from lmpm import levels
        _arguments.text(chip, "chip", "write for example chip='sm_90'")
        threads = _arguments.whole(threads, "threads")
        with _with_advice("levels"):
            text, name, _ = _read_bindings(bindings)
            made = levels.of(self, (text, name, _sets(names)), threads, chip)
            made["bound"].text  # what is wrong is said here
            return made

    def explain(self, bindings=None, **options):
        """What each level of the program is, what makes it and how long it is, as text; takes what
        `levels` takes."""
        return self.levels(bindings, **options).explain()

    def view(self, kind, bindings=None, *, window=16, **names):
        """A picture of what the program says, as `lmpm-opt --view` draws it: a `View`.

        `kind` is `visibility` (what cells may read), `schedule` (the phases of an epoch) or
        `constraints` (which of them speak of which cells, locked regions among them). Takes
        bindings as `compile` does; of a larger axis `window` cells are shown. Raises `lmpm.Error`
        for what cannot be bound, or if there is nothing to draw.
        """
        from lmpm.pictures import View
        _arguments.one_of(kind, "the view", _lmpm.VIEWS)
        window = _arguments.whole(window, "window", 1)
        with _with_advice("view"):
            text, name, _ = _read_bindings(bindings)
            svg = _lmpm.draw_view(self.module, _lmpm.VIEWS[kind], self.name, window, text, name,
                                  _sets(names))
            return View(kind, self.name, svg)

    def __reduce__(self):
        return _unpickled, (self.to_lmpm(), self.name)

    def _repr_html_(self):
        try:
            shown = _html.code(self.to_lmpm(), language=True)
        except Error as error:  # it is shown as far as it is wrong
            shown = f'<div class="code">{_html.escape(error)}</div>'
        return _html.block(f'<div class="title">{_html.escape(self.name)}</div>{shown}')

    def __repr__(self):
        return f"<program {self.name}>"


@contextlib.contextmanager
def _with_advice(call):
    """Says how Python gives sizes where the compiler misses some, and what runs take."""
    try:
        yield
    except Error as error:
        sizes = [one.message.split("'")[1] for one in error.diagnostics if one.id == "unbound-size"]
        if sizes:
            example = ", ".join(f"{size}=512" for size in sizes)
            error.add_note(f"in Python, keywords of {call} give sizes: {call}({example})")
        for word in ("epochs", "seed"):
            if any(one.message.startswith(f"{call} '{word}': ") for one in error.diagnostics):
                error.add_note(f"give it to run: run({word}=…)")
        raise


class ParsedProgram(AnyProgram):
    """A program that was read from text or IR."""

    def __init__(self, module, name="program"):
        self._module = module
        self.name = name

    @property
    def module(self):
        return self._module


def parse(text, name="<text>.lmpm"):
    """Reads a program from text of the language.

    `name` stands in messages; one that does not end in `.lmpm` says that the text is IR.
    """
    _arguments.text(text, "a program", "lmpm.load reads a file")
    if "\n" not in text and text.endswith((".lmpm", ".mlir", ".mlirbc")):
        _arguments.fail("the text of a program", "parse", text, "lmpm.load reads a file")
    return ParsedProgram(_lmpm.Module.parse(text, _arguments.text(name, "name")), _stem(name))


def _unpickled(text, name):
    """A program that was sent to this process, or copied: by its text."""
    return ParsedProgram(_lmpm.Module.parse(text, f"{name}.lmpm"), name)


def load(path):
    """Reads a program from a file: `.lmpm`, or IR as text (`.mlir`) or bytecode (`.mlirbc`)."""
    path = _arguments.path(path, "load")
    return ParsedProgram(_lmpm.Module.parse(_read(path), _shown(path)), _stem(_shown(path)))


def _shown(path):
    """A path as messages have it; one that is no UTF-8 with marks in place of its other bytes."""
    return os.fsencode(path).decode(errors="replace")


def _read(path):
    with open(path, "rb") as file:
        try:
            return file.read()
        except (MemoryError, OverflowError) as error:
            raise Error.of(f"'{os.fspath(path)}' is too large for memory", "no-memory") from error


def _stem(path):
    return os.path.splitext(os.path.basename(os.fspath(path)))[0].strip("<>")


def _to_json(value, what="the bindings"):
    """JSON of numbers and arrays of any library."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    try:
        return json.dumps(value, default=_to_list, allow_nan=False)
    except RecursionError:
        _arguments.fail("lists and dictionaries at most 100 levels deep", what, value)
    except TypeError:  # `_to_list` has the others
        _arguments.fail("names as keys", what, value)
    except ValueError as error:
        if "Circular" in str(error):
            _arguments.fail("lists and dictionaries that do not hold themselves", what, value)
        _arguments.fail("finite numbers", what, value, "a run takes others: run(params={…})")


def _to_list(array):
    if isinstance(array, os.PathLike):
        return os.fspath(array)
    if not hasattr(array, "tolist"):
        _arguments.fail("a number, text, an array or a path", "a binding", array)
    return array.tolist()


def _sets(names):
    """Keywords, as flags of the tools give them."""
    for key, value in names.items():
        if value is None or isinstance(value, str) and "." not in value:
            hint = f"write {key}={value}" if isinstance(value, str) and value.isdigit() else ""
            _arguments.fail("a number, an array or the path of a file", f"'{key}'", value, hint)
    return [f"{key}={_to_json(value, repr(key))}" for key, value in names.items()]


def _read_text(path):
    """The text of a file, which is UTF-8."""
    content = _read(path)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line, column = content.count(b"\n", 0, error.start) + 1, error.start - content.rfind(b"\n", 0, error.start)
        raise Error.of(f"expected UTF-8, but got the byte 0x{content[error.start]:X}", "unreadable-text",
                       _shown(path), line, column) from None


def _read_bindings(bindings):
    """The text of bindings, the name that messages have for it, and inputs that are no files."""
    if bindings is None:
        return "{}", "<bindings>", {}
    if not isinstance(bindings, dict):
        if not isinstance(bindings, (str, os.PathLike)):
            _arguments.fail("a dictionary or the path of a file", "bindings", bindings)
        return _read_text(_arguments.path(bindings, "bindings")), _shown(bindings), {}
    inputs = bindings.get("inputs", {})
    if not isinstance(inputs, dict):
        return _to_json(bindings), "<bindings>", {}  # which says what it is
    _arguments.by_name(inputs, "inputs", "{'Cell': array}")
    files = {key: value for key, value in inputs.items()
             if value is None or isinstance(value, (str, os.PathLike))}
    arrays = {key: value for key, value in inputs.items() if key not in files}
    return _to_json({**bindings, "inputs": files}), "<bindings>", arrays
