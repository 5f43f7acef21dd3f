"""What tests of runs share: the examples, and arrays of other libraries."""

import pathlib


def source(path):
    """The path of an example."""
    return pathlib.Path(__file__).resolve().parents[2] / "examples" / path


class Exported:
    """What any library with DLPack looks like, on the machine where the array is."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)
