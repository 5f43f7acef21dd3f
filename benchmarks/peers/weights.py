"""The arrays of the networks, as f32 one after the other in a file."""

import numpy


def read_arrays(path, shapes):
    """The arrays by name; shapes in the order of the file."""
    numbers = numpy.fromfile(path, numpy.float32)
    ends = numpy.cumsum([int(numpy.prod(shape)) for shape in shapes.values()])
    parts = numpy.split(numbers, ends[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts)}


def read_mlp(path, side):
    """The field on a square of `side` cells, and the network's weights."""
    return read_arrays(path, {"field": (side, side), "w1": (81, 32), "b1": (32,), "w2": (32, 16),
                              "b2": (16,)})


def read_nca(path):
    """The automaton's weights and its filters along x and y."""
    return read_arrays(path, {"W1": (128, 48), "b1": (128,), "W2": (16, 128), "kx": (3, 3),
                              "ky": (3, 3)})
