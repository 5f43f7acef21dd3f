"""Every operation on numbers that a model may have, on pairs of numbers at which machines differ, by the
definition, the interpreter, and the code of every back end: many operations in one model, of which each cell
asks for one.
"""

import json
import math
import os
import pathlib
import re
import sys

import numpy as np
import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
from test_total_models import PAIRS, as_float  # noqa: E402

PROGRAM = """
value A : I32 shape Seq(N)
value B : I32 shape Seq(N)
value Case : I32 shape Seq(N)
value Out : I32 shape Seq(N) init 0
visible Out[i] <- A[i]
visible Out[i] <- B[i]
visible Out[i] <- Case[i]
rule Ask:
  on Out[i]
  emit proposal Out[i] := Model(A[i], B[i], Case[i])
commit Out[*] using accept
"""
HEAD = """
func.func @f(%as: tensor<1xi64>, %pa: tensor<1xi1>, %bs: tensor<1xi64>, %pb: tensor<1xi1>,
             %cases: tensor<1xi64>, %pc: tensor<1xi1>) -> i64 {
  %zero = arith.constant 0 : index
  %case = tensor.extract %cases[%zero] : tensor<1xi64>
  %r = arith.constant 0 : i32
  %wide = tensor.extract %as[%zero] : tensor<1xi64>
  %other = tensor.extract %bs[%zero] : tensor<1xi64>
  %a = arith.trunci %wide : i64 to i32
  %b = arith.trunci %other : i64 to i32
  %x = arith.bitcast %a : i32 to f32
  %w = arith.bitcast %b : i32 to f32
  %half = arith.constant 32 : i64
  %highs = arith.shli %wide, %half : i64
  %others = arith.shli %other, %half : i64
  %p = arith.xori %highs, %wide : i64
  %q = arith.xori %others, %other : i64
"""
FOLD = """  %up = arith.shrui %k, %half : i64
  %both = arith.xori %up, %k : i64
  %r = arith.trunci %both : i64 to i32
"""
# What a case computes has names of its own.
CASE = """{body}
  %number{i} = arith.constant {i} : i64
  %is{i} = arith.cmpi eq, %case, %number{i} : i64
  %chosen{i} = arith.select %is{i}, %r{i}, {before} : i32
"""
TAIL = """  %y = arith.extsi {last} : i32 to i64
  return %y : i64
}}
"""
LOCAL = re.compile(r"%(k|up|both|r|m|n|f|t)\b")


def signed(number, width):
    return (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)


def unsigned(number, width):
    return number % (1 << width)


def spread(number):
    """The 64 bits of an operand."""
    return signed((number << 32) ^ number, 64)


def folded(number):
    """The halves of a result, in one number."""
    return signed((unsigned(number, 64) >> 32) ^ number, 32)


