"""PTX as LLVM writes it, run on this machine one instruction after the other (unittests/PTXMachine), in
place of a GPU: the bits are the interpreter's, no thread leaves its arrays, and none disturbs another one.
Launches of a graph come in an order that is allowed but not the one of the plan."""

import os
import re
import pathlib
import sys

import numpy as np
import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS), str(SCRIPTS / "test")]
from small_examples import PROGRAMS, arguments  # noqa: E402
from test_kernels import ends_as_on_the_cpu  # noqa: E402
from test_tf32 import run  # noqa: E402
from test_ways import command  # noqa: E402
from tf32_network import Network  # noqa: E402
from tf32_tokens import Choice, Policy  # noqa: E402

# Sums of a block by shuffles, by instructions of warps; pairs of numbers in one register.
CHIPS = ("75", "90", "100")
# Their networks make some hundred million products in an epoch.
LONG = ("masked-image", "torus10", "video")


@pytest.fixture(name="machine")
def find_machine(build_dir):
    return ("--backend=cuda", f"--cuda-driver={build_dir / 'lib' / 'libLCIPTXMachine.so'}")


ALL = bool(os.environ.get("LCI_ALL_WAYS"))


# A third of those that are not long, or all.
@pytest.mark.parametrize("number", range(len(PROGRAMS)) if ALL else
                         [number for number, program in enumerate(PROGRAMS) if program.stem not in LONG][::3],
                         ids=lambda number: PROGRAMS[number].stem)
def test_examples_end_in_the_same_bits(tools, tmp_path, machine, monkeypatch, number):
    program = PROGRAMS[number]
    monkeypatch.setenv("PTX_MACHINE_CHIP", CHIPS[number % len(CHIPS)])
    if program.stem not in LONG:
        monkeypatch.setenv("PTX_MACHINE_RACES", "1")
    if number % 2:  # whose kernels must not leave their buffers; of the others lives must be right
        monkeypatch.setenv("LMPM_SEPARATE_SCRATCH", "1")
    words = (*command(program), "--epochs", "1" if program.stem in LONG else "3")
    assert ends_as_on_the_cpu(tools, tmp_path, words, *machine)


def test_graphs_wait_for_who_has_the_same_scratch(tools, tmp_path, machine, monkeypatch):
    """As on a GPU, where nothing is poisoned, which would be one more thing that is waited for."""
    monkeypatch.delenv("LMPM_POISON_SCRATCH")
    text = next(program for program in PROGRAMS if program.stem == "text")
    words = (*command(text), "--epochs", "2")
    assert ends_as_on_the_cpu(tools, tmp_path, words, *machine)


@pytest.mark.parametrize("width, height", ((1984, 192), (2000, 256)))
def test_several_epochs_of_a_launch_end_in_the_same_bits(tools, tmp_path, machine, width, height):
    """On a GPU of two multiprocessors, which a few tiles occupy."""
    life = tmp_path / "life.mlir"
    module = tools.run("lmpm-translate", "--import-lmpm", SCRIPTS.parent / "examples/life/life.lmpm").stdout
    gpu = 'module attributes {lci.target = #lci.gpu<chip = "sm_90", multiprocessors = 2>} {'
    life.write_text(module.replace("module {", gpu))
    words = (life, "--set", f"W={width}", "--set", f"H={height}")
    assert re.search("loop .* 8$", tools.run("lmpm-translate", "--lci-to-plan", *words).stdout, re.M)
    assert ends_as_on_the_cpu(tools, tmp_path, (*words, "--epochs", "9", "--counters", "changed"), *machine)


@pytest.mark.parametrize("sizes, sides", (((29, 23), (7, 10)), ((81, 33, 20), (7, 9)),
                                          ((16, 136, 8), (4, 9)), ((8, 200), (5, 7))))
def test_tensor_cores_hold_what_they_are_said_to(tools, tmp_path, machine, sizes, sides):
    network = Network(tmp_path, sizes, sides)
    assert np.array_equal(run(tools, network, "--tf32", *machine), network.added_in_order())


@pytest.mark.parametrize("policy", Policy)
def test_threads_of_a_warp_find_the_best_token(tools, tmp_path, machine, policy):
    choice = Choice(tmp_path, 320, (5, 7), policy)
    found = run(tools, choice, "--tf32", *machine, value="Cell")
    assert np.array_equal(found, run(tools, choice, value="Cell"))


def test_a_bundle_runs_there(tools, tmp_path, machine, monkeypatch):
    monkeypatch.setenv("PTX_MACHINE_CHIP", "100")  # what NVIDIA's assembler made is for an older chip
    life = SCRIPTS.parent / "examples" / "life" / "life.lmpm"
    words = (life, "--set", "W=67", "--set", "H=33")
    tools.run("lmpm-translate", "--lci-to-bundle", "--bundle-for=cuda", "--chip=sm_90", *words, "-o",
              tmp_path / "life.bundle")
    tools.run("lmpm-run", *words, "--epochs=4", "--checkpoint", tmp_path / "cpu")
    done = tools.run("lmpm-run-bundle", tmp_path / "life.bundle", "--epochs=4", "--checkpoint",
                     tmp_path / "ptx", *machine, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ptx").read_bytes() == (tmp_path / "cpu").read_bytes()
