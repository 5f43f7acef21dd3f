"""Models of every form that may be written: each means one thing on every back end, or is refused by all of them
with the same words at its own line (docs/models.md). Nothing that a model does reads memory that it was not
given: what nobody wrote is zero, and what is not there is not reached.
"""

import json
import os

import numpy as np
import pytest

PROGRAM = """
value A : I32 shape Seq(N)
value Out : I32 shape Seq(N) init 0
visible Out[i] <- A[i]
rule Ask:
  on Out[i]
  emit proposal Out[i] := Model(A[i])
commit Out[*] using accept
"""
MODEL = """
func.func @f(%a: tensor<1xi64>, %p: tensor<1xi1>) -> i64 {{
  %c = arith.constant 0 : index
  %x = tensor.extract %a[%c] : tensor<1xi64>
  %at = arith.index_cast %x : i64 to index
  {body}
}}
{resources}
"""
RESOURCES = """{-#
  dialect_resources: { builtin: {
    longs: "0x08000000010000000000000002000000000000000300000000000000",
    numbers: "0x040000000000803F00000040", truths: "0x010000000100" } }
#-}"""
BACKENDS = ("--backend=interp", "--backend=cpu", "--backend=kernels", "--lowering=model-tile=16 vector-bits=512")
ASKED = [-5, -1, 0, 1, 2, 3, 4, 70]


def element(tensor, kind):
    """Returns the element that the cell asks for, or the nearest one."""
    return f"%r = tensor.extract %{tensor}[%at] : {kind}\n  return %r : i64"


def nearest(*elements):
    return lambda x: elements[min(max(x, 0), len(elements) - 1)]


def generic(maps, kinds, body, result):
    """One structured operation."""
    listed = ", ".join(f"affine_map<{each}>" for each in maps)
    return f"""linalg.generic {{indexing_maps = [{listed}], iterator_types = [{kinds}]}} {body} -> {result}"""