def quotient(a, b):
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def integers(width):
    """What operations on two integers of a width mean; results wrap."""

    def bare(function):
        return lambda a, b: function(unsigned(a, width), unsigned(b, width))

    return {
        "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
        "divsi": lambda a, b: quotient(a, b) if b else 0,
        "remsi": lambda a, b: a - b * quotient(a, b) if b else a,
        "floordivsi": lambda a, b: a // b if b else 0, "ceildivsi": lambda a, b: -(-a // b) if b else 0,
        "divui": bare(lambda a, b: a // b if b else 0), "remui": bare(lambda a, b: a % b if b else a),
        "ceildivui": bare(lambda a, b: -(-a // b) if b else 0),
        "shli": bare(lambda a, b: a << b if b < width else 0),
        "shrui": bare(lambda a, b: a >> b if b < width else 0),
        "shrsi": lambda a, b: a >> min(unsigned(b, width), width - 1),
        "minsi": min, "maxsi": max, "minui": bare(min), "maxui": bare(max),
    }


def integer_case(name, width):
    meaning = integers(width)[name]
    if width == 64:
        body = f"  %k = arith.{name} %p, %q : i64\n" + FOLD
        return body, lambda a, b: folded(signed(meaning(spread(a), spread(b)), 64))
    body = (f"  %m = arith.trunci %a : i32 to i{width}\n  %n = arith.trunci %b : i32 to i{width}\n"
            f"  %k = arith.{name} %m, %n : i{width}\n  %r = arith.extsi %k : i{width} to i32\n")
    return body, lambda a, b: signed(meaning(signed(a, width), signed(b, width)), width)


def bits_of(number):
    """The bits of a float; of a NaN those of the one NaN."""
    return 0x7fc00000 if np.isnan(number) else int(np.float32(number).view(np.int32))


def picked(a, b, least):
    """IEEE 754-2019: the number that is one, and -0 before +0."""
    if np.isnan(a) or np.isnan(b):
        return b if np.isnan(a) else a
    return sorted((a, b), key=lambda x: (x, not np.signbit(x)))[0 if least else 1]


def propagated(a, b, least):
    return np.float32(np.nan) if np.isnan(a) or np.isnan(b) else picked(a, b, least)


FLOATS = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.minnumf": lambda a, b: picked(a, b, True), "arith.maxnumf": lambda a, b: picked(a, b, False),
    "arith.minimumf": lambda a, b: propagated(a, b, True),
    "arith.maximumf": lambda a, b: propagated(a, b, False),
    "arith.negf": lambda a, b: -a, "math.absf": lambda a, b: abs(a), "math.floor": lambda a, b: np.floor(a),
    "math.ceil": lambda a, b: np.ceil(a), "math.trunc": lambda a, b: np.trunc(a),
    "math.roundeven": lambda a, b: np.rint(a), "math.sqrt": lambda a, b: np.sqrt(a),
}
ONE_OPERAND = ("arith.negf", "math.absf", "math.floor", "math.ceil", "math.trunc", "math.roundeven", "math.sqrt")


def float_case(name):
    """The bits of a result: those of a NaN are always the same."""
    operands = "%x" if name in ONE_OPERAND else "%x, %w"
    body = f"  %f = {name} {operands} : f32\n  %r = arith.bitcast %f : f32 to i32\n"
    return body, lambda a, b: bits_of(FLOATS[name](np.float32(as_float(a)), np.float32(as_float(b))))


RELATIONS = {"eq": lambda a, b: a == b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
             "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "ne": lambda a, b: a < b or a > b}


def comparison_case(kind, name):
    def meaning(a, b):
        a, b = as_float(a), as_float(b)
        return int(RELATIONS[name](a, b) or (kind == "u" and (math.isnan(a) or math.isnan(b))))

    return (f"  %t = arith.cmpf {kind}{name}, %x, %w : f32\n  %r = arith.extui %t : i1 to i32\n", meaning)


def clamped(number, low, high):
    return 0 if math.isnan(number) else int(min(max(number, low), high))


def conversion_case(name, width):
    sign = name == "fptosi"
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)
    if width == 64:
        return (f"  %k = arith.{name} %x : f32 to i64\n" + FOLD,
                lambda a, b: folded(signed(clamped(as_float(a), low, high), 64)))
    return (f"  %k = arith.{name} %x : f32 to i{width}\n  %r = arith.ext{name[4]}i %k : i{width} to i32\n",
            lambda a, b: clamped(as_float(a), low, high))


def from_integer_case(name, width):
    body = ("  %f = arith.{0} %p : i64 to f32\n" if width == 64 else
            "  %k = arith.trunci %a : i32 to i{1}\n  %f = arith.{0} %k : i{1} to f32\n").format(name, width)
    cut = signed if name == "sitofp" else unsigned
    return (body + "  %r = arith.bitcast %f : f32 to i32\n", lambda a, b: bits_of(
        np.float32(np.int64(cut(a, width))) if width < 64 else
        (np.int64(spread(a)) if name == "sitofp" else np.uint64(unsigned(spread(a), 64))).astype(np.float32)))


WIDTHS = (1, 8, 64)
GROUPS = {
    **{f"integers of {width} bits": [integer_case(name, width) for name in integers(width)] for width in WIDTHS},
    "floats": [float_case(name) for name in FLOATS],
    "comparisons": [comparison_case(kind, name) for kind in "ou" for name in RELATIONS],
    "conversions": [conversion_case(name, width) for name in ("fptosi", "fptoui") for width in WIDTHS]
    + [from_integer_case(name, width) for name in ("sitofp", "uitofp") for width in WIDTHS]
    # An answer of 64 bits that 32 do not hold is rejected; one of 32 has its sign.
    + [("  %r = arith.addi %a, %b : i32\n", lambda a, b: signed(a + b, 32))],
}


def make_model(cases):
    """One function of all cases."""
    text, before = HEAD, "%r"
    for i, (body, _) in enumerate(cases):
        text += CASE.format(body=LOCAL.sub(rf"%\g<1>{i}", body).rstrip(), i=i, before=before)
        before = f"%chosen{i}"
    return text + TAIL.format(last=before)


def prepare(folder, cases, model):
    """The program, in which each pair of operands stands once for each case."""
    (folder / "p.lmpm").write_text(PROGRAM)
    (folder / "m.mlir").write_text(model)
    (folder / "b.json").write_text(json.dumps({
        "sizes": {"N": len(PAIRS) * len(cases)}, "models": {"Model": {"file": "m.mlir", "function": "f"}}}))
    for column, value in enumerate("AB"):
        np.save(folder / f"{value}.npy", np.array([pair[column] for pair in PAIRS] * len(cases), np.int32))
    np.save(folder / "Case.npy", np.repeat(np.arange(len(cases), dtype=np.int32), len(PAIRS)))


def answers(tools, folder, *way):
    inputs = [word for name in ("A", "B", "Case") for word in ("--input", f"{name}={name}.npy")]
    tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", *inputs, "--epochs", "1", "--quiet", *way,
              "--output", "Out=out.npy", cwd=folder)
    return np.load(folder / "out.npy").reshape(-1, len(PAIRS)).tolist()


@pytest.mark.parametrize("group", GROUPS)
def test_means_the_same_everywhere(tools, tmp_path, build_dir, group):
    cases = GROUPS[group]
    prepare(tmp_path, cases, make_model(cases))
    with np.errstate(all="ignore"):
        expected = [[meaning(a, b) for a, b in PAIRS] for _, meaning in cases]
    machine = build_dir / "lib" / "libLCIPTXMachine.so"
    compiled = ["--backend=cpu"], ["--lowering=model-tile=16 vector-bits=512"]
    if not os.environ.get("LCI_ALL_WAYS"):  # one of them in turn, but in `make test-long`
        compiled = [compiled[list(GROUPS).index(group) % 2]]
    for way in (["--backend=interp"], *compiled, ["--backend=cuda", f"--cuda-driver={machine}"]):
        for (body, _), found, right in zip(cases, answers(tools, tmp_path, *way), expected):
            assert found == right, (way, body)


@pytest.mark.parametrize("backend", ["interp", "cpu", "kernels"])
def test_an_answer_of_64_bits_may_be_too_large(tools, tmp_path, backend):
    """S-INVALID: what 32 bits do not hold is rejected, on every back end."""
    case = [("  %r = arith.addi %a, %b : i32\n", None)]
    prepare(tmp_path, case, make_model(case).replace("return %y", "return %p"))
    spreads = [spread(a) for a, _ in PAIRS]
    fits = [number if -2**31 <= number < 2**31 else 0 for number in spreads]
    assert answers(tools, tmp_path, f"--backend={backend}") == [fits]
