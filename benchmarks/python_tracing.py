"""What tracing costs: the time for each operation that a Python function of a rule makes.

    python3 benchmarks/python_tracing.py [--build build] [--operations 400]

prints a table of microseconds for each operation (the best of several rounds): of tracing it; with
the declaration of the rule, which writes the nodes that are used; with their IR. Only the chain uses
all it makes.
"""

import argparse
import pathlib
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def make(lmpm, body):
    """A program whose rule has a body that gets the traced cell."""
    program = lmpm.Program("measured")
    cell = program.value("Cell", lmpm.Token(8), lmpm.Grid2D("W", "H"), boundary="wrap", init=0)
    cell.sees(cell, near=cell[lmpm.N8])

    @program.rule(on=cell)
    def measured(self, near):
        return body(lmpm, cell, self, near)

    program.commit(cell, "accept")
    return program


def add(lmpm, cell, self, near, operations):
    for _ in range(operations):
        x = self + 1
    return x


def compare(lmpm, cell, self, near, operations):
    for _ in range(operations):
        x = self == 1
    return x


def call(lmpm, cell, self, near, operations):
    alive = self == 1
    for _ in range(operations):
        x = lmpm.where(alive, 1, 0)
    return x


def reference(lmpm, cell, self, near, operations):
    x, y = lmpm.indices("x y")
    for _ in range(operations):
        read = cell[x, y]
    return read


def reduction(lmpm, cell, self, near, operations):
    for _ in range(operations):
        x = near.sum()
    return x


def chain(lmpm, cell, self, near, operations):
    """Operations that are all used: they become lets."""
    x = self
    for number in range(operations):
        x = (x + number) % 8
    return x


def once(lmpm, function, operations):
    """Seconds: of the function alone, until the rule is declared, until there is IR."""
    traced = []

    def body(*arguments):
        begin = time.perf_counter()
        result = function(*arguments, operations)
        traced.append(time.perf_counter() - begin)
        return result
    begin = time.perf_counter()
    program = make(lmpm, body)
    declared = time.perf_counter() - begin
    program.module
    return traced[0], declared, time.perf_counter() - begin


def measure(lmpm, function, operations, rounds=7):
    """Microseconds for each operation, without what a program with one operation takes."""
    def best(operations):
        return [min(one) for one in zip(*(once(lmpm, function, operations) for _ in range(rounds)))]
    count = (operations - 1) * (2 if function is chain else 1)
    return [(many - one) / count * 1e6 for many, one in zip(best(operations), best(1))]


def main():
    parser = argparse.ArgumentParser(description="Measures what tracing costs.")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--operations", type=int, default=400)
    options = parser.parse_args()
    sys.path.insert(0, str(options.build.resolve() / "python"))
    import lmpm
    print("operation            traced   declared   with IR   (us each)")
    for name, function in [("self + 1", add), ("self == 1", compare), ("where(c, a, b)", call),
                           ("cell[x, y]", reference), ("near.sum()", reduction),
                           ("chain of + and %", chain)]:
        traced, declared, total = measure(lmpm, function, options.operations)
        print(f"{name:18} {traced:8.2f} {declared:10.2f} {total:9.2f}")


if __name__ == "__main__":
    main()
