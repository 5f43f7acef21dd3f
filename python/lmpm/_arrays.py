"""Arrays of any library on their way in, and observations on their way out."""

import os

import numpy

from lmpm import _arguments
from lmpm.errors import Error

CPU = 1  # DLPack's kDLCPU
#: How PyTorch makes an array that NumPy takes: it has no bfloat16, and DLPack of old had no bool.
INSTEAD = {"torch.bfloat16": "float", "torch.bool": "byte"}
DEVICES = {2: "a CUDA device", 3: "CUDA's pinned memory", 10: "a ROCm device", 8: "Metal"}


def to_numpy(array, what):
    """An array of NumPy, of anything with DLPack (PyTorch, JAX, CuPy), or of nested lists."""
    if isinstance(array, numpy.ndarray):
        return array
    if hasattr(array, "__dlpack_device__"):
        return _from_dlpack(array, what)
    try:
        return numpy.asarray(array)
    except (TypeError, ValueError) as error:
        raise Error.of(f"{what}: expected an array, but got {error}", "wrong-elements") from error


def _from_dlpack(array, what):
    if hasattr(array, "detach"):  # PyTorch exports nothing that it differentiates
        array = array.detach()
    try:
        device = array.__dlpack_device__()[0]
        return numpy.from_dlpack(array) if device == CPU else _refuse(device, what)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        instead = INSTEAD.get(str(getattr(array, "dtype", None)))
        if instead:
            return numpy.from_dlpack(getattr(array, instead)())
        raise Error.of(f"{what}: expected an array that NumPy can take, but got {error}",
                       "wrong-elements") from error


def _refuse(device, what):
    where = DEVICES.get(device, f"a device of DLPack's kind {int(device)}")
    raise Error.of(f"{what}: expected an array in the machine's memory, but got one on {where}; "
                   "copy it first, in PyTorch with .cpu()", "wrong-machine")


def opened(given):
    """By name what a module of PyTorch or a `.safetensors` file has; anything else as it is."""
    if isinstance(given, (str, os.PathLike)):
        from lmpm import _lmpm
        return _lmpm.read_safetensors(os.fspath(given))
    return given.state_dict() if hasattr(given, "state_dict") else given


def named(arrays, what):
    """Arrays by name, as NumPy's."""
    return {name: to_numpy(array, f"{what} '{name}'") for name, array in (arrays or {}).items()}


def weights(models):
    """Weights by `model.weight`, each model's from what `opened` takes."""
    found = {}
    for model, given in (models or {}).items():
        given = opened(given)
        if not hasattr(given, "items"):
            _arguments.fail("a dictionary, a module with a state_dict or the path of a file",
                            f"the weights of '{model}'", given)
        for name, array in given.items():
            found[f"{model}.{name}"] = to_numpy(array, f"weight '{model}.{name}'")
    return found


def column(seen):
    """What an observer saw, epoch after epoch; None becomes a mask."""
    numbers = [0 if one is None else one for one in seen]
    floats = any(isinstance(one, float) for one in seen)
    array = numpy.array(numbers, dtype=numpy.float64 if floats else numpy.int64)
    if None not in seen:
        return array
    return numpy.ma.MaskedArray(array, [one is None for one in seen])
