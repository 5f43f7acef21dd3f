"""Every operation that a body may have gives the same in the interpreter and as machine code, for all pairs of edge
values. `arith.minnumf` and `maxnumf` of two zeros are IEEE's to choose, and stand in the tests of models."""

import os
import subprocess

import pytest

INTEGERS = "addi subi muli andi ori xori minui maxui minsi maxsi divui remui divsi remsi floordivsi ceildivui " \
           "ceildivsi shli shrui shrsi"
BITS = "andi ori xori minsi maxsi"  # what fits 64 bits whatever it is given
ORDERS = "eq ne slt sle sgt sge ult ule ugt uge"
FLOATS = "addf subf mulf divf remf minimumf maximumf"
RELATIONS = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true"
FUNCTIONS = "exp exp2 log log2 sin cos tan tanh erf atan sqrt rsqrt absf floor ceil roundeven trunc"
EDGES = ["0x7FC00000", "0x7F800000", "0xFF800000", "0x80000000", "0.0", "1.0", "-1.5", "3.0e38", "1.0e-42", "2.5",
         "-2147483904.0", "4294967296.0"]

VALUE = """  lci.value @V{number} {kind} shape affine_map<() -> ({n}, {n})>
    boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {{
  }}
  lci.rule @R{number} on @V{number} {{
  ^bb0(%i: index, %j: index):
    %all = arith.constant dense<[{edges}]> : tensor<{n}x{type}>
    %a = tensor.extract %all[%i] : tensor<{n}x{type}>
    %b = tensor.extract %all[%j] : tensor<{n}x{type}>
    {operation}
    {emit}
  }}
  lci.commit @V{number} using accept {{
  }}
"""
EMIT_FLOAT = "lci.emit %r : f32"
# An integer that 32 bits do not hold would be rejected: the low ones, and others beside them.
EMIT_INTEGER = """%low = arith.constant 65535 : i64
    %by = arith.constant 13 : i64
    %high = arith.shrsi %w, %by : i64
    %both = arith.xori %high, %w : i64
    %e = arith.andi %both, %low : i64
    lci.emit %e : i64"""


def widened(name, width):
    cast = {64: f"%w = arith.ori %{name}, %{name} : i64", 1: f"%w = arith.extui %{name} : i1 to i64"}
    return cast.get(width, f"%w = arith.extsi %{name} : i{width} to i64") + "\n    " + EMIT_INTEGER


def operations(width):
    """(what holds the operands, what holds the result, the operation, how it is emitted)."""
    integer = f"i{width}"
    for name in (INTEGERS if width < 64 else BITS).split():
        yield integer, "i32", f"%r = arith.{name} %a, %b : {integer}", widened("r", width)
    for order in ORDERS.split():
        yield integer, "i32", f"%r = arith.cmpi {order}, %a, %b : {integer}", widened("r", 1)
    yield integer, "i32", f"%r = math.ctpop %a : {integer}", widened("r", width)
    if width < 64:
        yield integer, "i32", f"%r = math.absi %a : {integer}", widened("r", width)
    for name in ("sitofp", "uitofp"):
        yield integer, "f32", f"%r = arith.{name} %a : {integer} to f32", EMIT_FLOAT
    for name in ("fptosi", "fptoui"):
        yield "f32", "i32", f"%r = arith.{name} %a : f32 to {integer}", widened("r", width)
    if width < 64:
        return
    for name in FLOATS.split():
        yield "f32", "f32", f"%r = arith.{name} %a, %b : f32", EMIT_FLOAT
    for relation in RELATIONS.split():
        yield "f32", "i32", f"%r = arith.cmpf {relation}, %a, %b : f32", widened("r", 1)
    for name in FUNCTIONS.split():
        yield "f32", "f32", f"%r = math.{name} %a : f32", EMIT_FLOAT
    for name in ("powf", "atan2"):
        yield "f32", "f32", f"%r = math.{name} %a, %b : f32", EMIT_FLOAT
    yield "f32", "f32", "%r = arith.negf %a : f32", EMIT_FLOAT
    yield "f32", "f32", "%r = math.fma %a, %b, %a : f32", EMIT_FLOAT


def program(width):
    most = 1 << (width - 1)
    integers = [0, 1, -1, 2, -3, width - 1, width, most - 1, -most, 1 - most, 5]
    text = "lci.program @operations sizes [] {\n"
    for number, (operands, kind, operation, emit) in enumerate(operations(width)):
        edges = EDGES if operands == "f32" else integers
        text += VALUE.format(number=number, kind=kind, n=len(edges), edges=", ".join(map(str, edges)), type=operands,
                             operation=operation, emit=emit)
    return text + "}\n"


# Kernels of all widths take long: of bytes they are run in `make test-long`.
CASES = [("cpu", 8), ("cpu", 32), ("cpu", 64), ("kernels", 32), ("kernels", 64)]
if os.environ.get("LCI_ALL_WAYS"):
    CASES.append(("kernels", 8))


@pytest.mark.parametrize("backend, width", CASES)
def test_operations_agree(tools, tmp_path, width, backend):
    file = tmp_path / "operations.mlir"
    file.write_text(program(width))
    done = subprocess.run([tools.path("lmpm-run"), file, "--epochs", "1", "--check", f"--backend={backend}"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "all checked" in done.stdout, done.stderr[-1500:]
