"""What a GPU would run: an example's launch plan and kernels end in the bits of the CPU's code, one
thread after the other, and NVIDIA's assembler takes them for its chips. These are every second example,
of which test_ptx_machine.py has the others; with LCI_ALL_WAYS=1 (`make test-long`) both have all.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS), str(SCRIPTS / "test")]
from find_ptxas import find_ptxas  # noqa: E402
from small_examples import SIZES, arguments  # noqa: E402
from test_ways import PROGRAMS, command  # noqa: E402

PTXAS = find_ptxas(SCRIPTS.parent)
CHIPS = ("sm_80", "sm_90", "sm_100")
ALL = bool(os.environ.get("LCI_ALL_WAYS"))
SAMPLE = PROGRAMS if ALL else PROGRAMS[1::3]


def assemble(tools, folder, chip, *words):
    """The PTX of a program, and the bytes that NVIDIA's assembler spills, of each kernel twice."""
    file = folder / "p.ptx"
    tools.run("lmpm-translate", "--lci-to-ptx", f"--chip={chip}", *words, "-o", file)
    done = subprocess.run([PTXAS, f"-arch={chip}", "-v", file, "-o", folder / "p.cubin"],
                          capture_output=True, text=True, check=True)
    spilt = [int(size) for size in re.findall(r"(\d+) bytes spill", done.stdout + done.stderr)]
    assert spilt
    return file.read_text(), spilt


def ends_as_on_the_cpu(tools, folder, words, *flags):
    """Whether a run that is told some flags leaves what it leaves without them."""
    tools.run("lmpm-run", *words, "--checkpoint", folder / "cpu")
    tools.run("lmpm-run", *words, "--checkpoint", folder / "other", *flags)
    return (folder / "other").read_bytes() == (folder / "cpu").read_bytes()


@pytest.mark.parametrize("program", SAMPLE, ids=lambda program: program.stem)
def test_kernels_end_in_the_same_bits(tools, tmp_path, program):
    words = (*command(program), "--epochs", "3")
    assert ends_as_on_the_cpu(tools, tmp_path, words, "--backend=kernels")


@pytest.mark.skipif(PTXAS is None, reason="no ptxas")
@pytest.mark.parametrize("program, chip", [
    (program, chip) for number, program in enumerate(SAMPLE)
    for chip in (CHIPS if ALL else [CHIPS[number % len(CHIPS)]])],
    ids=lambda of: of if isinstance(of, str) else of.stem)
def test_the_assembler_takes_them_and_moves_no_registers_to_memory(tools, tmp_path, program, chip):
    # Of many rows, several are one thread's.
    words = arguments(program, (1024, 1024) if program.stem in SIZES else None)
    _, spilt = assemble(tools, tmp_path, chip, *words)
    assert max(spilt) == 0


@pytest.mark.skipif(PTXAS is None, reason="no ptxas")
def test_the_assembler_takes_several_epochs(tools, tmp_path):
    life = SCRIPTS.parent / "examples" / "life" / "life.lmpm"
    ptx, spilt = assemble(tools, tmp_path, "sm_90", life, "--set", "W=4096", "--set", "H=4096")
    assert "bar.sync" in ptx.split("program_kernel_3(")[1]
    assert max(spilt) == 0


def test_several_epochs_of_a_launch_end_in_the_same_bits(tools, tmp_path):
    life = SCRIPTS.parent / "examples" / "life" / "life.lmpm"
    words = (life, "--set", "W=4000", "--set", "H=4096", "--epochs", "21", "--counters", "changed")
    assert ends_as_on_the_cpu(tools, tmp_path, words, "--backend=kernels")
