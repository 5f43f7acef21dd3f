"""Runs p.lmpm of this folder by the Python package, and writes its values."""

import json
import pathlib
import sys
import warnings

import numpy
import lmpm

warnings.simplefilter("ignore", lmpm.ProgramWarning)


def arrays(names):
    return {name: numpy.load(pathlib.Path(file)) for name, file in names.items()}


def narrowed(array):
    """As files have it: an I32 is of 64 bits in Python."""
    return array.astype(numpy.int32) if array.dtype == numpy.int64 else array


def main():
    options, epochs, names = json.loads(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    bindings = json.loads(pathlib.Path("bindings.json").read_text())
    try:
        run = lmpm.load("p.lmpm").compile("bindings.json", **options).run(
            arrays(bindings["inputs"]), epochs=epochs, seed=bindings["seed"])
    except lmpm.Error as error:
        sys.exit(f"error: {error}")
    for name in names:
        numpy.save(f"python-{name}.npy", narrowed(run[name]))


main()
