"""Arrays of any library on their way in, and observations on their way out."""

import os

import numpy

from lmpm import _arguments
from lmpm._hints import shown
from lmpm.errors import Error

CPU, CUDA = 1, 2  # DLPack's kDLCPU and kDLCUDA
_DEEPEST = 64  # axes of NumPy's arrays
#: How PyTorch makes an array that NumPy takes: it has no bfloat16, and DLPack of old had no bool.
INSTEAD = {"torch.bfloat16": "float", "torch.bool": "byte"}
DEVICES = {2: "a CUDA device", 3: "CUDA's pinned memory", 10: "a ROCm device", 8: "Metal"}


def to_numpy(array, what, device=None):
    """An array of NumPy, of anything with DLPack (PyTorch, JAX, CuPy), or of nested lists. `device` is
    where else it might have been."""
    if isinstance(array, numpy.ma.MaskedArray) and array.mask.any():
        raise Error.of(f"{what}: expected an array without masked elements; .filled(-1) makes tokens that "
                       "are absent of them", "wrong-elements")
    if isinstance(array, numpy.ndarray):
        return array
    if hasattr(array, "__dlpack_device__"):
        return _from_dlpack(array, what, device)
    if isinstance(array, (str, bytes, os.PathLike)):
        raise Error.of(f"{what}: expected an array, but got {array!r}; {_instead(array, what)}", "wrong-elements")
    try:
        made = numpy.asarray(array)
    except (TypeError, ValueError) as error:
        raise Error.of(f"{what}: expected an array, but got {_ragged(array) or error}",
                       "wrong-elements") from error
    if made.dtype == object:
        _refuse_objects(made, what)
    return made


def _instead(text, what):
    """What to write instead of a text in place of an array."""
    try:
        return f"write {float(text) if set(str(text)) & set('.einf') else int(text)}"
    except (TypeError, ValueError):
        pass
    kind, name = what.partition(" ")[::2]
    if kind not in ("input", "parameter"):
        return "numpy.load reads a file"
    group = {"input": "inputs", "parameter": "params"}[kind]
    return (f"files are named by bindings, as in compile({{'{group}': {{{name}: 'start.npy'}}}}), "
            "or read by numpy.load")


def _ragged(lists, at="", around=()):
    """Two lists of different lengths that stand side by side, a list that holds itself, or nothing."""
    if not isinstance(lists, (list, tuple)) or len(around) > _DEEPEST:
        return ""
    if any(one is lists for one in around):
        return f"a list that holds itself at [{at.removesuffix(', ')}]"
    lengths = [len(one) if isinstance(one, (list, tuple)) else None for one in lists]
    for number, length in enumerate(lengths):
        if length != lengths[0]:
            named = ["a number" if one is None else f"a list of {one}" for one in (lengths[0], length)]
            return f"{named[0]} at [{at}0] and {named[1]} at [{at}{number}]"
    return next(filter(None, (_ragged(one, f"{at}{number}, ", (*around, lists)) for number, one in enumerate(lists))), "")


def _refuse_objects(array, what):
    """Says which element of nested lists is no number."""
    for place, one in numpy.ndenumerate(array):
        if one is None or not isinstance(one, (int, float)) or isinstance(one, int) and abs(one) >= 2**63:
            where = f" at [{', '.join(map(str, place))}]" if place else ""
            holds_tokens = what.startswith("input") or what == "picture"
            hint = "; -1 is an absent token" if one is None and holds_tokens else ""
            raise Error.of(f"{what}: expected numbers that 64 bits hold, but got {shown(one):.60}{where}{hint}",
                           "wrong-elements")


#: What libraries raise where they cannot hand over an array.
ERRORS = (BufferError, RuntimeError, TypeError, ValueError)


def _from_dlpack(array, what, device):
    place = _place(array, what)
    if place[0] != CPU:
        _refuse(place, what, device)
    return _taken(array, what, "an array that NumPy can take", numpy.from_dlpack)


def _place(array, what):
    """The kind of an array's device, and its ordinal."""
    try:
        return tuple(map(int, array.__dlpack_device__()))
    except ERRORS as error:
        raise Error.of(f"{what}: expected an array that NumPy can take, but got {error}",
                       "wrong-elements") from error


def _taken(array, what, expected, take):
    """What `take` makes of an array, or of what it is instead."""
    if hasattr(array, "detach"):  # PyTorch exports nothing that it differentiates
        array = array.detach()
    try:
        return take(array)
    except ERRORS as error:
        instead = INSTEAD.get(str(getattr(array, "dtype", None)))
        if instead:
            return take(getattr(array, instead)())
        raise Error.of(f"{what}: expected {expected}, but got {error}", "wrong-elements") from error


def _refuse(found, what, device):
    kind, ordinal = found
    where = DEVICES.get(kind, f"a device of DLPack's kind {kind}")
    wanted, copy = "in the machine's memory", ".cpu()"
    if device and device[0] == CUDA:
        wanted += f" or on CUDA device {device[1]}, where the run is"
        copy = f".to('cuda:{device[1]}')"
        where = f"CUDA device {ordinal}" if kind == CUDA else where
    raise Error.of(f"{what}: expected an array {wanted}, but got one on {where}; "
                   f"copy it first, in PyTorch with {copy}", "wrong-machine")


def inputs(arrays, device, stream):
    """Values by name: those that are read on the host, as NumPy's arrays, and capsules of those that are
    on the run's device, which are read there. Work that makes them comes before what `stream` does."""
    here, there = {}, {}
    for name, array in arrays.items():
        what = f"input '{name}'"
        if _lies_on(array, what, device):
            there[name] = _taken(array, what, "an array with DLPack", lambda one: _capsule(one, stream))
        else:
            here[name] = to_numpy(array, what, device)
    return here, there


def _lies_on(array, what, device):
    return (device is not None and not isinstance(array, numpy.ndarray)
            and hasattr(array, "__dlpack_device__") and _place(array, what) == device)


def _capsule(array, stream):
    ordered = {"stream": stream} if stream else {}
    try:
        return array.__dlpack__(**ordered, max_version=(1, 0))
    except TypeError:  # of before version 1
        return array.__dlpack__(**ordered)


def opened(given):
    """By name what a module of PyTorch or a `.safetensors` file has; anything else as it is."""
    if isinstance(given, (str, os.PathLike)):
        from lmpm import _lmpm
        return _lmpm.read_safetensors(os.fsencode(_arguments.path(given, "weights")))
    return given.state_dict() if hasattr(given, "state_dict") else given


def named(arrays, what):
    """Arrays by name, as NumPy's."""
    return {name: to_numpy(array, f"{what} '{name}'") for name, array in (arrays or {}).items()}


def weights(models):
    """The weights of each model, from what `opened` takes."""
    found = {}
    for model, given in (models or {}).items():
        given = opened(given)
        if not hasattr(given, "items"):
            _arguments.fail("a dictionary, a module with a state_dict or the path of a file",
                            f"the weights of '{model}'", given)
        found[model] = {name: to_numpy(array, f"weight '{model}.{name}'")
                        for name, array in given.items()}
    return found


def column(seen):
    """What an observer saw, epoch after epoch; None becomes a mask."""
    numbers = [0 if one is None else one for one in seen]
    floats = any(isinstance(one, float) for one in seen)
    array = numpy.array(numbers, dtype=numpy.float64 if floats else numpy.int64)
    if None not in seen:
        return array
    return numpy.ma.MaskedArray(array, [one is None for one in seen])
