"""Arrays of every kind on their way in, as inputs, as parameters and in bindings: the right numbers, or a
sentence."""

import array
import datetime
import os
import subprocess
import sys

import numpy
import pytest

import lmpm

PROGRAM = """
param w : F32[2, 3]
param k : I32[2, 3]
value T : Token[200] shape Grid2D(2, 3)
value A : I32 shape Grid2D(2, 3)
value Z : F32 shape Grid2D(2, 3)
value L : Latent[3] shape Seq(2)
value W : F32 shape Grid2D(2, 3) init[x,y] w[x,y]
value K : I32 shape Grid2D(2, 3) init[x,y] k[x,y]
visible T[x,y] <- T[x,y]
"""
WHOLE = numpy.array([[1, 2, 3], [4, 5, 100]])
INTEGERS = ("T", "A", "k")
NUMBERS = ("Z", "L", "w")

# One array of whole numbers in every way in which somebody may have it.
WAYS = {
    **{f"{order}{kind}": WHOLE.astype(order + kind) for order in "<>"
       for kind in ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8")},
    "one byte": WHOLE.astype("i1"),
    "one byte without a sign": WHOLE.astype("u1"),
    "columns first": numpy.asfortranarray(WHOLE),
    "columns first, in the other order": numpy.asfortranarray(WHOLE.astype(">i4")),
    "transposed": WHOLE.T.copy().T,
    "rows backwards": WHOLE[::-1].copy()[::-1],
    "both backwards, in the other order": WHOLE[::-1, ::-1].astype(">i8")[::-1, ::-1],
    "every second one": numpy.repeat(WHOLE, 2, axis=1)[:, ::2],
    "every second one, in the other order": numpy.repeat(WHOLE.astype(">u4"), 2, axis=1)[:, ::2],
    "part of records": numpy.rec.fromarrays([WHOLE * 0.5, WHOLE.astype(">i2")], names="a,b")["b"],
    "not aligned": numpy.frombuffer(b"x" + WHOLE.astype("i4").tobytes(), "i4", offset=1).reshape(2, 3),
    "nested lists": WHOLE.tolist(),
    "a buffer": memoryview(WHOLE),
    "a matrix": numpy.matrix(WHOLE),
    "rows of another library": [array.array("i", row) for row in WHOLE],
    "a mask that hides nothing": numpy.ma.MaskedArray(WHOLE, mask=False),
    "read only": numpy.frombuffer(WHOLE.tobytes(), int).reshape(2, 3),
}


@pytest.fixture(scope="module")
def program():
    return lmpm.parse(PROGRAM, name="p.lmpm")


@pytest.fixture(scope="module")
def compiled(program):
    nothing = [[0] * 3] * 2
    return program.compile({"params": {"w": nothing, "k": nothing}})


def shown(name):
    return {"w": "W", "k": "K"}.get(name, name)


def given(compiled, name, value):
    where = {"params": {name: value}} if name in "wk" else {"inputs": {name: value}}
    return compiled.run(where.get("inputs"), 0, params=where.get("params"))[shown(name)]


@pytest.mark.parametrize("way", WAYS)
def test_the_numbers_are_the_same(compiled, program, way):
    value = WAYS[way]
    for name in NUMBERS + INTEGERS:
        assert numpy.array_equal(given(compiled, name, value), WHOLE), name
    again = program.compile({"params": {"w": value, "k": WHOLE}, "inputs": {"A": value}})
    run = again.run()
    assert numpy.array_equal(run["W"], WHOLE) and numpy.array_equal(run["A"], WHOLE)


@pytest.mark.parametrize("order", "<>=")
def test_fractions_and_halves_keep_their_bits(compiled, order):
    halves = numpy.array([[0.1, -2.5, 65504], [6e-8, numpy.inf, -0.0]], "f2").astype(order + "f2")
    for name in NUMBERS:
        found = given(compiled, name, halves)
        assert found.tobytes() == halves.astype("f4").astype("=f4").tobytes(), name


def test_truths_are_zero_and_one(compiled):
    truths = WHOLE > 2
    for name in NUMBERS + INTEGERS:
        assert numpy.array_equal(given(compiled, name, truths), truths.astype(int)), name


# What is refused: the array, the names it is given to, and what is said.
REFUSED = {
    "too large": (numpy.full((2, 3), 2**64 - 1, "u8"), INTEGERS, "but got 1844674407370955161"),
    "too large, in the other order": (numpy.full((2, 3), 2**64 - 1, ">u8"), INTEGERS, "but got 18446744073709551"),
    "too large for 32 bits": (numpy.full((2, 3), 2**31), ("A", "k"), "expected 32-bit integers for "),
    "fractions": (WHOLE + 0.5, ("A", "k"), "expected 32-bit integers for "),
    "fractions of tokens": (WHOLE + 0.5, ("T",), "expected tokens of 'T' in -1 .. "),
    "numbers that become infinite": (WHOLE + 1e300, NUMBERS, "expected numbers that F32 holds, up to 3.4028235e38"),
    "a NaN": (WHOLE * numpy.nan, ("A", "k"), "expected 32-bit integers for "),
    "moments": (WHOLE.astype("M8[s]"), INTEGERS + NUMBERS, "but got elements of datetime64"),
    "spans": (WHOLE.astype("m8[s]"), INTEGERS + NUMBERS, "but got elements of timedelta64"),
    "records": (numpy.zeros((2, 3), "i4,f4"), INTEGERS + NUMBERS, "but got elements of void64"),
    "complex numbers": (WHOLE * 1j, INTEGERS + NUMBERS, "but got elements of complex128"),
    "long numbers": (WHOLE.astype(numpy.longdouble), INTEGERS + NUMBERS, "but got elements of "),
    "objects": (WHOLE.astype(object), INTEGERS + NUMBERS, "but got elements of object"),
    "texts": (WHOLE.astype(str), INTEGERS + NUMBERS, "but got elements of str"),
    "bytes": (b"123456", INTEGERS + NUMBERS, "expected an array, but got b'123456'"),
    "very large integers": ([[2**70] * 3] * 2, INTEGERS + NUMBERS,
                            f"expected numbers that 64 bits hold, but got {2**70} at [0, 0]"),
    "ragged lists": ([[1, 2, 3], [4]], INTEGERS + NUMBERS, "but got a list of 3 at [0] and a list of 1 at [1]"),
    "a date": (datetime.date(2026, 1, 1), INTEGERS + NUMBERS, "but got datetime.date(2026, 1, 1)"),
    "hidden elements": (numpy.ma.MaskedArray(WHOLE, WHOLE > 3), INTEGERS + NUMBERS,
                        "expected an array without masked elements"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_number_is_a_sentence(compiled, kind):
    value, names, message = REFUSED[kind]
    for name in names:
        with pytest.raises(lmpm.Error) as caught:
            given(compiled, name, value)
        assert message in caught.value.message, (name, caught.value.message)
        assert name in caught.value.message


def test_weights_of_two_bytes_are_read(tmp_path):
    """NumPy has no bfloat16; the file's are floats."""
    header = b'{"w":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}}'
    content = (WHOLE.astype("f4").view("u4") >> 16).astype("<u2").tobytes()
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + content)
    program = lmpm.parse(PROGRAM, name="p.lmpm").compile({"params": {"w": WHOLE, "k": WHOLE}})
    assert numpy.array_equal(program.run(params=path)["W"], WHOLE)


@pytest.mark.parametrize("read", [
    lmpm.load,
    lambda path: lmpm.parse(PROGRAM, name="p.lmpm").compile(path),
    lambda path: lmpm.parse(PROGRAM, name="p.lmpm").compile(w=WHOLE, k=WHOLE).resume(path),
    lambda path: lmpm.parse(PROGRAM, name="p.lmpm").compile(w=WHOLE, k=WHOLE).run(params=f"{path}.safetensors"),
], ids=["program", "bindings", "checkpoint", "parameters"])
def test_a_file_that_does_not_fit_into_memory_is_a_sentence(tmp_path, read):
    for name in ("huge", "huge.safetensors"):
        with open(tmp_path / name, "wb") as file:
            try:
                file.truncate(4 << 40)
            except OSError:
                pytest.skip("this file system has no such files")
    with pytest.raises(lmpm.Error, match="huge.* is too large for memory") as caught:
        read(tmp_path / "huge")
    assert caught.value.id == "no-memory"


LIMITED = """import resource, lmpm
from lmpm import _lmpm
compiled = lmpm.parse({program!r}).compile(w={array}, k={array})
text = "x" * (256 << 20)
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (taken + (64 << 20), hard))
try:
    {call}
except lmpm.Error as error:
    print(error)
"""


@pytest.mark.usefixtures("unsanitized")
@pytest.mark.parametrize("call, message", [
    ("compiled.resume('/dev/zero')", "error: '/dev/zero' is too large for memory: it needs "),
    ("_lmpm.Module.parse(text, 'p.lmpm')", "error: it needs more memory than there is [no-memory]\n")])
def test_a_limit_of_the_process_is_a_sentence(call, message):
    script = LIMITED.format(program=PROGRAM, array=WHOLE.tolist(), call=call)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert ran.stdout.startswith(message) and ran.stdout.endswith("[no-memory]\n"), ran.stdout + ran.stderr
