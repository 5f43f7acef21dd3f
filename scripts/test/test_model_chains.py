"""Chains of operations that models are made of, one taking what another gives: at random, on numbers with narrow
ranges and on any, compiled code has the interpreter's bits. Alone, each operation is in test_model_operations.py.
"""

import itertools
import os
import random

import pytest

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
BINARY = ("addi subi muli andi ori xori minui maxui minsi maxsi divui divsi remui remsi floordivsi ceildivsi ceildivui "
          "shli shrui shrsi").split()
PREDICATES = ["ult", "ugt", "ule", "slt", "sge", "eq"]
CONSTANTS = [1, 2, 3, 5, 7, 9, 11, 60, 63, 100, 127, 251, -1, -3, -9, -100, -128]
CELLS, CHAINS, PRIME = 96, 8, 251


class Chain:
    """The text of a model's body: each operation takes one of the last few values, mostly the last."""

    def __init__(self, seed, number):
        self.random, self.number = random.Random(f"{seed} {number}"), number
        self.lines, self.values, self.count = [], [("%t", "i64")], itertools.count()
        for _ in range(self.random.randint(3, 12)):
            self.random.choice([self.combine, self.combine, self.convert, self.return_from, self.narrow, self.narrow,
                                self.choose])()

    def new(self, kind, text):
        name = f"%v{self.number}_{next(self.count)}"
        self.lines.append(f"{name} = {text}")
        self.values.append((name, kind))
        return name

    def last(self):
        return self.values[-1] if self.random.random() < 0.8 else self.random.choice(self.values)

    def constant(self, kind):
        number = 1 if kind == "i1" else self.random.choice(CONSTANTS)
        if WIDTHS[kind] == 8:
            number = (number + 128) % 256 - 128
        return self.new(kind, f"arith.constant {'true' if kind == 'i1' else number}" +
                        ("" if kind == "i1" else f" : {kind}"))

    def other(self, kind):
        known = [name for name, its in self.values if its == kind]
        return self.random.choice(known) if self.random.random() < 0.4 else self.constant(kind)

    def combine(self):
        name, kind = self.last()
        operands = [name, self.other(kind)]
        if self.random.random() < 0.2:
            operands.reverse()
        self.new(kind, f"arith.{self.random.choice(BINARY)} {operands[0]}, {operands[1]} : {kind}")

    def return_from(self):
        """To another width and back."""
        kind = self.last()[1]
        self.convert()
        if self.values[-1][1] != kind:
            self.convert(kind)

    def convert(self, target=None):
        """To another width, by way of an index or a float now and then."""
        name, kind = self.last() if target is None else self.values[-1]
        target = target or self.random.choice([other for other in WIDTHS if other != kind])
        if "index" in (kind, target):
            cast = self.random.choice(["index_cast", "index_castui"])
        elif self.random.random() < 0.1 and kind != "i1":
            signs = self.random.choices("su", k=2)
            name = self.new("f32", f"arith.{signs[0]}itofp {name} : {kind} to f32")
            self.values.pop()
            kind, cast = "f32", f"fpto{signs[1]}i"
        elif WIDTHS[target] > WIDTHS[kind]:
            cast = self.random.choice(["extsi", "extui"])
        else:
            cast = "trunci"
        self.new(target, f"arith.{cast} {name} : {kind} to {target}")

    def narrow(self):
        """A number of which a compiler knows that it is small, perhaps negative."""
        name, kind = self.last()
        if kind == "i1":
            return self.convert()
        small = self.new(kind, f"arith.constant {self.random.choice([2, 3, 11, 100, 127])} : {kind}")
        name = self.new(kind, f"arith.{self.random.choice(['remsi', 'remui', 'andi'])} {name}, {small} : {kind}")
        if self.random.random() < 0.6:
            name = self.new(kind, f"arith.muli {name}, {self.constant(kind)} : {kind}")
        if self.random.random() < 0.6:
            self.new(kind, f"arith.{self.random.choice(BINARY)} {name}, {self.constant(kind)} : {kind}")

    def choose(self):
        name, kind = self.last()
        test = self.new("i1", f"arith.cmpi {self.random.choice(PREDICATES)}, {name}, {self.other(kind)} : {kind}")
        self.new(kind, f"arith.select {test}, {name}, {self.other(kind)} : {kind}")

    def text(self):
        """The operations, and those that make a number of the last values, each of whose bits matters."""
        lines, sum = list(self.lines), "%zero"
        for name, kind in self.values[-4:]:
            wide = f"{name}_of_{len(lines)}"
            if kind == "index":
                lines.append(f"{wide} = arith.index_cast {name} : index to i64")
            elif kind != "i64":
                lines.append(f"{wide} = arith.extui {name} : {kind} to i64")
            else:
                wide = name
            times, sum_of = f"%times{self.number}_{len(lines)}", f"%sum{self.number}_{len(lines)}"
            lines += [f"{times} = arith.muli {sum}, %odd : i64", f"{sum_of} = arith.addi {times}, {wide} : i64"]
            sum = sum_of
        return lines, sum


def model(seed):
    """A function with several chains; the second argument says which of them is the answer."""
    lines = ["%c0 = arith.constant 0 : index", "%zero = arith.constant 0 : i64", "%odd = arith.constant 1000003 : i64",
             f"%prime = arith.constant {PRIME} : i64", "%t = tensor.extract %as[%c0] : tensor<1xi64>",
             "%which = tensor.extract %bs[%c0] : tensor<1xi64>"]
    answer = "%zero"
    for number in range(CHAINS):
        chain, sum = Chain(seed, number).text()
        lines += [*chain, f"%n{number} = arith.constant {number} : i64",
                  f"%is{number} = arith.cmpi eq, %which, %n{number} : i64",
                  f"%answer{number} = arith.select %is{number}, {sum}, {answer} : i64"]
        answer = f"%answer{number}"
    lines += [f"%token = arith.remui {answer}, %prime : i64", "return %token : i64"]
    return ("func.func @f(%as: tensor<1xi64>, %pa: tensor<1xi1>, %bs: tensor<1xi64>, %pb: tensor<1xi1>) -> i64 {\n  " +
            "\n  ".join(lines) + "\n}\n")


PROGRAM = f"""
value A : I32 shape Seq({CELLS}) init[i] (i * i * 7 + i) % 311 - 100
value B : I32 shape Seq({CHAINS}) init[k] k
value Out : Token[{PRIME}] shape Grid({CHAINS}, {CELLS}) init 0
visible Out[k, i] <- A[i]
visible Out[k, i] <- B[k]
rule Ask: on Out[k, i] emit proposal Out[k, i] := Model(A[i], B[k])
commit Out[*] using accept
"""


@pytest.mark.parametrize("seed", range(12) if os.environ.get("LCI_ALL_WAYS") else (2, 3))
def test_chains_mean_the_same(tmp_path, tools, seed):
    (tmp_path / "model.mlir").write_text(model(seed))
    (tmp_path / "chains.lmpm").write_text(PROGRAM)
    (tmp_path / "bindings.json").write_text('{"models": {"Model": {"file": "model.mlir", "function": "f"}}}')
    for way in ("--backend=cpu", "--backend=kernels"):
        tools.run("lmpm-run", tmp_path / "chains.lmpm", "--bindings", tmp_path / "bindings.json", "--epochs", 1,
                  "--quiet", "--check", way)
