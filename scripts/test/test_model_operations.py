"""Every operation that a model may be made of means the same on every back end, whichever of its operands depend on
the cell: at the top of the model, in a loop that all cells share, in one whose length the cell decides, in a branch
and in the body of a structured operation. The list is the compiler's own (lib/Transforms/Program/CheckModels.cpp).
"""

import itertools
import json
import os
import pathlib
import re
import struct
import sys

import numpy as np
import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "scripts/test"))
from test_total_models import PROGRAM  # noqa: E402

# What is uniform comes from a weight, which no pass can fold: %u; what depends on the cell from its reads: %x, %y.
HEAD = """func.func @f(%as: tensor<1xi64>, %pa: tensor<1xi1>, %bs: tensor<1xi64>, %pb: tensor<1xi1>,
             %w: tensor<3xf32> {lci.weight = "w"}) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i64
  %prime = arith.constant 1000003 : i64
  %wu = tensor.extract %w[%c1] : tensor<3xf32>
  %u_i64 = arith.fptosi %wu : f32 to i64
  %x_i64 = tensor.extract %as[%c0] : tensor<1xi64>
  %y_i64 = tensor.extract %bs[%c0] : tensor<1xi64>
  %turns = arith.remui %y_i64, %four : i64
  %few = arith.index_cast %turns : i64 to index
  %isOdd = arith.trunci %y_i64 : i64 to i1
"""
TYPES = {  # how a value of each comes from an i64
    "i32": "%{n}_i32 = arith.trunci %{n}_i64 : i64 to i32",
    "i1": "%{n}_i1 = arith.trunci %{n}_i64 : i64 to i1",
    "index": "%{n}_index = arith.index_cast %{n}_i64 : i64 to index",
    "f32": "%{n}_f32 = arith.sitofp %{n}_i64 : i64 to f32",
    "t64": "%{n}_t64 = tensor.from_elements %{n}_i64, %{n}_i64, %prime : tensor<3xi64>",
    "tf": "%{n}_tf = tensor.from_elements %{n}_f32, %wu, %{n}_f32 : tensor<3xf32>",
}
SPELLED = {"t64": "tensor<3xi64>", "tf": "tensor<3xf32>", "t1": "tensor<1xi64>", "t6": "tensor<6xi64>",
           "row": "tensor<1x3xi64>"}
NAMES = {name: list(TYPES) for name in "uxy"}


def binary(name, kind="i64", result=None):
    return f"{name} {{0}}, {{1}} : {kind}", [kind, kind], result or kind


def unary(name, kind="f32"):
    return f"{name} {{0}} : {kind}", [kind], kind


def cast(name, source, target):
    return f"{name} {{0}} : {source} to {target}", [source], target


def of(dialect, kind, names):
    return {name + ("FOp" if kind == "f32" else "IOp"): binary(f"{dialect}.{name.lower()}{kind[0]}", kind)
            for name in names.split()}


