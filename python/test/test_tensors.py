"""Cells by DLPack, read and made where the run has them.

With the back end `kernels` the run's device is this machine in place of a GPU: arrays that lie on it take
the way that those on a GPU take with `cuda`, through the same kernels. No GPU is needed, and none is used.
"""

import ctypes
import gc

import numpy
import pytest

import lmpm
from common import Exported, source
from lmpm import _arrays

SIZE = 24
TEXT = """
value In : Token[3] shape Seq(N)
value Out : Token[3] shape Seq(N)
value Number : F32 shape Seq(N)
value Count : I32 shape Seq(N)
visible Out[i] <- In[i]

rule Shift:
  on Out[i]
  emit proposal Out[i] := (In[i] + 1) % 3

commit Out[*] using accept
"""


class Old(Exported):
    """One of before DLPack 1."""

    def __dlpack__(self):
        return self.array.__dlpack__()


@pytest.fixture(scope="module")
def program():
    return lmpm.load(source("life/life.lmpm"))


@pytest.fixture(scope="module")
def life(program):
    return program.compile(W=SIZE, H=SIZE, backend="kernels")


@pytest.fixture(scope="module")
def shift():
    return lmpm.parse(TEXT).compile(N=4, backend="kernels")


def soup(seed=0):
    return (numpy.random.default_rng(seed).random((SIZE, SIZE)) < 0.3).astype(numpy.int8)


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.id, caught.value.message


# Out


@pytest.mark.parametrize("backend", ["cpu", "kernels", "interp"])
def test_a_tensor_has_the_cells(program, backend):
    run = program.compile(W=SIZE, H=SIZE, backend=backend).run({"Cell": soup()}, epochs=3)
    tensor = run.tensor("Cell")
    assert (tensor.shape, tensor.dtype) == ((SIZE, SIZE), numpy.int8)
    assert repr(tensor) == "<tensor (24, 24) of int8 on the host>"
    for one in (tensor, Exported(tensor), Old(tensor)):
        assert numpy.array_equal(numpy.from_dlpack(one), run["Cell"])


def test_a_tensor_is_as_the_cells_were(life):
    run = life.run({"Cell": soup()}, epochs=1)
    cells, before = numpy.from_dlpack(run.tensor("Cell")), run["Cell"]
    run.step(3)
    assert numpy.array_equal(cells, before)
    assert numpy.array_equal(numpy.from_dlpack(run.tensor("Cell")), run["Cell"])


def test_a_tensor_outlives_its_program(program):
    compiled = program.compile(W=SIZE, H=SIZE, backend="kernels")
    cells = numpy.from_dlpack(compiled.run({"Cell": soup()}, epochs=2).tensor("Cell"))
    expected = compiled.run({"Cell": soup()}, epochs=2)["Cell"]
    del compiled
    gc.collect()
    assert numpy.array_equal(cells, expected)


def test_a_capsule_that_nobody_takes_goes(life):
    tensor = life.run({"Cell": soup()}).tensor("Cell")
    for options in ({}, {"max_version": (1, 0)}, {"max_version": (0, 8)}, {"dl_device": (1, 0)}):
        assert "dltensor" in repr(tensor.__dlpack__(**options))


def test_a_tensor_is_where_it_is(life):
    tensor = life.run({"Cell": soup()}).tensor("Cell")
    for options in ({"copy": True}, {"dl_device": (2, 0)}):
        with pytest.raises(BufferError, match=r"expected a library that takes the cells where they are, on "
                                              r"\(1, 0\), without a copy"):
            tensor.__dlpack__(**options)


def test_a_displaced_run_has_its_tensors(life):
    first = life.run({"Cell": Exported(soup())}, epochs=2)
    other = life.run({"Cell": Exported(soup(1))}, epochs=2)
    expected = other["Cell"]
    assert numpy.array_equal(numpy.from_dlpack(first.tensor("Cell")), first["Cell"])
    assert numpy.array_equal(numpy.from_dlpack(other.tensor("Cell")), expected)


def test_a_value_that_there_is_none_of(life):
    run = life.run({"Cell": soup()})
    assert message_of(lambda: run.tensor("Cel")) == ("no-such-name", "the program has no value 'Cel'")


def test_numbers_and_absent_tokens_go_through(shift):
    given = {"In": [0, 1, 2, 0], "Out": [-1, 0, -1, 2], "Number": [0.5, -1, numpy.inf, numpy.nan],
             "Count": [1, -2, 3, 2**31 - 1]}
    run = shift.new({name: Exported(numpy.array(array)) for name, array in given.items()})
    for name, array in given.items():
        assert numpy.array_equal(numpy.from_dlpack(run.tensor(name)), array, equal_nan=name == "Number")
        assert numpy.array_equal(run[name], array, equal_nan=name == "Number")
    assert run.step()["Out"].tolist() == [1, 2, 0, 1]


# In


