"""Compiled programs and their runs: arrays in, epochs, arrays out."""

import asyncio
import concurrent.futures
import json
import math
import os
import threading
import weakref

import numpy

from lmpm import _arguments, _arrays, _chart, _html, _lmpm, _progress, pictures
from lmpm._hints import nearest
from lmpm.errors import Error
from lmpm.report import Report

__all__ = ["Compiled", "Run", "RunHandle", "Tensor", "Value"]

_MOST_DRAWN = 1 << 20  # cells of a picture that nobody asked for


def _near(name, known):
    hint = nearest(name, known) if isinstance(name, str) else ""
    return f"; {hint}" if hint else ""


class Value:
    """One value of a compiled program: `name`, `kind` (`token`, `i32`, `f32`, `latent`), `shape`
    of its array (of a latent value with the components as last axis), `vocabulary` (how many
    tokens, or components; 0 for numbers), and `ruled`, whether a rule writes it."""

    __slots__ = ("name", "kind", "shape", "vocabulary", "ruled")

    def __init__(self, name, kind, shape, vocabulary, ruled):
        self.name, self.kind, self.shape = name, kind, shape
        self.vocabulary, self.ruled = vocabulary, ruled

    def __repr__(self):
        return f"Value({self.name!r}, {self.kind}, shape={self.shape})"


class _OfThisProcess:
    """What is machine code or a state of this process, and cannot be sent to another one."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle or copy a {type(self).__name__}, which is of this process alone; a "
                        "program can be pickled, and compiled where it is to run")


class Compiled(_OfThisProcess):
    """A program that is bound and compiled; it runs as often as one likes.

    Made by `Program.compile`. Its runs take turns on one machine code: a run that another one
    displaces keeps its state in arrays, and goes on where it was when it is asked to. So do threads:
    a run in the background stops between two epochs for whoever asks for something.
    """

    def __init__(self, native, inputs, counts=True):
        self._native = native
        self._inputs = inputs  # those of the bindings that no file holds
        self._counts = counts
        self.values = {row[0]: Value(*row) for row in native.values}

    @property
    def backend(self):
        """What runs it: `cpu`, `kernels`, `interp` or `cuda`."""
        return self._native.backend

    @property
    def observers(self):
        """Names of the program's observers."""
        return self._native.observers

    def new(self, inputs=None, *, seed=None, params=None, weights=None, enable=(), disable=()):
        """Makes a run that stands before its first epoch.

        `inputs` gives values by name, as arrays of NumPy, PyTorch, JAX or nested lists, of the
        value's shape; tokens are integers with -1 for absent. Those on the GPU that a program
        compiled for `cuda` runs on are read there. `seed` is a whole number; `params`
        gives parameters by name, and `weights` those of models, `{model: {weight: array}}`; in place
        of arrays by name there may be a module of PyTorch, its `state_dict` or the path of a
        `.safetensors` file. `enable` and `disable` name rules and constraints. Nothing of this
        compiles anything. Raises `lmpm.Error` for a wrong name, shape, type, device or token.
        """
        return Run(self, self._native.start(*self._given(inputs, seed, params, weights, enable, disable)))

    def _given(self, inputs, seed, params, weights, enable, disable):
        inputs = _arguments.by_name(inputs, "inputs", "{'Cell': array}")
        params = _arguments.by_name(_arrays.opened(params), "params", "{'beta': 0.5}")
        weights = _arguments.by_name(weights, "weights", "{'Model': 'file.safetensors'}")
        seed = None if seed is None else _arguments.whole(seed, "seed", 0, 2**64 - 1)
        here, there = _arrays.inputs({**self._inputs, **inputs}, self._native.device, self._native.stream)
        return (here, there, seed, _arrays.named(params, "parameter"), _arrays.weights(weights),
                _arguments.names(enable, "enable"), _arguments.names(disable, "disable"))

    def run(self, inputs=None, epochs=None, seed=None, *, params=None, weights=None, enable=(),
            disable=(), observe_every=0, progress=None):
        """Runs the program from its start for `epochs` epochs (those of its bindings, else 1).

        Takes what `new` and `Run.step` take, and returns the `Run`, which can go on.
        """
        run = self.new(inputs, seed=seed, params=params, weights=weights, enable=enable,
                       disable=disable)
        run._advance(self._until(epochs), observe_every, progress)
        return run

    def _until(self, epochs):
        return self._native.epochs if epochs is None else _arguments.whole(epochs, "epochs", 0)

    def start(self, inputs=None, epochs=None, seed=None, **options):
        """Runs the program in the background: takes what `run` takes, and returns a `RunHandle`
        at once. What is wrong with the inputs is said here, not there."""
        observe_every, progress = options.pop("observe_every", 0), options.pop("progress", False)
        run = self.new(inputs, seed=seed, **options)
        return run.start(self._until(epochs), observe_every=observe_every, progress=progress)

    def resume(self, path, inputs=None, *, seed=None, params=None, weights=None, enable=(), disable=()):
        """Makes a run that goes on from a checkpoint, one of `Run.save` or of `lmpm-run`.

        Takes what `new` takes: the program, its sizes, `params`, `weights`, `seed` and `counters` must be
        those that the run began with, else `lmpm.Error` says which is not. `inputs` need not be given
        again, since the checkpoint has the cells; those that are must be the same. Rules and
        constraints are on as they were, but for those of `enable` and `disable`.
        """
        self._check_counts("resume")
        given = self._given(inputs, seed, params, weights, enable, disable)
        return Run(self, self._native.resume(os.fsencode(_arguments.path(path, "resume")), *given))

    def _check_counts(self, call):
        if not self._counts:
            raise Error.of(f"counters='none' goes without {call}: a checkpoint says how much was committed",
                           "command-line")

    def __repr__(self):
        return f"<compiled for {self.backend}: {', '.join(self.values)}>"

    def _repr_html_(self):
        rows = [[value.name, value.kind, " x ".join(map(str, value.shape)), value.vocabulary or "",
                 value.ruled] for value in self.values.values()]
        head = ["value", "kind", "shape", "vocabulary", "has a rule"]
        title = f'<div class="title">compiled for {_html.escape(self.backend)}</div>'
        return _html.block(title + _html.table(head, rows))