MAPS = "indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]"
OPERATIONS = {
    **of("arith", "i64", "Add Sub Mul And Or XOr"), **of("arith", "f32", "Add Sub Mul Div Rem Minimum Maximum"),
    **{name + "Op": binary("arith." + name.lower())
       for name in "DivSI DivUI FloorDivSI CeilDivSI CeilDivUI RemSI RemUI ShLI ShRSI ShRUI MinSI MaxSI MinUI MaxUI"
       .split()},
    "MinNumFOp": binary("arith.minnumf", "f32"), "MaxNumFOp": binary("arith.maxnumf", "f32"),
    "NegFOp": unary("arith.negf"), "CmpIOp": binary("arith.cmpi slt,", "i64", "i1"),
    "CmpFOp": binary("arith.cmpf ult,", "f32", "i1"), "ExtSIOp": cast("arith.extsi", "i32", "i64"),
    "ExtUIOp": cast("arith.extui", "i32", "i64"), "TruncIOp": cast("arith.trunci", "i64", "i32"),
    "IndexCastOp": cast("arith.index_cast", "i32", "index"), "IndexCastUIOp": cast("arith.index_castui", "i32", "index"),
    "SIToFPOp": cast("arith.sitofp", "i64", "f32"), "UIToFPOp": cast("arith.uitofp", "i64", "f32"),
    "FPToSIOp": cast("arith.fptosi", "f32", "i32"), "FPToUIOp": cast("arith.fptoui", "f32", "i32"),
    "BitcastOp": cast("arith.bitcast", "f32", "i32"),
    "SelectOp": ("arith.select {0}, {1}, {2} : tensor<3xi64>", ["i1", "t64", "t64"], "t64"),
    "ConstantOp": ("arith.constant 7 : i64", [], "i64"),
    "math::AbsFOp": unary("math.absf"), "math::AbsIOp": unary("math.absi", "i64"), "math::CeilOp": unary("math.ceil"),
    "math::CtPopOp": unary("math.ctpop", "i64"), "math::FloorOp": unary("math.floor"),
    "math::FmaOp": ("math.fma {0}, {1}, {2} : f32", ["f32"] * 3, "f32"),
    "math::RoundEvenOp": unary("math.roundeven"), "math::SqrtOp": unary("math.sqrt"),
    "math::TruncOp": unary("math.trunc"),
    "ElementaryOp": unary("math.tanh"), "ElementaryBinaryOp": binary("math.atan2", "f32"),
    "FloorDivOp": ("lci.floordiv {0}, {1} : i64", ["i64", "i64"], "i64"),
    "FloorModOp": ("lci.floormod {0}, {1} : i64", ["i64", "i64"], "i64"),
    "PowerOp": ("lci.power {0}, 3 : i64", ["i64"], "i64"),
    "EmptyOp": ("tensor.empty() : tensor<3xi64>", [], "t64"),
    "SplatOp": ("tensor.splat {0} : tensor<3xi64>", ["i64"], "t64"),
    "FromElementsOp": ("tensor.from_elements {0}, {1}, {0} : tensor<3xi64>", ["i64", "i64"], "t64"),
    "GenerateOp": ("""tensor.generate {{
    ^bb0(%g{n}: index):
      %h{n} = arith.index_cast %g{n} : index to i64
      %k{n} = arith.muli %h{n}, {0} : i64
      %l{n} = tensor.extract {1}[%g{n}] : tensor<3xi64>
      %m{n} = arith.addi %k{n}, %l{n} : i64
      tensor.yield %m{n} : i64
    }} : tensor<3xi64>""", ["i64", "t64"], "t64"),
    "tensor::ConcatOp": ("tensor.concat dim(0) {0}, {1} : (tensor<3xi64>, tensor<3xi64>) -> tensor<6xi64>",
                         ["t64", "t64"], "t6"),
    "CastOp": ("tensor.cast {0} : tensor<3xi64> to tensor<3xi64>", ["t64"], "t64"),
    "DimOp": ("tensor.dim {0}, %c0 : tensor<3xi64>", ["t64"], "index"),
    "ExtractOp": ("tensor.extract {0}[{1}] : tensor<3xi64>", ["t64", "index"], "i64"),
    "InsertOp": ("tensor.insert {0} into {1}[{2}] : tensor<3xi64>", ["i64", "t64", "index"], "t64"),
    "ExtractSliceOp": ("tensor.extract_slice {0}[2] [1] [1] : tensor<3xi64> to tensor<1xi64>", ["t64"], "t1"),
    "InsertSliceOp": ("tensor.insert_slice {0} into {1}[0, 0] [1, 3] [1, 1] : tensor<3xi64> into tensor<1x3xi64>",
                      ["t64", "row"], "row"),
    "CollapseShapeOp": ("tensor.collapse_shape {0} [[0, 1]] : tensor<1x3xi64> into tensor<3xi64>", ["row"], "t64"),
    "ExpandShapeOp": ("tensor.expand_shape {0} [[0, 1]] output_shape [1, 3] : tensor<3xi64> into tensor<1x3xi64>",
                      ["t64"], "row"),
    "linalg::LinalgOp": ("linalg.generic {{" + MAPS + """}} ins({0} : tensor<3xi64>) outs({1} : tensor<3xi64>) {{
    ^bb0(%g{n}: i64, %h{n}: i64):
      %k{n} = linalg.index 0 : index
      %l{n} = tensor.extract {1}[%k{n}] : tensor<3xi64>
      %m{n} = arith.muli %g{n}, {2} : i64
      %o{n} = arith.addi %m{n}, %l{n} : i64
      %q{n} = arith.subi %o{n}, %h{n} : i64
      linalg.yield %q{n} : i64
    }} -> tensor<3xi64>""", ["t64", "t64", "i64"], "t64"),
    "linalg::FillOp": ("linalg.fill ins({0} : i64) outs({1} : tensor<3xi64>) -> tensor<3xi64>", ["i64", "t64"], "t64"),
    "linalg::AddOp": ("linalg.add ins({0}, {1} : tensor<3xf32>, tensor<3xf32>) outs({1} : tensor<3xf32>)"
                      " -> tensor<3xf32>", ["tf", "tf"], "tf"),
    "scf::ForOp": ("""scf.for %i{n} = %c0 to {0} step %c2 iter_args(%g{n} = {1}, %h{n} = {2}) -> (tensor<3xi64>, i64) {{
      %k{n} = arith.addi %h{n}, %prime : i64
      %l{n} = tensor.insert %h{n} into %g{n}[%i{n}] : tensor<3xi64>
      scf.yield %l{n}, %k{n} : tensor<3xi64>, i64
    }}""", ["few", "t64", "i64"], "t64"),
    "scf::IfOp": ("""scf.if {0} -> tensor<3xi64> {{
      scf.yield {1} : tensor<3xi64>
    }} else {{
      %k{n} = arith.addi {1}, {2} : tensor<3xi64>
      scf.yield %k{n} : tensor<3xi64>
    }}""", ["i1", "t64", "t64"], "t64"),
    "scf::WhileOp": ("""scf.while (%g{n} = {1}, %h{n} = {2}) : (tensor<3xi64>, index) -> (tensor<3xi64>, index) {{
      %k{n} = arith.cmpi slt, %h{n}, {0} : index
      %l{n} = arith.muli %g{n}, {1} : tensor<3xi64>
      scf.condition(%k{n}) %l{n}, %h{n} : tensor<3xi64>, index
    }} do {{
    ^bb0(%g{n}: tensor<3xi64>, %h{n}: index):
      %k{n} = arith.addi %h{n}, %c1 : index
      %l{n} = tensor.insert %four into %g{n}[%h{n}] : tensor<3xi64>
      scf.yield %l{n}, %k{n} : tensor<3xi64>, index
    }}""", ["few", "t64", "few"], "t64"),
}
# Parts of the others, and what a bound model has no more: named functions of math are the language's by then.
PARTS = {"tensor::YieldOp", "linalg::IndexOp", "linalg::YieldOp", "func::ReturnOp", "scf::ConditionOp",
         "scf::YieldOp"}