def views(array):
    """The same cells, in memory of other orders and types."""
    wide = numpy.zeros((2 * SIZE, 3 * SIZE), array.dtype)
    wide[::2, ::3] = array
    back = numpy.ascontiguousarray(array[::-1, ::-1])
    yield from (array, numpy.asfortranarray(array), wide[::2, ::3], back[::-1, ::-1], array.astype(bool))
    for name in ("int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        yield array.astype(name)


def test_cells_are_read_where_they_are(life):
    expected = life.run({"Cell": soup()}, epochs=2)["Cell"]
    for array in views(soup()):
        assert numpy.array_equal(life.run({"Cell": Exported(array)}, epochs=2)["Cell"], expected)
    broadcast = numpy.broadcast_to(soup()[:1], soup().shape)
    assert numpy.array_equal(life.new({"Cell": Exported(broadcast.copy())})["Cell"], broadcast)


def test_cells_do_not_pass_the_host():
    """Only what is counted does, and which elements do not fit. Nobody observes, and no epoch may be the
    last that changes something, for which states are kept on the host."""
    size = 100_000
    text = TEXT.replace("(In[i] + 1) % 3", "if bernoulli(0.5) then (In[i] + 1) % 3 else In[i]")
    compiled = lmpm.parse(text).compile(N=size, backend="kernels")
    given = {"In": numpy.arange(size) % 3, "Out": numpy.full(size, -1), "Number": numpy.zeros(size),
             "Count": numpy.arange(size)}

    def travelled():
        run = compiled.new({name: Exported(array) for name, array in given.items()}).step()
        out, device = numpy.from_dlpack(run.tensor("Out")), run.report["device"]
        assert numpy.all((out == given["In"]) | (out == (given["In"] + 1) % 3))
        return numpy.array([device["uploaded_bytes"], device["downloaded_bytes"]])

    first = travelled()  # brings buffers there, which are empty
    assert first[1] < 200 and numpy.all(travelled() - first < 200)


def test_what_is_given_stays_as_it_is(life):
    given = soup()
    run = life.run({"Cell": Exported(given)}, epochs=3)
    assert numpy.array_equal(given, soup())
    given[:] = 0
    assert run["Cell"].any()


@pytest.mark.parametrize("array", [
    soup()[:1], soup() + 5, soup() + 0.5, soup() - 1, soup().astype(numpy.uint64) + (2**64 - 1)])
def test_what_is_wrong_is_what_is_wrong_on_the_host(life, array):
    assert message_of(lambda: life.run({"Cell": Exported(array)})) == message_of(
        lambda: life.run({"Cell": array}))


@pytest.mark.parametrize("name, array", [("In", [0, 1, -1, 2]), ("Count", [0, 0, 2**31, 0]),
                                         ("Count", [0, 0.5, 0, 0]), ("In", [0, 3, 0, 0])])
def test_so_it_is_with_what_must_be_there(shift, name, array):
    given = {"In": numpy.zeros(4, int), name: numpy.array(array)}
    exported = {key: Exported(one) for key, one in given.items()}
    assert message_of(lambda: shift.new(exported)) == message_of(lambda: shift.new(given))


def test_a_wrong_array_changes_nothing(life):
    run = life.run({"Cell": soup()}, epochs=2)
    expected = run["Cell"]
    message_of(lambda: life.run({"Cell": Exported(soup() + 5)}))
    assert numpy.array_equal(numpy.from_dlpack(run.tensor("Cell")), expected)


def capsule_of(name, number=0):
    """A capsule that an unusual library might make."""
    memory = (ctypes.c_uint64 * 16)(number)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(ctypes.addressof(memory), name, None), memory, name


class Unusual:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **options):
        return self.capsule


def test_what_is_no_array_is_a_sentence(life):
    others, newer = capsule_of(b"other"), capsule_of(b"dltensor_versioned", 2)
    for array, message in (
            (Unusual(others[0]), "expected a capsule of DLPack, of version 1 or before, but got 'other'"),
            (Unusual(newer[0]), "expected a capsule of DLPack, of version 1 or before, but got version 2"),
            (Exported(soup() * 1j), "expected an array of bool, integers or floats, but got elements of "
                                    "DLPack's type 5 with 128 bits")):
        assert message_of(lambda: life.run({"Cell": array})) == ("wrong-elements", "input 'Cell': " + message)


# On a GPU that is not here


class OnGPU:
    def __init__(self, ordinal=0, kind=2):
        self.place, self.asked = (kind, ordinal), []

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, **options):
        self.asked.append(options)
        return "a capsule"


class OldOnGPU(OnGPU):
    def __dlpack__(self, *, stream=None):
        self.asked.append({"stream": stream})
        return "a capsule"


def test_arrays_of_the_same_gpu_are_taken_there():
    """The library is told which stream comes after its own work."""
    tensor, old = OnGPU(), OldOnGPU()
    here, there = _arrays.inputs({"Cell": tensor, "Old": old, "Host": soup()}, (2, 0), 4711)
    assert there == {"Cell": "a capsule", "Old": "a capsule"} and list(here) == ["Host"]
    assert tensor.asked == [{"stream": 4711, "max_version": (1, 0)}]
    assert old.asked == [{"stream": 4711}]


@pytest.mark.parametrize("array, device, message", [
    (OnGPU(), None, "in the machine's memory, but got one on a CUDA device; copy it first, in PyTorch with "
                    ".cpu()"),
    (OnGPU(), (1, 0), "in the machine's memory, but got one on a CUDA device; copy it first, in PyTorch with "
                      ".cpu()"),
    (OnGPU(ordinal=1), (2, 0), "in the machine's memory or on CUDA device 0, where the run is, but got one on "
                               "CUDA device 1; copy it first, in PyTorch with .to('cuda:0')"),
    (OnGPU(kind=10), (2, 0), "in the machine's memory or on CUDA device 0, where the run is, but got one on a "
                             "ROCm device; copy it first, in PyTorch with .to('cuda:0')"),
])
def test_arrays_elsewhere_are_refused(array, device, message):
    assert message_of(lambda: _arrays.inputs({"Cell": array}, device, 1)) == (
        "wrong-machine", "input 'Cell': expected an array " + message)


def test_a_tensor_of_a_gpu_says_so():
    class Native:
        shape, dtype, device = (2, 3), "int8", (2, 1)

    assert repr(lmpm.Tensor(Native())) == "<tensor (2, 3) of int8 on CUDA device 1>"
