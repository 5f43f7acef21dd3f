#!/usr/bin/env python3
"""Runs groups of a bundle at once, through the C interface (include/LCI/Runtime/lci.h).

    groups.py ising.bundle --value Spin --epochs 100 --seeds 1 2 3

runs three groups of one code, each with a seed of its own, and says how long they took together and how many
cells each has changed. Needs Python 3.8, no other file.
"""

import argparse
import collections
import ctypes
import json
import pathlib
import sys
import time

TYPES = ("bool", "int8", "int16", "int32", "int64", "float32")  # lci_type

Value = collections.namedtuple("Value", "type shape bytes")


class Form(ctypes.Structure):
    """lci_array."""
    _fields_ = [("type", ctypes.c_int), ("rank", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p)]


class Library:
    """The C interface; errors become exceptions."""

    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.lci_error.restype = self.c.lci_value_name.restype = ctypes.c_char_p
        for handle in ("load", "add_group", "dispatch"):
            getattr(self.c, "lci_" + handle).restype = ctypes.c_void_p
        self.c.lci_value_count.restype = ctypes.c_int64

    def fail(self):
        raise RuntimeError(self.c.lci_error().decode())

    def handle(self, pointer):
        return ctypes.c_void_p(pointer or self.fail())

    def load(self, path, backend=None):
        return self.handle(self.c.lci_load(str(path).encode(), backend))

    def add_group(self, program):
        return self.handle(self.c.lci_add_group(program))

    def call(self, name, *arguments):
        if getattr(self.c, name)(*arguments):
            self.fail()

    def start(self, program, seed):
        self.call("lci_set_seed", program, ctypes.c_uint64(seed))
        self.call("lci_start", program)

    def dispatch(self, program, epochs):
        return self.handle(self.c.lci_dispatch(program, ctypes.c_int64(epochs)))

    def collect(self, ticket):
        changed = ctypes.c_int64()
        self.call("lci_collect", ticket, ctypes.byref(changed))
        return changed.value

    def value(self, program, name):
        form = Form()
        self.call("lci_describe_value", program, name, ctypes.byref(form))
        shape = [form.shape[i] for i in range(form.rank)]
        size = (1, 1, 2, 4, 8, 4)[form.type]
        for extent in shape:
            size *= extent
        data = ctypes.create_string_buffer(size)
        self.call("lci_get_value", program, name, data, ctypes.c_size_t(size))
        return Value(TYPES[form.type], shape, data.raw)

    @staticmethod
    def array(array):
        """An lci_array of one of NumPy; keeps what it points to."""
        shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        form = Form(TYPES.index(array.dtype.name), array.ndim, shape, array.ctypes.data)
        form.kept = (array, shape)
        return ctypes.byref(form)


class Groups:
    """One for each seed, all of one code."""

    def __init__(self, library, bundle, backend, seeds):
        self.library = library
        self.all = [library.load(bundle, backend)]
        while len(self.all) < len(seeds):
            self.all.append(library.add_group(self.all[0]))
        for group, seed in zip(self.all, seeds):
            library.start(group, seed)

    def run(self, epochs):
        """So many epochs of all at once; how many cells each has changed."""
        tickets = [self.library.dispatch(group, epochs) for group in self.all]
        return [self.library.collect(ticket) for ticket in tickets]

    def take(self, name):
        """What a value is in each; they are gone then, one before the next is asked."""
        values = []
        for group in self.all:
            values.append(self.library.value(group, name))
            self.library.c.lci_release(group)
        return values


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path, default=pathlib.Path("build/lib/liblmpm-runtime.so"))
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--before", type=int, default=0, help="epochs before those whose time counts")
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--value", help="which one is written, as bytes")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(),
                        help="the folder that gets VALUE-SEED.bin of each group")
    arguments = parser.parse_args()
    groups = Groups(Library(arguments.library), arguments.bundle, arguments.backend.encode(), arguments.seeds)
    groups.run(arguments.before)
    start = time.perf_counter()
    changed = groups.run(arguments.epochs)
    print(json.dumps({"seconds": time.perf_counter() - start, "changed": changed}))
    if arguments.value:
        for seed, value in zip(arguments.seeds, groups.take(arguments.value.encode())):
            (arguments.output / f"{arguments.value}-{seed}.bin").write_bytes(value.bytes)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"groups.py: error: {error}")