ELSEWHERE = {"LookupOp"}  # the compiler makes it of tables (test/Transforms)
TO_I64 = {
    "i64": "%v{n} = arith.addi {r}, %four : i64", "i32": "%v{n} = arith.extsi {r} : i32 to i64",
    "i1": "%v{n} = arith.extui {r} : i1 to i64", "index": "%v{n} = arith.index_cast {r} : index to i64",
    "f32": "%b{n} = arith.bitcast {r} : f32 to i32\n    %v{n} = arith.extsi %b{n} : i32 to i64",
    "row": "%b{n} = tensor.extract {r}[%c0, %c2] : tensor<1x3xi64>\n    %d{n} = tensor.extract {r}[%c0, %few]"
           " : tensor<1x3xi64>\n    %v{n} = arith.subi %b{n}, %d{n} : i64",
    "tf": "%d{n} = tensor.extract {r}[%few] : tensor<3xf32>\n    %b{n} = arith.bitcast %d{n} : f32 to i32\n"
          "    %v{n} = arith.extsi %b{n} : i32 to i64",
    **{kind: f"%b{{n}} = tensor.extract {{r}}[%c0] : {SPELLED[kind]}\n    %d{{n}} = tensor.extract {{r}}[%few] :"
             f" {SPELLED[kind]}\n    %v{{n}} = arith.subi %b{{n}}, %d{{n}} : i64" for kind in ("t64", "t1", "t6")},
}


def listed():
    """The classes in the lists of lib/Transforms/Program/CheckModels.cpp."""
    text = (SOURCE / "lib/Transforms/Program/CheckModels.cpp").read_text()
    lists = text[text.index("static bool isOfArith"):text.index("static constexpr int64_t kMaxElements")]
    return {name for names in re.findall(r"isa<(.*?)>", lists, re.S) for name in re.split(r",\s*", names)}


def test_no_operation_is_left_out():
    assert listed() - set(OPERATIONS) - PARTS - ELSEWHERE == set()


def operand(kind, source):
    if kind == "few":
        return {"u": "%c2", "x": "%few", "y": "%few"}[source]
    return f"%{source}_{kind}"


