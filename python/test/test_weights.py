"""Weights are taken as the model's function asks for them, whatever type their array has."""

import numpy
import pytest

import lmpm

PROGRAM = """
value I : Token[4] shape Seq(N) init[i] i % 3
value O : I32 shape Seq(N) init 0
visible O[i] <- I[i]
rule R: on O[i] emit proposal O[i] := Model(I)
commit O[*] using accept
"""

FUNCTION = """
func.func @Net(%cell: tensor<1xi32>, %there: tensor<1xi1>, %w: tensor<3x{type}> {{lci.weight = "w"}}) -> i32 {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %token = tensor.extract %cell[%c0] : tensor<1xi32>
  %i = arith.index_cast %token : i32 to index
  %v = tensor.extract %w[%i] : tensor<3x{type}>
  %result = {made}
  return %result : i32
}}
"""

# What the function makes of an element, by the tensor's type and the operation.
MADE = {
    "i1": ["arith.extui %v : i1 to i32", "arith.extsi %v : i1 to i32"],
    "i8": ["arith.extui %v : i8 to i32", "arith.extsi %v : i8 to i32"],
    "i16": ["arith.extui %v : i16 to i32", "arith.extsi %v : i16 to i32"],
    "i32": ["arith.addi %v, %zero : i32"],
    "i64": ["arith.trunci %v : i64 to i32"],
    "f32": ["arith.fptosi %v : f32 to i32"],
}
STORED = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "bool", "float16", "float32",
          "float64", ">i4", ">f8"]


def compiled(folder, type, made, backend):
    file = folder / "net.mlir"
    file.write_text(FUNCTION.format(type=type, made=made))
    models = {"Model": {"file": str(file), "function": "Net"}}
    return lmpm.parse(PROGRAM).compile({"models": models}, N=5, backend=backend)


def answers(model, weights):
    try:
        return model.run(weights={"Model": {"w": weights}})["O"].tolist()
    except lmpm.Error as error:
        return error.message


@pytest.mark.parametrize("type, made", [(type, made) for type in MADE for made in MADE[type]])
def test_every_stored_type(tmp_path, type, made):
    models = [compiled(tmp_path, type, made, backend) for backend in ("interp", "cpu", "kernels")]
    for stored in STORED:
        for numbers in ([1, 0, 1], [-1, 3, 5], [200, -3, 7], [70000, 1, 2], [1.5, 0, 1]):
            with numpy.errstate(all="ignore"):
                weights = numpy.array(numbers, numpy.float64).astype(stored)
            interpreted, *others = [answers(model, weights) for model in models]
            assert all(one == interpreted for one in others), (stored, numbers)


@pytest.mark.parametrize("type, numbers, message", [
    ("i32", [1.5, 0, 0], "expected integers of 32 bits for the weight 'Model.w', but got 1.5 at [0]"),
    ("i32", [0, 2**40, 0], "expected integers of 32 bits for the weight 'Model.w', but got 1099511627776 at [1]"),
    ("i8", [0, 0, 300], "expected integers of 8 bits for the weight 'Model.w', but got 300 at [2]"),
    ("i1", [2, 0, 0], "expected integers of 1 bit for the weight 'Model.w', but got 2 at [0]"),
    ("i64", [float("nan"), 0, 0], "expected integers of 64 bits for the weight 'Model.w', but got nan at [0]"),
])
@pytest.mark.parametrize("backend", ["interp", "cpu"])
def test_other_numbers_are_refused(tmp_path, backend, type, numbers, message):
    model = compiled(tmp_path, type, MADE[type][0], backend)
    assert answers(model, numpy.array(numbers)) == message