IDENTITY = "(d0) -> (d0)"
SUM = "{ ^bb0(%u: i64, %v: i64): %w = arith.addi %u, %v : i64 linalg.yield %w : i64 }"
COPY = "{ ^bb0(%u: i64, %v: i64): linalg.yield %u : i64 }"
EMPTY = "%e = tensor.empty() : tensor<4xi64>\n  "
MEANT = {
    "an element of nothing": (EMPTY + element("e", "tensor<4xi64>"), lambda x: 0),
    "a slice of nothing": (
        EMPTY + "%s = tensor.insert_slice %a into %e[2] [1] [1] : tensor<1xi64> into tensor<4xi64>\n  "
        + element("s", "tensor<4xi64>"), lambda x: x if x == 2 else 0),
    "a sum that nothing begins": (
        "%e = tensor.empty() : tensor<1xi64>\n  %s = "
        + generic([IDENTITY, "(d0) -> (0)"], '"reduction"',
                  "ins(%a : tensor<1xi64>) outs(%e : tensor<1xi64>) " + SUM, "tensor<1xi64>")
        + "\n  " + element("s", "tensor<1xi64>"), lambda x: x),
    "elements between those that are written": (
        EMPTY + "%s = " + generic([IDENTITY, "(d0) -> (d0 * 3)"], '"parallel"',
                                  "ins(%a : tensor<1xi64>) outs(%e : tensor<4xi64>) " + COPY, "tensor<4xi64>")
        + "\n  " + element("s", "tensor<4xi64>"), lambda x: x if x <= 0 else 0),
    "a loop without turns": (
        "%e = tensor.empty() : tensor<1xi64>\n  %z = tensor.empty() : tensor<0xi64>\n  %s = "
        + generic(["(d0, d1) -> (d1)", "(d0, d1) -> (d0)"], '"parallel", "reduction"',
                  "ins(%z : tensor<0xi64>) outs(%e : tensor<1xi64>) " + COPY, "tensor<1xi64>")
        + "\n  %n = arith.addi %a, %s : tensor<1xi64>\n  " + element("n", "tensor<1xi64>"), lambda x: x),
    "a choice of nothing": (
        "%e = tensor.empty() : tensor<1xi64>\n  %two = arith.constant 2 : i64\n"
        "  %t = arith.cmpi sgt, %x, %two : i64\n  %s = arith.select %t, %a, %e : tensor<1xi64>\n  "
        + element("s", "tensor<1xi64>"), lambda x: x if x > 2 else 0),
    "nothing beside something": (
        EMPTY + "%s = tensor.concat dim(0) %a, %e : (tensor<1xi64>, tensor<4xi64>) -> tensor<5xi64>\n  "
        + element("s", "tensor<5xi64>"), lambda x: x if x <= 0 else 0),
    "a product of nothing": (
        "%e = tensor.empty() : tensor<1x1xi64>\n"
        "  %m = tensor.expand_shape %a [[0, 1]] output_shape [1, 1] : tensor<1xi64> into tensor<1x1xi64>\n"
        "  %s = linalg.matmul ins(%m, %m : tensor<1x1xi64>, tensor<1x1xi64>) outs(%e : tensor<1x1xi64>)"
        " -> tensor<1x1xi64>\n  %r = tensor.extract %s[%at, %at] : tensor<1x1xi64>\n  return %r : i64",
        lambda x: x * x),
    "what is copied into nothing and overwritten": (
        "%e = tensor.empty() : tensor<1xi64>\n  %s = linalg.copy ins(%a : tensor<1xi64>) outs(%e : tensor<1xi64>)"
        " -> tensor<1xi64>\n  " + element("s", "tensor<1xi64>"), lambda x: x),
    "a quotient of tensors by zero": (
        "%e = tensor.empty() : tensor<1xi64>\n  %z = arith.constant dense<0> : tensor<1xi64>\n"
        "  %s = linalg.div ins(%a, %z : tensor<1xi64>, tensor<1xi64>) outs(%e : tensor<1xi64>) -> tensor<1xi64>\n  "
        + element("s", "tensor<1xi64>"), lambda x: 0),
    "a slice from its end": (
        "%k = arith.constant dense<[3, 4, 5]> : tensor<3xi64>\n"
        "  %s = tensor.extract_slice %k[2] [2] [-1] : tensor<3xi64> to tensor<2xi64>\n  "
        + element("s", "tensor<2xi64>"), nearest(5, 4)),
    "an element within a branch": (
        "%e = tensor.empty() : tensor<2xi64>\n  %s = " + generic([IDENTITY], '"parallel"', """outs(%e : tensor<2xi64>) {
  ^bb0(%v: i64):
    %j = linalg.index 0 : index
    %t = arith.cmpi eq, %j, %c : index
    %o = scf.if %t -> i64 {
      %g = tensor.extract %a[%j] : tensor<1xi64>
      scf.yield %g : i64
    } else {
      %g = arith.constant 9 : i64
      scf.yield %g : i64
    }
    linalg.yield %o : i64
  }""", "tensor<2xi64>") + "\n  " + element("s", "tensor<2xi64>"), lambda x: x if x <= 0 else 9),
    "a nest within an operation without loops": (
        "%k = arith.constant dense<[3, 4, 5, 6]> : tensor<4xi64>\n  %e = tensor.empty() : tensor<i64>\n  %s = "
        + generic(["() -> ()"], "", """outs(%e : tensor<i64>) {
  ^bb0(%y: i64):
    %z = """ + generic(["(d0) -> (d0)", "(d0) -> ()"], '"reduction"', """ins(%k : tensor<4xi64>) outs(%e : tensor<i64>) {
    ^bb0(%u: i64, %v: i64):
      %j = linalg.index 0 : index
      %i = arith.index_cast %j : index to i64
      %w = arith.muli %u, %i : i64
      %t = arith.addi %w, %v : i64
      linalg.yield %t : i64
    }""", "tensor<i64>") + """
    %q = tensor.extract %z[] : tensor<i64>
    linalg.yield %q : i64
  }""", "tensor<i64>") + "\n  %q = tensor.extract %s[] : tensor<i64>\n  %r = arith.addi %q, %x : i64\n  return %r : i64",
        lambda x: x + 4 + 10 + 18),
    "an element that is written somewhere": (
        "%k = arith.constant dense<[3, 4, 5]> : tensor<3xi64>\n"
        "  %s = tensor.insert %x into %k[%at] : tensor<3xi64>\n  " + element("s", "tensor<3xi64>"),
        lambda x: [3, 4, 5][min(max(x, 0), 2)] if x not in (0, 1, 2) else x),
    "an element of a tensor without any": (
        "%e = tensor.empty() : tensor<0xi64>\n  %i = tensor.insert %x into %e[%at] : tensor<0xi64>\n"
        "  %s = tensor.concat dim(0) %i, %a : (tensor<0xi64>, tensor<1xi64>) -> tensor<1xi64>\n  "
        + element("s", "tensor<1xi64>"), lambda x: x),
    "as many turns as the cell says": (
        "%one = arith.constant 1 : index\n  %two = arith.constant 2 : i64\n"
        "  %r = scf.for %i = %c to %at step %one iter_args(%n = %two) -> i64 {\n"
        "    %m = arith.addi %n, %x : i64\n    scf.yield %m : i64\n  }\n  return %r : i64",
        lambda x: 2 + x * max(x, 0)),
    "a counter of eight bits that would pass its last number": (
        "%low = arith.constant -128 : i8\n  %high = arith.constant 127 : i8\n  %step = arith.constant 100 : i8\n"
        "  %r = scf.for %i = %low to %high step %step iter_args(%n = %x) -> i64 : i8 {\n"
        "    %w = arith.extsi %i : i8 to i64\n    %m = arith.addi %n, %w : i64\n    scf.yield %m : i64\n  }\n"
        "  return %r : i64", lambda x: x - 128 - 28 + 72),
    "a counter that the cell brings to its last number": (
        "%high = arith.constant 9223372036854775807 : i64\n  %seven = arith.constant 7 : i64\n"
        "  %far = arith.andi %x, %seven : i64\n  %low = arith.subi %high, %far : i64\n"
        "  %step = arith.constant 5 : i64\n  %one = arith.constant 1 : i64\n"
        "  %r = scf.for %i = %low to %high step %step iter_args(%n = %x) -> i64 : i64 {\n"
        "    %m = arith.addi %n, %one : i64\n    scf.yield %m : i64\n  }\n  return %r : i64",
        lambda x: x + -(-(x % 8) // 5)),
    "a counter without a sign": (
        "%low = arith.constant -6 : i64\n  %step = arith.constant 4 : i64\n  %one = arith.constant 1 : i64\n"
        "  %r = scf.for unsigned %i = %low to %x step %step iter_args(%n = %x) -> i64 : i64 {\n"
        "    %m = arith.addi %n, %one : i64\n    scf.yield %m : i64\n  }\n  return %r : i64",
        lambda x: x + (-(-(x + 6) // 4) if x < 0 else 0)),
    "turns until something of the cell is small": (
        "%three = arith.constant 3 : i64\n  %one = arith.constant 1 : i64\n"
        "  %r, %left = scf.while (%n = %a, %k = %x) : (tensor<1xi64>, i64) -> (i64, tensor<1xi64>) {\n"
        "    %e = tensor.extract %n[%c] : tensor<1xi64>\n    %t = arith.cmpi sgt, %e, %three : i64\n"
        "    %d = arith.addi %n, %n : tensor<1xi64>\n    scf.condition(%t) %k, %d : i64, tensor<1xi64>\n  } do {\n"
        "  ^bb0(%k: i64, %d: tensor<1xi64>):\n    %e = tensor.extract %d[%c] : tensor<1xi64>\n"
        "    %h = arith.shrsi %e, %three : i64\n    %n = tensor.insert %h into %d[%c] : tensor<1xi64>\n"
        "    %l = arith.addi %k, %one : i64\n    scf.yield %n, %l : tensor<1xi64>, i64\n  }\n  return %r : i64",
        lambda x: {4: 5, 70: 73}.get(x, x)),
    "what two loops hand to and fro": (
        "%one = arith.constant 1 : index\n  %three = arith.constant 3 : index\n"
        "  %k = arith.constant dense<[1, 2, 3]> : tensor<3xi64>\n"
        "  %s0, %s1 = scf.for %i = %c to %three step %one iter_args(%n = %k, %m = %k)"
        " -> (tensor<3xi64>, tensor<3xi64>) {\n    %s = arith.addi %n, %m : tensor<3xi64>\n"
        "    %o = tensor.insert %x into %s[%i] : tensor<3xi64>\n"
        "    scf.yield %m, %o : tensor<3xi64>, tensor<3xi64>\n  }\n"
        "  %u = tensor.extract %s0[%c] : tensor<3xi64>\n  %v = tensor.extract %s1[%at] : tensor<3xi64>\n"
        "  %r = arith.addi %u, %v : i64\n  return %r : i64",
        lambda x: 1 + x + [1 + 2 * x, 4 + x, x][min(max(x, 0), 2)]),
    "a body that ends when the cell says": (
        "%one = arith.constant 1 : i64\n  %s = " + generic([IDENTITY, IDENTITY], '"parallel"', """ins(%a : tensor<1xi64>)
    outs(%a : tensor<1xi64>) {
  ^bb0(%u: i64, %v: i64):
    %o = scf.while (%n = %u) : (i64) -> i64 {
      %t = arith.cmpi sgt, %n, %one : i64
      scf.condition(%t) %n : i64
    } do {
    ^bb0(%n: i64):
      %h = arith.shrsi %n, %one : i64
      scf.yield %h : i64
    }
    linalg.yield %o : i64
  }""", "tensor<1xi64>") + "\n  " + element("s", "tensor<1xi64>"), lambda x: min(x, 1)),
    "tensors within a body": (
        "%k = arith.constant dense<[1, 2, 3]> : tensor<3xi64>\n  %s = "
        + generic([IDENTITY, IDENTITY], '"parallel"', """ins(%k : tensor<3xi64>) outs(%k : tensor<3xi64>) {
  ^bb0(%u: i64, %v: i64):
    %j = linalg.index 0 : index
    %z = tensor.insert %x into %k[%j] : tensor<3xi64>
    %o = tensor.extract %z[%at] : tensor<3xi64>
    linalg.yield %o : i64
  }""", "tensor<3xi64>") + "\n  " + element("s", "tensor<3xi64>"), lambda x: x),
    "integers of a resource": ("%k = arith.constant dense_resource<longs> : tensor<3xi64>\n  "
                               + element("k", "tensor<3xi64>"), nearest(1, 2, 3)),
    "numbers of a resource": (
        "%k = arith.constant dense_resource<numbers> : tensor<2xf32>\n"
        "  %f = tensor.extract %k[%at] : tensor<2xf32>\n  %r = arith.fptosi %f : f32 to i64\n  return %r : i64",
        nearest(1, 2)),
    "truth values of a resource": (
        "%k = arith.constant dense_resource<truths> : tensor<2xi1>\n"
        "  %f = tensor.extract %k[%at] : tensor<2xi1>\n  %r = arith.extui %f : i1 to i64\n  return %r : i64",
        nearest(1, 0)),
}
HUGE = "tensor<4294967296x4294967296xf32>"
REFUSED = {
    "an overflow of 64 bits": (
        f"%e = tensor.empty() : {HUGE}\n  %y = arith.constant dense<1.0> : tensor<1x1xf32>\n"
        f"  %s = tensor.insert_slice %y into %e[0, 0] [1, 1] [1, 1] : tensor<1x1xf32> into {HUGE}\n"
        f"  %f = tensor.extract %s[%c, %c] : {HUGE}\n  %r = arith.fptosi %f : f32 to i64\n  return %r : i64",
        5, f"expected a tensor of at most 281474976710656 elements, but got '{HUGE}' [no-memory]"),
    "an unknown shape": (
        "%e = tensor.empty(%at) : tensor<?xi64>\n  " + element("e", "tensor<?xi64>"), 5,
        "expected tensors of a known shape in a model, but got 'tensor<?xi64>' [wrong-model]"),
    "wide integers": (
        "%w = arith.extsi %x : i64 to i128\n  %r = arith.trunci %w : i128 to i64\n  return %r : i64", 5,
        "expected integers of up to 64 bits, f32, and tensors of these in a model, but got 'i128' [wrong-model]"),
    "other floats": (
        "%w = arith.sitofp %x : i64 to f64\n  %r = arith.fptosi %w : f64 to i64\n  return %r : i64", 5,
        "expected integers of up to 64 bits, f32, and tensors of these in a model, but got 'f64' [wrong-model]"),
    "an operation that no back end has": (
        "%s = tensor.pad %a low[1] high[1] {\n  ^bb0(%q: index):\n    tensor.yield %x : i64\n"
        "  } : tensor<1xi64> to tensor<3xi64>\n  " + element("s", "tensor<3xi64>"), 5,
        "expected an operation of models, but got 'tensor.pad' [wrong-model]"),
    "a vector beside its tensor": (
        "%far = arith.constant 1000000 : index\n"
        "  %v = vector.transfer_read %a[%far], %x {in_bounds = [true]} : tensor<1xi64>, vector<1xi64>\n"
        "  %r = vector.extract %v[0] : i64 from vector<1xi64>\n  return %r : i64", 6,
        "expected an operation of models, but got 'vector.transfer_read' [wrong-model]"),
    "a map that leaves its tensor": (
        "%e = tensor.empty() : tensor<5xi64>\n  %s = "
        + generic(["(d0) -> (d0 mod 4)", IDENTITY], '"parallel"',
                  "ins(%a : tensor<1xi64>) outs(%e : tensor<5xi64>) " + COPY, "tensor<5xi64>")
        + "\n  " + element("s", "tensor<5xi64>"), 6,
        "expected maps within each tensor, but operand 0 of 'linalg.generic' has 'tensor<1xi64>' and"
        " affine_map<(d0) -> (d0 mod 4)> [wrong-model]"),
    "a slice that the cell chooses": (
        "%k = arith.constant dense<[3, 4, 5]> : tensor<3xi64>\n"
        "  %s = tensor.extract_slice %k[%at] [1] [1] : tensor<3xi64> to tensor<1xi64>\n  "
        + element("s", "tensor<1xi64>"), 6,
        "has no batched form, because its offsets or sizes are not constant [not-lowered]"),
    "a slice that begins before its tensor": (
        "%k = arith.constant dense<[3, 4, 5]> : tensor<3xi64>\n"
        "  %s = tensor.extract_slice %k[0] [2] [-1] : tensor<3xi64> to tensor<2xi64>\n  "
        + element("s", "tensor<2xi64>"), 6,
        "expected a slice within 'tensor<3xi64>', but got offsets [0], sizes [2] and strides [-1] [wrong-model]"),
    "an axis beyond the rank": (
        "%five = arith.constant 5 : index\n  %d = tensor.dim %a, %five : tensor<1xi64>\n"
        "  %r = arith.index_cast %d : index to i64\n  return %r : i64", 6,
        "expected a constant axis below 1 in 'tensor.dim' [wrong-model]"),
    "a step that a table says": (
        "%r = scf.for %i = %c to %at step %at iter_args(%n = %x) -> i64 {\n    scf.yield %n : i64\n  }\n"
        "  return %r : i64", 5, "expected a constant positive step of a loop in a model [wrong-model]"),
    "a resource that is too small": (
        "%k = arith.constant dense_resource<numbers> : tensor<9xf32>\n"
        "  %f = tensor.extract %k[%at] : tensor<9xf32>\n  %r = arith.fptosi %f : f32 to i64\n  return %r : i64", 5,
        "expected a resource of 36 bytes for 'tensor<9xf32>', but got 8 [wrong-model]"),
    "a resource that is not there": (
        "%k = arith.constant dense_resource<none> : tensor<3xi64>\n  " + element("k", "tensor<3xi64>"), 5,
        "expected a resource of 24 bytes for 'tensor<3xi64>', but got 0 [wrong-model]"),
    "a sparse constant": (
        "%k = arith.constant sparse<[[1]], [5]> : tensor<3xi64>\n  " + element("k", "tensor<3xi64>"), 5,
        "expected dense elements of a constant in a model [wrong-model]"),
}


@pytest.fixture(name="ask")
def prepare(tools, tmp_path):
    """Runs the model and returns the process; what it answered lies in out.npy."""

    def ask(body, *flags):
        (tmp_path / "p.lmpm").write_text(PROGRAM)
        resources = RESOURCES if "dense_resource" in body else ""
        (tmp_path / "model.mlir").write_text(MODEL.format(body=body, resources=resources).lstrip())
        (tmp_path / "b.json").write_text(json.dumps(
            {"sizes": {"N": len(ASKED)}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
        np.save(tmp_path / "a.npy", np.array(ASKED, np.int32))
        return tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", "--input", "A=a.npy", "--epochs", "1",
                         "--quiet", "--output", "Out=out.npy", *flags, cwd=tmp_path, check=False)

    return ask


def backends(number):
    """The interpreter and one of the others in turn, or in `make test-long` all."""
    return BACKENDS if os.environ.get("LCI_ALL_WAYS") else (BACKENDS[0], BACKENDS[1 + number % 3])


@pytest.mark.parametrize("name", MEANT)
def test_has_one_meaning(ask, tmp_path, name):
    body, meaning = MEANT[name]
    for backend in backends(list(MEANT).index(name)):
        ran = ask(body, backend)
        assert ran.returncode == 0, ran.stderr
        assert np.load(tmp_path / "out.npy").tolist() == [meaning(x) for x in ASKED], backend


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_by_all(ask, name):
    body, line, words = REFUSED[name]
    for backend in BACKENDS[:2]:
        ran = ask(body, backend)
        assert ran.returncode == 1
        first = ran.stderr.splitlines()[0]
        assert first.startswith(f"model.mlir:{line}:") and first.endswith(words), ran.stderr


@pytest.mark.parametrize("backend", BACKENDS[:3])
def test_what_does_not_fit_is_said(ask, backend, unsanitized):
    """Of a tile of 64 cells there are as many such tensors."""
    large = "tensor<1073741824xf32>"
    body = (f"%e = tensor.empty() : {large}\n  %y = arith.sitofp %a : tensor<1xi64> to tensor<1xf32>\n"
            f"  %s = tensor.insert_slice %y into %e[0] [1] [1] : tensor<1xf32> into {large}\n"
            f"  %f = tensor.extract %s[%at] : {large}\n  %r = arith.fptosi %f : f32 to i64\n  return %r : i64")
    ran = ask(body, backend, "--limit-memory", "1G")
    assert ran.returncode == 1
    assert "'p' is too large for memory: it needs " in ran.stderr and "[no-memory]" in ran.stderr


BOUND = """
lci.program @p sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.model "M" is "f"
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<1xi64>, tensor<1xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<1xi64>, tensor<1xi1>) -> i64
    lci.emit %a : i64
  }
  lci.visible @A sees @A[affine_map<(i) -> (i)>] where [affine_set<(i) : (0 == 0)>]
  lci.commit @A using accept {
  }
  lci.schedule @A using all
}
"""


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_what_is_bound_already_is_looked_at(tools, tmp_path, backend):
    body, line, words = REFUSED["a map that leaves its tensor"]
    (tmp_path / "p.mlir").write_text(MODEL.format(body=body, resources="").lstrip() + BOUND)
    ran = tools.run("lmpm-run", "p.mlir", "--quiet", backend, cwd=tmp_path, check=False)
    assert ran.returncode == 1
    first = ran.stderr.splitlines()[0]
    assert first.startswith(f"p.mlir:{line}:") and first.endswith(words), ran.stderr
