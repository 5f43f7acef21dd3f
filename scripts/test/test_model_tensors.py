"""Tensors of models in memory: elements of every width mean the same on every back end,
for one cell as for many, however many cells a tile has.
"""

import json

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
schedule Out[*] using SCHEDULE
"""
MODEL = """#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func @f(%as: tensor<1xi64>, %pa: tensor<1xi1>) -> i64 {{
  %c0 = arith.constant 0 : index
  %last = arith.constant 36 : index
  %prime = arith.constant 1000003 : i64
  %zero = arith.constant 0 : i64
  %x = tensor.extract %as[%c0] : tensor<1xi64>
  %at = arith.index_cast %x : i64 to index
{body}
  %mask = arith.constant 2147483647 : i64
  %r = arith.andi %{total}, %mask : i64
  return %r : i64
}}
"""
WAYS = {"cpu": ["--backend=cpu"], "threads": ["--threads=3", "--lowering=grain=1"], "kernels": ["--backend=kernels"],
        "single": ["--lowering=model-tile=1"], "vectors": ["--lowering=model-tile=16 vector-bits=512"]}
WIDTHS = (1, 7, 17, 24, 33, 40, 56, 63)


def add_result(total, result):
    """What a sum becomes with one more result of a model, and its name."""
    return f"""  %p_{result} = arith.muli %{total}, %prime : i64
  %t_{result} = arith.addi %p_{result}, %{result} : i64
""", f"t_{result}"


@pytest.fixture
def expect_alike(tools, tmp_path):
    """Runs a model on every back end and compares what comes out with the interpreter's."""
    def run(body, total, schedule="all", sizes=(1, 300)):
        (tmp_path / "p.lmpm").write_text(PROGRAM.replace("SCHEDULE", schedule))
        (tmp_path / "model.mlir").write_text(MODEL.format(body=body, total=total))
        for size in sizes:
            (tmp_path / "b.json").write_text(json.dumps(
                {"sizes": {"N": size}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
            np.save(tmp_path / "A.npy", (np.arange(size) * 77773 + 5).astype(np.int32))
            expected = outcome("lmpm-run", "p.lmpm", "--bindings", "b.json", "--backend=interp")
            assert size == 1 or len(set(expected)) > 1
            for way, flags in WAYS.items():
                assert outcome("lmpm-run", "p.lmpm", "--bindings", "b.json", *flags) == expected, (size, way)
        for kind in ("cpu", "cuda"):
            tools.run("lmpm-translate", "--lci-to-bundle", f"--bundle-for={kind}", "p.lmpm", "--bindings", "b.json",
                      "-o", "p.bundle", cwd=tmp_path)
            assert kind != "cpu" or outcome("lmpm-run-bundle", "p.bundle") == expected

    def outcome(tool, *arguments):
        tools.run(tool, *arguments, "--input", "A=A.npy", "--epochs", "2", "--quiet", "--output", "Out=out.npy",
                  cwd=tmp_path)
        return np.load(tmp_path / "out.npy").tolist()

    return run


def of_width(bits):
    """A tensor of elements of that width, written and read at ends and inside, and its sum."""
    t, n = f"i{bits}", f"w{bits}"
    return f"""  %a_{n} = arith.trunci %x : i64 to {t}
  %one_{n} = arith.constant 1 : {t}
  %odd_{n} = arith.ori %a_{n}, %one_{n} : {t}
  %g_{n} = tensor.generate {{
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %l = arith.muli %k, %x : i64
    %m = arith.trunci %l : i64 to {t}
    tensor.yield %m : {t}
  }} : tensor<37x{t}>
  %h_{n} = tensor.insert %odd_{n} into %g_{n}[%at] : tensor<37x{t}>
  %e_{n} = tensor.extract %h_{n}[%last] : tensor<37x{t}>
  %f_{n} = tensor.empty() : tensor<{t}>
  %z_{n} = linalg.fill ins(%odd_{n} : {t}) outs(%f_{n} : tensor<{t}>) -> tensor<{t}>
  %s_{n} = linalg.generic {{indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}}
      ins(%h_{n} : tensor<37x{t}>) outs(%z_{n} : tensor<{t}>) {{
  ^bb0(%u: {t}, %v: {t}):
    %y = arith.addi %u, %v : {t}
    linalg.yield %y : {t}
  }} -> tensor<{t}>
  %q_{n} = tensor.extract %s_{n}[] : tensor<{t}>
  %b_{n} = arith.xori %q_{n}, %e_{n} : {t}
  %r_{n} = arith.extsi %b_{n} : {t} to i64
"""


@pytest.mark.parametrize("widths", [WIDTHS[:4], WIDTHS[4:]], ids=lambda widths: str(widths[0]))
def test_elements_of_every_width(expect_alike, widths):
    body, total = "", "zero"
    for bits in widths:
        text, name = add_result(total, f"r_w{bits}")
        body, total = body + of_width(bits) + text, name
    expect_alike(body, total)


@pytest.mark.parametrize("bits", (24, 33, 40))
def test_elements_of_one_width(expect_alike, bits):
    """Alone, so that nothing else takes what lies behind the buffer."""
    expect_alike(of_width(bits), f"r_w{bits}", sizes=(300,))
