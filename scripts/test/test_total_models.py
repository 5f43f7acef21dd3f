"""Operations of models that mean nothing in MLIR for some operands: here they mean what docs/models.md says, to
the interpreter and to compiled code, whatever the processor would do.
"""

import json
import math
import struct

import numpy as np
import pytest

EDGES = [0, 1, -1, 2, -3, 7, 31, 32, 33, 63, 64, 2**31 - 1, -2**31, -2**31 + 1, 0x7fc00000, 0x7f800000,
         -0x800000, 0x4f000000, 0x4effffff, -0x31000000, -0x30ffffff, 0x3fc00000, -0x40400000, 0x4f800000]
PAIRS = [(a, b) for a in EDGES for b in EDGES]

PROGRAM = """
value A : I32 shape Seq(N)
value B : I32 shape Seq(N)
value Out : I32 shape Seq(N) init 0
visible Out[i] <- A[i]
visible Out[i] <- B[i]
rule Ask:
  on Out[i]
  emit proposal Out[i] := Model(A[i], B[i])
commit Out[*] using accept
"""
MODEL = """
func.func @f(%as: tensor<1xi64>, %pa: tensor<1xi1>, %bs: tensor<1xi64>, %pb: tensor<1xi1>) -> i64 {{
  %zero = arith.constant 0 : index
  %wide = tensor.extract %as[%zero] : tensor<1xi64>
  %other = tensor.extract %bs[%zero] : tensor<1xi64>
  %a = arith.trunci %wide : i64 to i32
  %b = arith.trunci %other : i64 to i32
  %table = arith.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  {body}
  %y = arith.extsi %r : i32 to i64
  return %y : i64
}}
"""


def wrap(number):
    """The i32 of the same last bits."""
    return (number + 2**31) % 2**32 - 2**31


def unsigned(number):
    return number % 2**32


def quotient(a, b):
    """Towards zero."""
    return wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) if b else 0


def as_float(bits):
    return struct.unpack("f", struct.pack("i", bits))[0]


def converted(bits, low, high):
    number = as_float(bits)
    return 0 if math.isnan(number) else int(min(max(number, low), high))


def nearest(index):
    return min(max(index, 0), 3)


OPERATIONS = {
    "divsi": ("%r = arith.divsi %a, %b exact : i32", quotient),
    "remsi": ("%r = arith.remsi %a, %b : i32", lambda a, b: wrap(a - b * quotient(a, b))),
    "floordivsi": ("%r = arith.floordivsi %a, %b : i32", lambda a, b: wrap(a // b) if b else 0),
    "ceildivsi": ("%r = arith.ceildivsi %a, %b : i32", lambda a, b: wrap(-(-a // b)) if b else 0),
    "divui": ("%r = arith.divui %a, %b exact : i32",
              lambda a, b: wrap(unsigned(a) // unsigned(b)) if b else 0),
    "ceildivui": ("%r = arith.ceildivui %a, %b : i32",
                  lambda a, b: wrap(-(-unsigned(a) // unsigned(b))) if b else 0),
    "remui": ("%r = arith.remui %a, %b : i32",
              lambda a, b: wrap(unsigned(a) % unsigned(b)) if b else a),
    "by a constant": ("%c = arith.constant -1 : i32\n  %r = arith.divsi %a, %c : i32",
                      lambda a, b: wrap(-a)),
    "shli": ("%r = arith.shli %a, %b overflow<nsw, nuw> : i32",
             lambda a, b: wrap(a << unsigned(b)) if unsigned(b) < 32 else 0),
    "shrui": ("%r = arith.shrui %a, %b exact : i32",
              lambda a, b: wrap(unsigned(a) >> unsigned(b)) if unsigned(b) < 32 else 0),
    "shrsi": ("%r = arith.shrsi %a, %b exact : i32", lambda a, b: a >> min(unsigned(b), 31)),
    "addi": ("%r = arith.addi %a, %b overflow<nsw, nuw> : i32", lambda a, b: wrap(a + b)),
    "fptosi": ("%x = arith.bitcast %a : i32 to f32\n  %r = arith.fptosi %x : f32 to i32",
               lambda a, b: converted(a, -2**31, 2**31 - 1)),
    "fptoui": ("%x = arith.bitcast %a : i32 to f32\n  %r = arith.fptoui %x : f32 to i32",
               lambda a, b: wrap(converted(a, 0, 2**32 - 1))),
    "fptosi to eight bits": ("%x = arith.bitcast %a : i32 to f32\n  %n = arith.fptosi %x : f32 to i8\n"
                             "  %r = arith.extsi %n : i8 to i32",
                             lambda a, b: converted(a, -128, 127)),
    "fastmath": ("%x = arith.bitcast %a : i32 to f32\n"
                 "  %t = arith.cmpf uno, %x, %x fastmath<nnan> : f32\n  %r = arith.extui %t : i1 to i32",
                 lambda a, b: int(math.isnan(as_float(a)))),
    "extract": ("%i = arith.index_cast %a : i32 to index\n  %r = tensor.extract %table[%i] : tensor<4xi32>",
                lambda a, b: 10 + nearest(a)),
    "extract in a loop": ("""%e = tensor.empty() : tensor<1xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%as : tensor<1xi64>) outs(%e : tensor<1xi32>) {
  ^bb0(%in: i64, %out: i32):
    %i = arith.index_cast %in : i64 to index
    %x = tensor.extract %table[%i] : tensor<4xi32>
    linalg.yield %x : i32
  } -> tensor<1xi32>
  %r = tensor.extract %s[%zero] : tensor<1xi32>""", lambda a, b: 10 + nearest(a)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operand_has_an_answer(tools, tmp_path, name):
    body, meaning = OPERATIONS[name]
    (tmp_path / "p.lmpm").write_text(PROGRAM)
    (tmp_path / "model.mlir").write_text(MODEL.format(body=body))
    (tmp_path / "b.json").write_text(json.dumps(
        {"sizes": {"N": len(PAIRS)}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
    for column, value in enumerate("AB"):
        np.save(tmp_path / f"{value}.npy", np.array([pair[column] for pair in PAIRS], np.int32))
    expected = [meaning(a, b) for a, b in PAIRS]
    for way in ("--backend=interp", "--backend=cpu", "--lowering=model-tile=16"):
        tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", "--input", "A=A.npy", "--input",
                  "B=B.npy", "--epochs", "1", "--quiet", "--output", "Out=out.npy", way, cwd=tmp_path)
        assert np.load(tmp_path / "out.npy").tolist() == expected, way


def test_a_tensor_without_elements_has_none(tools, tmp_path):
    body = "%none = tensor.empty() : tensor<0xi32>\n  %r = tensor.extract %none[%zero] : tensor<0xi32>"
    (tmp_path / "p.lmpm").write_text(PROGRAM)
    (tmp_path / "model.mlir").write_text(MODEL.format(body=body))
    (tmp_path / "b.json").write_text(json.dumps(
        {"sizes": {"N": 4}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
    for name in "AB":
        np.save(tmp_path / f"{name}.npy", np.zeros(4, np.int32))
    ran = tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", "--input", "A=A.npy", "--input",
                    "B=B.npy", cwd=tmp_path, check=False)
    assert ran.returncode == 1
    assert "expected a tensor with elements, but 'tensor.extract' has a 'tensor<0xi32>'" in ran.stderr
    assert "model.mlir:10:8:" in ran.stderr and "[wrong-model]" in ran.stderr
