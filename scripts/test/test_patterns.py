"""Patterns from files that make operations of wrong forms are refused with an error, never with a signal."""

import os
import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OPERATIONS = re.findall(r"^### `(lci\.\w+)`", (SOURCE / "docs/reference/dialect.md").read_text(), re.M) + [
    "arith.constant", "arith.cmpi", "arith.addui_extended", "math.fma", "tensor.extract", "tensor.empty", "scf.if",
    "scf.yield", "linalg.generic", "memref.load", "vector.extract", "shape.shape_of", "complex.re", "func.call",
    "affine.apply", "llvm.call", "cf.br", "gpu.thread_id", "omp.barrier", "builtin.module"]
OPERANDS = ["", "(x)", "(x, y)", "(x, y, x)"]
TYPES = ["", ' -> (type<"i64">)']
TICKS = """func.func @f(%a: tensor<4xi64>, %e: i64) -> tensor<4xi64> {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<4xi64>) target(%a : tensor<4xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<4xi64>):
    %p = arith.muli %epoch, %phase : i64
    %yes = arith.constant true
    lci.install %p if %yes : i64
  } -> tensor<4xi64>
  return %n : tensor<4xi64>
}
"""


def forms():
    """Each operation in one form, by `make test-long` in all."""
    every = [(operands, types) for operands in OPERANDS for types in TYPES]
    for number, operation in enumerate(OPERATIONS):
        chosen = every if os.environ.get("LCI_ALL_WAYS") else [every[number % len(every)]]
        yield from ((operation, *form) for form in chosen)


@pytest.mark.parametrize("operation, operands, types", list(forms()))
def test_a_pattern_ends_in_valid_ir_or_an_error(tools, tmp_path, operation, operands, types):
    (tmp_path / "ticks.mlir").write_text(TICKS)
    (tmp_path / "p.pdll").write_text(f"Pattern {{ let root = op<arith.muli>(x: Value, y: Value); "
                                     f"replace root with op<{operation}>{operands}{types}; }}\n")
    result = tools.run("lmpm-opt", "ticks.mlir", "--lci-apply-patterns=p.pdll", cwd=tmp_path, check=False)
    assert result.returncode in (0, 1), result.stderr
    assert result.returncode == 0 or "error: " in result.stderr