class Tensor(_OfThisProcess):
    """The cells of a value as they were, in memory where the run has them: of a GPU with the back end
    `cuda`, else of the host. It is for libraries that know DLPack, as `torch.from_dlpack(tensor)`,
    which share that memory; whatever has it keeps it, and the run never writes to it."""

    __slots__ = ("_native",)

    def __init__(self, native):
        self._native = native

    @property
    def shape(self):
        """As of the array that `run["Cell"]` is."""
        return self._native.shape

    @property
    def dtype(self):
        """Of the elements, as NumPy has it."""
        return numpy.dtype(self._native.dtype)

    def __dlpack_device__(self):
        return self._native.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule. All that made the cells is done, so that no `stream` need wait for it."""
        if copy or dl_device is not None and tuple(map(int, dl_device)) != self._native.device:
            raise BufferError("expected a library that takes the cells where they are, "
                              f"on {self._native.device}, without a copy")
        return self._native.capsule(max_version is not None and max_version[0] >= 1)

    def __repr__(self):
        where = "CUDA device {1}" if self._native.device[0] == _arrays.CUDA else "the host"
        return f"<tensor {self.shape} of {self.dtype} on {where.format(*self._native.device)}>"


class Run(_OfThisProcess):
    """A run, whole epochs after its start; `run["Cell"]` is the state of a value.

    Ctrl-C raises `KeyboardInterrupt` within a twentieth of a second, or after a tick that takes
    longer; the run is as it was after its last whole epoch and can go on with `step`.
    """

    def __init__(self, compiled, native):
        self.compiled = compiled
        self._native = native

    def __getitem__(self, name):
        """The cells of a value after the last epoch, as a NumPy array of its own: tokens in the
        smallest signed type of their vocabulary (-1: absent), int64, float32."""
        return self._native.value(_arguments.text(name, "the name of a value"))

    def tensor(self, name):
        """The same cells as a `Tensor`, for `torch.from_dlpack` and its like: with the back end `cuda`
        they stay on the GPU."""
        return Tensor(self._native.tensor(_arguments.text(name, "the name of a value")))

    def __iter__(self):
        return iter(self.compiled.values)

    def keys(self):
        """Names of the values; so `dict(run)` is all arrays."""
        return self.compiled.values.keys()

    @property
    def epoch(self):
        """How many epochs have run."""
        return self._native.epoch

    @property
    def seed(self):
        """What all draws follow from."""
        return self._native.seed

    @property
    def fixpoint(self):
        """Whether the run ended because nothing can change any more."""
        return self._native.fixpoint

    @property
    def counters(self):
        """What was counted since the start, by `Cell.changed` and the like."""
        return self._native.counters

    @property
    def report(self):
        """What `lmpm-run --report` writes: a `Report`, which is a dictionary."""
        figures, text = self._native.report()
        return Report(json.loads(figures), text.rstrip())

    @property
    def observed_epochs(self):
        """The epochs after which observers looked, as an int64 array."""
        return numpy.array(self._native.observations[0], dtype=numpy.int64)

    @property
    def observations(self):
        """What each observer saw at `observed_epochs`, as one array for each name: float64 or
        int64; where there was nothing to see it is masked."""
        columns = self._native.observations[1]
        return {name: _arrays.column(seen) for name, seen in columns.items()}

    def _after(self, epochs):
        return _arguments.whole(self.epoch + _arguments.whole(epochs, "epochs", 0), "all epochs together")

    def step(self, epochs=1, *, observe_every=0, progress=None):
        """Goes on for `epochs` more epochs, and returns the run itself.

        `observe_every=n` has the observers look at the start, after every n epochs and at the end.
        `progress` is a function of `(done, epochs)`, or says whether a bar is shown: by default
        where a person sees it and it takes longer than two seconds. Within that function the values of
        the run can be read (`run["Cell"]`); what it raises ends the call after a whole epoch.
        """
        return self._advance(self._after(epochs), observe_every, progress)

    def _advance(self, until, observe_every, progress, stop=None):
        stop = _lmpm.Stop() if stop is None else stop
        observe_every = _arguments.whole(observe_every, "observe_every", 0)
        if not callable(progress) and progress not in (None, True, False):
            _arguments.fail("a function, True, False or None", "progress", progress)
        if progress is None and not _progress.in_notebook():
            self._native.advance(until, observe_every, True, None, stop)  # a terminal, or nobody
            return self
        with _progress.choose(progress, self.epoch, until) as (shows_bar, tell):
            self._native.advance(until, observe_every, shows_bar, tell, stop)
        return self

    def picture(self, name, **look):
        """A `Picture` of the cells of a value; takes what `lmpm.picture` takes beside the array.

        The components of a latent value stand side by side.
        """
        self._check_look(name, look)
        return pictures.picture(self._drawn(name), self._vocabulary(name), name=name, **look)

    def animate(self, name, epochs, *, every=1, fps=10, **look):
        """Goes on for `epochs` more epochs, and returns an `Animation` of a value: its cells now and
        after every `every` epochs, `fps` pictures in a second. Ends early where nothing changes any
        more. Takes what `lmpm.animation` takes, too."""
        every = _arguments.whole(every, "every", 1)
        self._check_look(name, look)
        arrays, until = [self._drawn(name)], self._after(epochs)
        while self.epoch < until and not (self.fixpoint and len(arrays) > 1):
            self.step(min(every, until - self.epoch), progress=False)
            arrays.append(self._drawn(name))
        return pictures.animation(arrays, self._vocabulary(name), fps=fps, name=name, **look)

    def chart(self, *names):
        """A `View` of what observers saw at `observed_epochs`, as lines: of those that are named, or
        of all. A run looks where it is given `observe_every`."""
        seen = self.observations
        for name in names:
            if name not in seen:
                raise Error.of(f"the program has no observer {name!r}{_near(name, seen)}", "no-such-name")
        epochs = self.observed_epochs
        if not seen or not len(epochs):
            hint = "run it with observe_every=1" if seen else "the program declares none"
            raise Error.of(f"expected something that observers saw, to draw; {hint}", "nothing-to-draw")
        name = self.report["program"]
        svg = _chart.draw(epochs, {key: seen[key] for key in names or seen}, f"{name}: what observers saw")
        return pictures.View("observers", name, svg)

    def _check_look(self, name, look):
        if "vocabulary" in look:
            _arguments.fail("no vocabulary", f"a picture of {name!r}, which has its own", look["vocabulary"])

    def _vocabulary(self, name):
        value = self.compiled.values[name]
        return value.vocabulary if value.kind == "token" else 0

    def _drawn(self, name):
        array = self[name]  # says what is wrong with the name
        is_latent = self.compiled.values[name].kind == "latent"
        return numpy.moveaxis(array, -1, 0) if is_latent and array.ndim == 3 else array

    def start(self, until, *, observe_every=0, progress=False):
        """Runs up to epoch `until` in the background, and returns a `RunHandle`."""
        observe_every = _arguments.whole(observe_every, "observe_every", 0)
        return RunHandle(self, _arguments.whole(until, "until", 0), observe_every, progress)

    def save(self, path):
        """Writes a checkpoint, which `Compiled.resume` and `lmpm-run --resume` go on from."""
        self.compiled._check_counts("save")
        self._native.save(os.fsencode(_arguments.path(path, "save")))

    def explain(self, cell):
        """Why a cell will hold what it will hold after the next epoch, as text; the cell is named
        as in `Cell[2,5]`."""
        return self._native.explain(_arguments.text(cell, "a cell", "write for example 'Cell[2,5]'"))

    def __repr__(self):
        return f"<run on {self.compiled.backend} after {self.epoch} epochs, seed {self.seed}>"

    def _repr_html_(self):
        parts = [f'<div class="title">{_html.escape(repr(self)[1:-1])}</div>']
        for value in self.compiled.values.values():
            parts.append(self._figure(value))
        return _html.block("".join(parts))

    def _figure(self, value):
        """A value's picture, if it has one that a notebook can take."""
        cells = math.prod(value.shape)
        if not 1 < cells <= _MOST_DRAWN or not 1 <= self._drawn(value.name).ndim <= 3:
            return ""
        return _html.figure(self.picture(value.name).png(), value.name)


