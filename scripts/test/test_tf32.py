"""Products by tensor cores: of numbers with eleven bits, and within the bound that docs/gpu.md states.

What a GPU adds in its own order the kernels on this machine add one after the other, which is known to
the bit: a product of two numbers of eleven bits is exact.
"""

import itertools
import os
import pathlib
import sys

import numpy as np
import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS), str(SCRIPTS / "test")]
from small_examples import PROGRAMS, arguments  # noqa: E402
from test_kernels import PTXAS, assemble  # noqa: E402
from tf32_network import Network  # noqa: E402
from tf32_tokens import Choice, Policy  # noqa: E402

#: `make test` takes two or three of each kind that is slow, `make test-long` all of it.
ALL = bool(os.environ.get("LCI_ALL_WAYS"))
NETWORKS = ("masked-image", "nca", "text", "torus10", "video")


def run(tools, program, *flags, value="Y"):
    """What a program's value becomes."""
    result = program.folder / "result.npy"
    tools.run("lmpm-run", *program.words, "--epochs=1", "--quiet",
              f"--output={value}={result}", *flags)
    return np.load(result)


# Steps, outputs and cells that fill blocks of 8, 8 and 16 or 32, and such that do not; more outputs than
# a warp takes.
ONE_LAYER = (((32, 16), (8, 8)), ((29, 23), (7, 10)), ((48, 64), (7, 9)), ((5, 128), (3, 50)),
             ((81, 33), (1, 40)), ((128, 128), (16, 20)), ((8, 200), (5, 7)))


@pytest.mark.parametrize("sizes, sides", ONE_LAYER if ALL else ONE_LAYER[1::2])
def test_sums_are_what_they_are_said_to_be(tools, tmp_path, sizes, sides):
    network = Network(tmp_path, sizes, sides)
    found = run(tools, network, "--backend=kernels", "--tf32")
    assert np.array_equal(found, network.added_in_order())
    assert (np.abs(found - network.exact()) <= network.bound()).all()
    assert not np.array_equal(found, run(tools, network, "--backend=kernels"))


# What fits into registers, fills blocks or not; and what lies in memory between two kernels.
TWO_LAYERS = (((48, 128, 16), (8, 9)), ((81, 33, 20), (7, 9)), ((64, 30, 27), (3, 5)),
              ((16, 64, 200), (4, 9)), ((16, 136, 8), (4, 9)), ((40, 40, 40), (5, 13)))


@pytest.mark.parametrize("sizes, sides", TWO_LAYERS if ALL else TWO_LAYERS[:3:2])
def test_layers_follow_one_another(tools, tmp_path, sizes, sides):
    network = Network(tmp_path, sizes, sides)
    found = run(tools, network, "--backend=kernels", "--tf32")
    assert np.array_equal(found, network.added_in_order())


def test_only_who_asks_for_it_gets_other_bits(tools, tmp_path):
    network = Network(tmp_path, (29, 23), (7, 10))
    assert np.array_equal(run(tools, network), run(tools, network, "--backend=kernels"))


# Of 64 tokens a warp finds the best: vocabularies of several such groups, of one and a half, and of parts
# that make no groups; cells that fill no warp.
VOCABULARIES = ((256, (8, 9)), (320, (5, 7)), (128, (6, 9)), (272, (1, 40)))
CHOICES = (list(itertools.product(VOCABULARIES, Policy)) if ALL else
           [(VOCABULARIES[0], Policy.FREELY), (VOCABULARIES[-1], Policy.BOUND)])


@pytest.mark.parametrize("vocabulary, policy", CHOICES)
def test_the_first_of_equal_tokens_stays(tools, tmp_path, vocabulary, policy):
    choice = Choice(tmp_path, *vocabulary, policy)
    tokens = run(tools, choice, value="Cell")
    assert len(set(tokens.flat)) > 2
    for flags in ((), ("--tf32",)):
        found = run(tools, choice, "--backend=kernels", *flags, value="Cell")
        assert np.array_equal(found, tokens)


@pytest.mark.skipif(PTXAS is None, reason="no ptxas")
@pytest.mark.parametrize("policy", Policy)
def test_threads_take_tokens_from_each_other(tools, tmp_path, policy):
    choice = Choice(tmp_path, 1024, (64, 96), policy)
    ptx, spilt = assemble(tools, tmp_path, "sm_90", "--tf32", *choice.words)
    kernels = [kernel for kernel in ptx.split(".entry") if "mma.sync" in kernel]
    assert len(kernels) == 1 and "shfl.sync.down.b32" in kernels[0]
    assert max(spilt) == 0


@pytest.mark.skipif(PTXAS is None, reason="no ptxas")
@pytest.mark.parametrize("number", range(0, len(NETWORKS), 1 if ALL else 2), ids=NETWORKS.__getitem__)
def test_the_assembler_takes_products(tools, tmp_path, number):
    chip = ("sm_80", "sm_90", "sm_100")[number % 3]
    program = next(program for program in PROGRAMS if program.stem == NETWORKS[number])
    ptx, spilt = assemble(tools, tmp_path, chip, "--tf32", *arguments(program))
    assert "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" in ptx
    assert max(spilt) == 0


def test_an_old_chip_has_no_such_cores(tools, tmp_path):
    network = Network(tmp_path, (29, 23), (7, 10))
    done = tools.run("lmpm-translate", "--lci-to-ptx", "--tf32", "--chip=sm_75", *network.words,
                     check=False)
    assert done.returncode == 1
    assert ("error: expected a chip from sm_80 on, whose tensor cores know TF32, but got 'sm_75'"
            in done.stderr)
