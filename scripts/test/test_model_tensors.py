"""Tensors of models in memory: elements of every width, and slices of every form, mean the same on every back end,
for one cell as for many, however many cells a tile has.
"""

import json
import os
import random

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
ALL = bool(os.environ.get("LCI_ALL_WAYS"))
FEW, MOST = ("cpu", "kernels"), ("kernels", "single", "vectors")
WIDTHS = (1, 7, 17, 24, 33, 40, 56, 63)


def add_result(total, result):
    """What a sum becomes with one more result of a model, and its name."""
    return f"""  %p_{result} = arith.muli %{total}, %prime : i64
  %t_{result} = arith.addi %p_{result}, %{result} : i64
""", f"t_{result}"


@pytest.fixture
def expect_alike(tools, tmp_path):
    """Runs a model on every back end and compares what comes out with the interpreter's. Of several sizes
    only the last one goes in most ways, or with LCI_ALL_WAYS=1 (`make test-long`) each in all."""
    def run(body, total, schedule="all", sizes=(1, 300)):
        (tmp_path / "p.lmpm").write_text(PROGRAM.replace("SCHEDULE", schedule))
        (tmp_path / "model.mlir").write_text(MODEL.format(body=body, total=total))
        for size in sizes:
            (tmp_path / "b.json").write_text(json.dumps(
                {"sizes": {"N": size}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
            np.save(tmp_path / "A.npy", (np.arange(size) * 77773 + 5).astype(np.int32))
            expected = outcome("lmpm-run", "p.lmpm", "--bindings", "b.json", "--backend=interp")
            assert size == 1 or len(set(expected)) > 1
            for way in WAYS if ALL else FEW if size < sizes[-1] else MOST:
                flags = WAYS[way]
                assert outcome("lmpm-run", "p.lmpm", "--bindings", "b.json", *flags) == expected, (size, way)
        for kind in ("cpu", "cuda") if ALL else ("cuda",):
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


@pytest.mark.parametrize("bits", (24, 33, 40) if ALL else (33,))
def test_elements_of_one_width(expect_alike, bits):
    """Alone, so that nothing else takes what lies behind the buffer."""
    expect_alike(of_width(bits), f"r_w{bits}", sizes=(300,))


def spelled(shape):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + "i64>"


def numbered(name, shape, factor):
    """A tensor whose elements are a number, of the cell's or of none, for each place."""
    dims = ", ".join(f"%d{axis}: index" for axis in range(len(shape)))
    text = f"  %{name} = tensor.generate {{\n  ^bb0({dims}):\n    %n0 = arith.addi {factor}, {factor} : i64\n"
    for axis, extent in enumerate(shape):
        text += (f"    %x{axis} = arith.constant {extent} : i64\n    %m{axis} = arith.muli %n{axis}, %x{axis} : i64\n"
                 f"    %k{axis} = arith.index_cast %d{axis} : index to i64\n"
                 f"    %n{axis + 1} = arith.addi %m{axis}, %k{axis} : i64\n")
    return text + f"    tensor.yield %n{len(shape)} : i64\n  }} : {spelled(shape)}\n"


def summed(name, tensor, shape):
    """The sum of a tensor's elements, each times a number of its place."""
    text, number = "", "%zero"
    for axis in range(len(shape)):
        text += (f"    %i{axis} = linalg.index {axis} : index\n    %k{axis} = arith.index_cast %i{axis} : index to i64\n"
                 f"    %l{axis} = arith.addi {number}, %k{axis} : i64\n"
                 f"    %n{axis} = arith.muli %l{axis}, %prime : i64\n")
        number = f"%n{axis}"
    dims = ", ".join(f"d{axis}" for axis in range(len(shape)))
    kinds = ", ".join(['"reduction"'] * len(shape))
    return f"""  %s_{name} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ()>],
      iterator_types = [{kinds}]}} ins(%{tensor} : {spelled(shape)}) outs(%none : tensor<i64>) {{
  ^bb0(%u: i64, %v: i64):
{text}    %y = arith.addi {number}, %prime : i64
    %z = arith.muli %u, %y : i64
    %w = arith.addi %z, %v : i64
    linalg.yield %w : i64
  }} -> tensor<i64>
  %{name} = tensor.extract %s_{name}[] : tensor<i64>
"""


class Slice:
    """A slice of a tensor of up to three axes that has strides and drops some of its axes."""

    def __init__(self, dice):
        rank = dice.randint(1, 3)
        self.sizes = [dice.choice([1, 1, 2, 3]) for _ in range(rank)]
        self.strides = [dice.randint(1, 6 if size == 1 else 3) for size in self.sizes]
        self.offsets = [dice.randint(0, 2) for _ in range(rank)]
        self.whole = [offset + (size - 1) * stride + 1 + dice.randint(0, 2)
                      for offset, size, stride in zip(self.offsets, self.sizes, self.strides)]
        self.kept = [size for size in self.sizes if size != 1 or dice.random() < 0.4]

    def place(self):
        return f"{self.offsets} {self.sizes} {self.strides}"

    def write(self, n, own):
        """Of the cell's data: what is taken from, or what is put into, or both."""
        taken, put = (("%x", "%prime"), ("%prime", "%x"), ("%x", "%x"))[own]
        whole, part = spelled(self.whole), spelled(self.kept)
        return (numbered(f"g{n}", self.whole, taken) +
                f"  %a{n} = tensor.extract_slice %g{n}{self.place()} : {whole} to {part}\n" +
                summed(f"got{n}", f"a{n}", self.kept) + numbered(f"h{n}", self.kept, put) +
                f"  %b{n} = tensor.insert_slice %h{n} into %g{n}{self.place()} : {part} into {whole}\n" +
                summed(f"set{n}", f"b{n}", self.whole))


NONE = """  %nowhere = tensor.empty() : tensor<i64>
  %none = linalg.fill ins(%zero : i64) outs(%nowhere : tensor<i64>) -> tensor<i64>
"""


@pytest.mark.parametrize("schedule", ["all", "raster"])
@pytest.mark.parametrize("seed", range(3 if ALL else 1))
def test_slices_of_every_form(expect_alike, seed, schedule):
    dice = random.Random(seed)
    body, total = NONE, "zero"
    for n in range(6 if ALL else 3):
        body += Slice(dice).write(n, n % 3)
        for result in (f"got{n}", f"set{n}"):
            text, total = add_result(total, result)
            body += text
    sizes = (1, 3) if schedule == "raster" else (1, 2, 65) if ALL else (1, 65)
    expect_alike(body, total, schedule, sizes)


@pytest.mark.parametrize("strides, kept, at", [([1, 2, 1], 3, 1), ([2, 5, 1], 3, 1), ([1, 2, 3], 3, 2)])
def test_a_single_cell_takes_a_strided_row(expect_alike, strides, kept, at):
    """A tile of one cell has one more axis of one element, which is not the one that is dropped."""
    sizes, place = [1, 1, 1], [1, 0, 0]
    sizes[at] = kept
    body = numbered("g", [4, 11, 8], "%x") + (
        f"  %s = tensor.extract_slice %g{place} {sizes} {strides} : {spelled([4, 11, 8])} to tensor<{kept}xi64>\n"
        f"  %r0 = tensor.extract %s[%at] : tensor<{kept}xi64>\n")
    expect_alike(body, "r0", sizes=(1, 2, 65) if ALL else (1, 65))


def test_constants_of_every_width(tools, tmp_path, build_dir):
    """Tables of numbers that do not fill their bytes, and numbers by themselves, also as PTX."""
    body, total = "", "zero"
    for bits in (3, 8, 17, 24, 33, 40, 48, 56, 63):
        text, name = add_result(total, f"r{bits}")
        body += f"""  %k{bits} = arith.constant dense<[2, 1, -3, 3]> : tensor<4xi{bits}>
  %o{bits} = arith.constant dense<-2> : tensor<i{bits}>
  %m{bits} = arith.remui %at, %four : index
  %e{bits} = tensor.extract %k{bits}[%m{bits}] : tensor<4xi{bits}>
  %f{bits} = tensor.extract %o{bits}[] : tensor<i{bits}>
  %s{bits} = arith.xori %e{bits}, %f{bits} : i{bits}
  %r{bits} = arith.extsi %s{bits} : i{bits} to i64
""" + text
        total = name
    model = MODEL.format(body="  %four = arith.constant 4 : index\n" + body, total=total)
    (tmp_path / "p.lmpm").write_text(PROGRAM.replace("SCHEDULE", "all"))
    (tmp_path / "model.mlir").write_text(model)
    (tmp_path / "b.json").write_text(json.dumps(
        {"sizes": {"N": 9}, "models": {"Model": {"file": "model.mlir", "function": "f"}}}))
    np.save(tmp_path / "A.npy", np.arange(9, dtype=np.int32))
    machine = f"--cuda-driver={build_dir / 'lib' / 'libLCIPTXMachine.so'}"
    results = []
    for flags in (["--backend=interp"], ["--backend=cpu"], ["--backend=kernels"], ["--backend=cuda", machine]):
        tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", *flags, "--input", "A=A.npy", "--epochs", "1",
                  "--quiet", "--output", "Out=out.npy", cwd=tmp_path)
        results.append(np.load(tmp_path / "out.npy").tolist())
    assert len(set(results[0])) == 4
    assert results == results[:1] * 4