_handles = weakref.WeakSet()


class RunHandle(_OfThisProcess):
    """A run in the background. `await handle` gives its `Run` in a coroutine. It ends when Python does;
    after a fork it goes on in the parent."""

    def __init__(self, run, until, observe_every, progress):
        self._run = run
        self._stop = _lmpm.Stop()
        self._has_ended = False
        self._future = concurrent.futures.Future()
        self._future.set_running_or_notify_cancel()
        thread = threading.Thread(target=self._work, args=(until, observe_every, progress),
                                  name="lmpm run", daemon=True)
        _handles.add(self)
        thread.start()

    def _work(self, until, observe_every, progress):
        future = self._future
        try:
            future.set_result(self._run._advance(until, observe_every, progress, self._stop))
        except BaseException as error:  # whatever it is, `result` raises it
            future.set_exception(error)
        self._has_ended = True

    def _stay_behind(self):
        """In the child of a fork, which has no other threads and not the locks they may hold."""
        if not self._has_ended:
            self._future = concurrent.futures.Future()
            self._future.set_exception(Error.of(
                "expected the process that started the run, but got a fork of it", "wrong-call"))

    @property
    def epoch(self):
        """How far the run had got when it was last looked at."""
        return self._run.epoch

    def done(self):
        """Whether the run has ended."""
        return self._future.done()

    def result(self, timeout=None):
        """Waits for the end, at most `timeout` seconds (then `TimeoutError`), and returns the
        `Run`; raises what ended the run."""
        return self._future.result(timeout)

    def cancel(self):
        """Ends the run as Ctrl-C does; `result` is then the run after its last whole epoch, and it
        can go on."""
        self._run._native.cancel(self._stop)

    def __await__(self):
        return asyncio.wrap_future(self._future).__await__()


def _after_fork():
    for handle in list(_handles):
        handle._stay_behind()


os.register_at_fork(after_in_child=_after_fork)