class Writer:
    """Puts operations into one function, each of whose results goes into the sum."""

    def __init__(self):
        self.count = itertools.count()

    def uses(self, operations, total):
        text = ""
        for template, kinds, result in operations:
            for sources in itertools.product("ux", repeat=len(kinds)):
                second = [source if i == 0 or source == "u" else "y" for i, source in enumerate(sources)]
                n = str(next(self.count))
                values = [operand(kind, source) for kind, source in zip(kinds, second)]
                many = ":2" if template.startswith(("scf.for", "scf.while")) else ""
                text += f"    %r{n}{many} = " + template.format(*values, n=n) + "\n    "
                text += TO_I64[result].format(r=f"%r{n}" + ("#0" if many else ""), n=n) + "\n"
                text += f"    %p{n} = arith.muli {total}, %prime : i64\n    %t{n} = arith.xori %p{n}, %v{n} : i64\n"
                total = f"%t{n}"
        return text, total

    def model(self, operations):
        text = HEAD
        for name, kinds in NAMES.items():
            text += "".join("  " + TYPES[kind].format(n=name) + "\n" for kind in kinds)
            text += (f"  %{name}_row = tensor.expand_shape %{name}_t64 [[0, 1]] output_shape [1, 3]"
                     " : tensor<3xi64> into tensor<1x3xi64>\n")
        inside, total = self.uses(operations, "%four")
        text += inside
        for bound in ("%c2", "%few"):
            inside, last = self.uses(operations, f"%in{bound[1:]}")
            text += (f"  %loop{bound[1:]} = scf.for %turn{bound[1:]} = %c0 to {bound} step %c1"
                     f" iter_args(%in{bound[1:]} = {total}) -> i64 {{\n{inside}    scf.yield {last} : i64\n  }}\n")
            total = f"%loop{bound[1:]}"
        inside, last = self.uses(operations, total)
        text += (f"  %branch = scf.if %isOdd -> i64 {{\n{inside}    scf.yield {last} : i64\n  }} else {{\n"
                 f"    scf.yield {total} : i64\n  }}\n")
        inside, last = self.uses(operations, "%seen")
        return text + f"""  %start = tensor.from_elements %branch : tensor<1xi64>
  %nest = linalg.generic {{{MAPS}}} ins(%as : tensor<1xi64>) outs(%start : tensor<1xi64>) {{
  ^bb0(%own: i64, %seen: i64):
{inside}    linalg.yield {last} : i64
  }} -> tensor<1xi64>
  %sum = tensor.extract %nest[%c0] : tensor<1xi64>
  %mask = arith.constant 2147483647 : i64
  %r = arith.andi %sum, %mask : i64
  return %r : i64
}}
"""


def save_weights(path, numbers):
    header = json.dumps({"w": {"dtype": "F32", "shape": [len(numbers)], "data_offsets": [0, 4 * len(numbers)]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + np.array(numbers, "<f4").tobytes())


ALL_WAYS = ["--backend=cpu", "--backend=kernels", "--lowering=model-tile=16"]


def groups(size):
    names = list(OPERATIONS)
    return [names[i:i + size] for i in range(0, len(names), size)]


def ways(number):
    """The compiled ways of the nth group: one in turn, or in `make test-long` all."""
    return ALL_WAYS if os.environ.get("LCI_ALL_WAYS") else [ALL_WAYS[number % 2]]


@pytest.mark.parametrize("names, ways",
                         [(names, ways(number)) for number, names in enumerate(groups(6))],
                         ids=lambda of: of[0].replace("::", "."))
def test_means_the_same_whatever_depends_on_the_cell(tools, tmp_path, names, ways):
    (tmp_path / "p.lmpm").write_text(PROGRAM)
    (tmp_path / "model.mlir").write_text(Writer().model([OPERATIONS[name] for name in names]))
    asked = np.array([(a, b) for a in (-7, 0, 1, 2, 70) for b in (0, 1, -2, 7)], np.int32)
    (tmp_path / "b.json").write_text(json.dumps({
        "sizes": {"N": len(asked)},
        "models": {"Model": {"file": "model.mlir", "function": "f", "weights": "w.safetensors"}}}))
    save_weights(tmp_path / "w.safetensors", [0.5, 3, -2])
    np.save(tmp_path / "A.npy", asked[:, 0].copy())
    np.save(tmp_path / "B.npy", asked[:, 1].copy())
    found = {}
    for way in ["--backend=interp", *ways]:
        tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", "--input", "A=A.npy", "--input", "B=B.npy",
                  "--epochs", "1", "--quiet", "--output", "Out=out.npy", way, cwd=tmp_path)
        found[way] = np.load(tmp_path / "out.npy").tolist()
    assert len(set(found["--backend=interp"])) > 1
    assert all(each == found["--backend=interp"] for each in found.values()), found
