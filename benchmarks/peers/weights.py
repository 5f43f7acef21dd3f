"""Arrays that stand one after the other in a file of f32."""

import numpy


def read_arrays(path, shapes):
    """The arrays by name; shapes in the order of the file."""
    numbers = numpy.fromfile(path, numpy.float32)
    ends = numpy.cumsum([int(numpy.prod(shape)) for shape in shapes.values()])
    parts = numpy.split(numbers, ends[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts)}
