"""What a person sees of a long run: the runtime's own bar in a terminal, tqdm's in a notebook."""

import contextlib
import functools
import sys


@functools.cache
def in_notebook():
    """Whether this process serves a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


@contextlib.contextmanager
def choose(progress, begin, until):
    """Gives whether the runtime shows its bar, and a function of `(done, epochs)` or None."""
    if callable(progress):
        yield False, progress
    elif progress is False:
        yield False, None
    elif not in_notebook():
        yield True, None
    else:
        with _notebook_bar(begin, until) as tell:
            yield False, tell


@contextlib.contextmanager
def _notebook_bar(begin, until):
    """tqdm's bar, where tqdm is installed; it waits two seconds before it shows anything."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=until, initial=begin, unit=" epochs", delay=2, leave=False) as bar:
        yield lambda done, _: bar.update(done - bar.n)
