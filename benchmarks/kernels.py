#!/usr/bin/python3
"""How large the kernels of the examples are: registers, spills and machine instructions on a GPU.

    benchmarks/kernels.py [--build build] [--chip sm_90]

Prints a Markdown table, for each program the largest kernel of its epochs, as NVIDIA's assembler makes it
(`ptxas`, from PATH or PyPI's nvidia-cuda-nvcc). No GPU is needed, and nothing is run: an instruction in a loop
counts once.
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SOURCE / "scripts"))
from find_ptxas import find_ptxas  # noqa: E402
from small_examples import PROGRAMS, arguments as words_of  # noqa: E402

BYTES_OF_INSTRUCTION = 16
# Programs, their sizes, and how many cells a thread of the largest kernel computes.
ROWS = (("life", (4096, 4096), "512"), ("ising", (4096, 4096), "64"), ("sor", (4096, 4096), "4"),
        ("gray-scott", (2048, 2048), "8"), ("nca", (512, 512), "1"),
        ("video", None, "1"))


def read_sections(cubin):
    """The names and sizes of the sections of an ELF file of 64 bits."""
    offset, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(count)]
    start = headers[names][4]
    for name, _, _, _, _, length in headers:
        begin = start + name
        yield cubin[begin:cubin.index(b"\0", begin)].decode(), length


def find_repeated(plan):
    """The kernels that a launch plan launches in its loops."""
    depth = 0
    for line in plan.splitlines():
        words = line.split()
        depth += words[:1] in (["loop"], ["if"]) and (depth > 0 or words[0] == "loop")
        depth -= words[:1] == ["end"] and depth > 0
        if words[:1] == ["launch"] and depth:
            yield words[1]


def measure(tools, ptxas, chip, name, size):
    """Of the largest kernel of an example: registers, bytes of spills, instructions."""
    program = next(program for program in PROGRAMS if program.stem == name)
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "p.ptx"), pathlib.Path(folder, "p.cubin")
        translate = [tools / "lmpm-translate", *map(str, words_of(program, size))]
        subprocess.run([*translate, "--lci-to-ptx", f"--chip={chip}", "-o", ptx], check=True,
                       stderr=subprocess.DEVNULL)
        plan = subprocess.run([*translate, "--lci-to-plan"], check=True, capture_output=True, text=True)
        said = subprocess.run([ptxas, "-v", f"-arch={chip}", ptx, "-o", cubin], check=True,
                              capture_output=True, text=True)
        sizes = {name.removeprefix(".text."): length // BYTES_OF_INSTRUCTION
                 for name, length in read_sections(cubin.read_bytes())
                 if name.startswith(".text.")}
    kernel = max(find_repeated(plan.stdout), key=sizes.get)
    facts = re.search(rf"(?:properties for|entry function .){kernel}\b.*?(\d+) bytes spill stores.*?"
                      r"Used (\d+) registers", said.stderr + said.stdout, re.S)
    return int(facts[2]), int(facts[1]), sizes[kernel]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--chip", default="sm_90")
    arguments = parser.parse_args()
    ptxas = find_ptxas(SOURCE)
    if ptxas is None:
        sys.exit("expected NVIDIA's assembler, ptxas, on PATH, but found none")
    print("| program | cells of a thread | registers | bytes of spills | instructions |")
    print("|---|---|---|---|---|")
    for name, size, cells in ROWS:
        registers, spills, count = measure(arguments.build / "bin", ptxas, arguments.chip, name, size)
        shown = f"{name}, {size[0]} × {size[1]}" if size else name
        print(f"| {shown} | {cells} | {registers} | {spills} | {count} |", flush=True)


if __name__ == "__main__":
    main()
