#!/usr/bin/env python3
"""Gives tensors of PyTorch to runs on a GPU and takes cells from there, and compares them with the CPU's.

    scripts/gpu/tensors.py [--backend cuda|kernels] [--size 512]

Needs the package lmpm (`make wheel`, or PYTHONPATH=build/python) and, for the back end cuda, a PyTorch with
CUDA; `kernels` takes the same way on this machine's processor. The exit status says whether all are
equal: 0 if so, 1 if not, 3 if there is no GPU.
"""

import argparse
import gc
import sys

import numpy
import torch

import lmpm

LIFE = """
value Cell : Token[2] shape Grid2D(W, H) boundary wrap
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule Life:
  on Cell[x,y]
  let n = count(near == 1)
  emit proposal Cell[x,y] := if n == 3 or (n == 2 and self == 1) then 1 else 0
commit Cell[*] using accept
"""
NUMBERS = "value A : F32 shape Seq(N)"
EPOCHS = 5


def host(tensor):
    return numpy.from_dlpack(torch.from_dlpack(tensor).cpu())


def views(cells):
    """The same cells in other types and orders; the work that makes them is still under way on a GPU."""
    for dtype in (torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64):
        yield f"{dtype}", cells.to(dtype)
    yield "transposed", cells.t().contiguous().t()
    yield "every other", cells.repeat_interleave(2, 1)[:, ::2]


def checks(backend, size):
    """What is compared, and whether it is equal."""
    where = "cuda" if backend == "cuda" else "cpu"
    program = lmpm.parse(LIFE)
    cells = torch.rand((size, size), generator=torch.Generator().manual_seed(1)) < 0.3
    expected = program.compile(W=size, H=size).run({"Cell": cells}, epochs=EPOCHS)["Cell"]
    compiled = program.compile(W=size, H=size, backend=backend)
    there = cells.to(where)
    for name, given in views(there):
        run = compiled.run({"Cell": given}, epochs=EPOCHS)
        taken = torch.from_dlpack(run.tensor("Cell"))
        yield f"{name}: it is on {where}", taken.device.type == where
        yield f"{name}: the tensor", numpy.array_equal(host(taken), expected)
        yield f"{name}: the array", numpy.array_equal(run["Cell"], expected)
        yield f"{name}: what was given", bool((given == there).all())
    wrong = there.to(torch.int32)
    wrong[3, 4] = 7
    try:
        compiled.run({"Cell": wrong})
        yield "a wrong token", False
    except lmpm.Error as error:
        yield "a wrong token", "but got 7 at [3, 4]" in error.message
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        numbers = torch.randn(size, generator=torch.Generator().manual_seed(2)).to(dtype)
        run = lmpm.parse(NUMBERS).compile(N=size, backend=backend).new({"A": numbers.to(where)})
        yield f"{dtype}", numpy.array_equal(host(run.tensor("A")), host(numbers.to(torch.float32)))
    del compiled, run
    gc.collect()
    yield "a tensor outlives its run", numpy.array_equal(host(taken), expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=("cuda", "kernels"), default="cuda")
    parser.add_argument("--size", type=int, default=512, help="cells of a side")
    arguments = parser.parse_args()
    if arguments.backend == "cuda" and not torch.cuda.is_available():
        print("no GPU can be used: this PyTorch has none; --backend=kernels needs none", file=sys.stderr)
        sys.exit(3)
    found = list(checks(arguments.backend, arguments.size))
    for name, is_equal in found:
        if not is_equal:
            print(f"{name}: not equal")
    print(f"{sum(is_equal for _, is_equal in found)} of {len(found)} checks of tensors are equal on "
          f"{arguments.backend}")
    sys.exit(0 if all(is_equal for _, is_equal in found) else 1)


if __name__ == "__main__":
    main()
