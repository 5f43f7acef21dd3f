"""Programs without their compiler: an example's bundle ends in the bits that lmpm-run gives (every second
example, with LCI_ALL_WAYS=1 all), and the C interface (LCI/Runtime/lci.h) gives them too, called as any
program would.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS / "gpu"), str(SCRIPTS / "test")]
from groups import Form, Groups, Library  # noqa: E402
from test_ways import EXAMPLES, PROGRAMS, command  # noqa: E402


def bundle_of(tools, folder, program, *flags):
    """Makes the bundle of an example on few cells."""
    words = [word for word in command(program) if word != "--quiet"]
    path = folder / "program.bundle"
    tools.run("lmpm-translate", "--lci-to-bundle", *words, *flags, "-o", path)
    return path


@pytest.mark.parametrize("program", PROGRAMS if os.environ.get("LCI_ALL_WAYS") else PROGRAMS[::4],
                         ids=lambda program: program.stem)
def test_a_bundle_ends_in_the_same_bits(tools, tmp_path, program):
    bundle = bundle_of(tools, tmp_path, program, "--bundle-for=cpu")
    tools.run("lmpm-run", *command(program), "--epochs", "3", "--checkpoint", tmp_path / "program")
    tools.run("lmpm-run-bundle", bundle, "--quiet", "--epochs", "3", "--checkpoint",
              tmp_path / "bundle")
    assert (tmp_path / "bundle").read_bytes() == (tmp_path / "program").read_bytes()


WATCHED = """value V : Token[3] shape Seq(6) init[i] i % 3
visible V[i] <- V[i]
rule R: on V[i] emit proposal V[i] := (self + 1) % 3
constraint Ends: require V[5] != 1 priority hard
commit V[*] using satisfy(max_constraints_then_score)
observe half := mean(V[i] * 0.5)
observe most := max(V[i])
observe first := mean(V[i] * 0.25)
"""


def test_hard_constraints_and_observers_are_in_it(tools, tmp_path):
    """Observers in the order of the text, whatever they see, and what is broken after the run."""
    (tmp_path / "p.lmpm").write_text(WATCHED)
    tools.run("lmpm-translate", "--lci-to-bundle", "--bundle-for=cpu", "p.lmpm", "-o", "p.bundle", cwd=tmp_path)
    for tool, program in (("lmpm-run", "p.lmpm"), ("lmpm-run-bundle", "p.bundle")):
        tools.run(tool, program, "--epochs", "2", "--quiet", "--observe", f"{tool}.csv", "--report",
                  f"{tool}.json", cwd=tmp_path)
    seen = (tmp_path / "lmpm-run.csv").read_text()
    assert seen.startswith("epoch,half,most,first\n")
    assert (tmp_path / "lmpm-run-bundle.csv").read_text() == seen
    broken = json.loads((tmp_path / "lmpm-run.json").read_text())["constraints"]["Ends"]["broken"]
    assert json.loads((tmp_path / "lmpm-run-bundle.json").read_text())["broken"] == {"Ends.broken": broken}


def test_it_runs_where_no_compiler_is(tools, tmp_path):
    """A bundle needs no other file; test_binaries.py looks at what its tool needs."""
    bundle = bundle_of(tools, tmp_path, pathlib.Path("life/life.lmpm"))
    empty = tmp_path / "empty"
    empty.mkdir()
    subprocess.run([tools.path("lmpm-run-bundle"), bundle], cwd=empty, check=True,
                   capture_output=True)


@pytest.fixture(name="library", scope="module")
def make_library(build_dir):
    return Library(build_dir / "lib" / "liblmpm-runtime.so")


def array_of(library, program, name):
    value = library.value(program, name)
    return numpy.frombuffer(value.bytes, value.type).reshape(value.shape)


def test_c_gives_the_same_bits(tools, library, tmp_path):
    ising = pathlib.Path("ising/ising.lmpm")
    bundle = bundle_of(tools, tmp_path, ising, "--bundle-for=cpu")
    tools.run("lmpm-run", *command(ising), "--epochs", "9", "--seed", "5", "--output",
              f"Spin={tmp_path / 'spin.npy'}")
    program = library.load(bundle)
    assert library.c.lci_value_count(program) == 1
    assert library.c.lci_value_name(program, ctypes.c_int64(0)) == b"Spin"
    assert library.c.lci_value_name(program, ctypes.c_int64(1)) is None
    library.call("lci_set_seed", program, ctypes.c_uint64(5))
    for _ in range(2):  # once more: the same again
        library.call("lci_start", program)
        tickets = [library.dispatch(program, epochs) for epochs in (4, 0, 5)]
        assert (array_of(library, program, b"Spin") == numpy.load(tmp_path / "spin.npy")).all()
        changed = [library.collect(ticket) for ticket in tickets]
        assert changed[0] > 0 and changed[1] == 0 and changed[2] > 0
    library.c.lci_release(program)


def test_c_gives_values_and_parameters(tools, library, tmp_path):
    bundle = tmp_path / "k.bundle"
    source = EXAMPLES.parent / "test/Driver/Inputs/parameter.lmpm"
    tools.run("lmpm-translate", "--lci-to-bundle", "--bundle-for=cpu", source, "--set", "k=2", "-o",
              bundle)
    program = library.load(bundle, b"cpu")
    library.call("lci_set_parameter", program, b"k", library.array(numpy.array(7, "int64")))
    library.call("lci_set_input", program, b"A", library.array(numpy.arange(4, dtype="int32")))
    library.call("lci_start", program)
    assert library.collect(library.dispatch(program, 10)) == 40
    assert array_of(library, program, b"A").tolist() == [70, 71, 72, 73]
    with pytest.raises(RuntimeError, match="expected lci_set_enabled before lci_start, since a run under way"):
        library.call("lci_set_enabled", program, b"Step", 0)
    group = library.add_group(program)  # with the same parameter and values, and at its start
    library.call("lci_set_enabled", group, b"Step", 0)
    library.call("lci_start", group)
    assert library.collect(library.dispatch(group, 10)) == 0
    assert array_of(library, group, b"A").tolist() == [0, 1, 2, 3]
    library.c.lci_release(program)
    library.c.lci_release(group)
    library.c.lci_release(None)


def test_groups_have_states_of_their_own(tools, library, tmp_path):
    """They share code and nothing else, whoever goes first, and take what their program was given."""
    ising = pathlib.Path("ising/ising.lmpm")
    bundle = bundle_of(tools, tmp_path, ising, "--bundle-for=cpu")
    seeds = (5, 6, 7)
    for seed in seeds:
        tools.run("lmpm-run", *command(ising), "--epochs", "40", "--seed", seed, "--output",
                  f"Spin={tmp_path / str(seed)}.npy")
    right = [numpy.load(tmp_path / f"{seed}.npy").tobytes() for seed in seeds]
    groups = Groups(library, bundle, b"cpu", seeds)
    groups.run(30)
    groups.run(10)
    assert [value.bytes for value in groups.take(b"Spin")] == right
    program = library.load(bundle)
    library.start(program, 5)
    library.collect(library.dispatch(program, 3))
    group = library.add_group(program)  # with its seed, and at its start
    library.c.lci_release(program)
    library.call("lci_start", group)
    library.collect(library.dispatch(group, 40))
    assert library.value(group, b"Spin").bytes == right[0]
    library.c.lci_release(group)


def test_c_says_what_is_wrong(tools, library, tmp_path):
    with pytest.raises(RuntimeError, match="cannot open '.*none'"):
        library.load(tmp_path / "none")
    bundle = bundle_of(tools, tmp_path, pathlib.Path("life/life.lmpm"), "--bundle-for=cpu")
    with pytest.raises(RuntimeError, match="no code for the back end 'gpu', but for 'cpu'"):
        library.load(bundle, b"gpu")
    program = library.load(bundle)
    with pytest.raises(RuntimeError, match="expected lci_start before epochs and values"):
        library.dispatch(program, 1)
    with pytest.raises(RuntimeError, match="expected lci_start before epochs and values"):
        library.value(program, b"Cell")
    with pytest.raises(RuntimeError, match=r"expected shape \(67, 33\) for 'Cell', but got \(4,\)"):
        library.call("lci_set_input", program, b"Cell", library.array(numpy.zeros(4, "int8")))
    with pytest.raises(RuntimeError, match="expected one of the types of lci_type, but got 9"):
        library.call("lci_set_input", program, b"Cell", ctypes.byref(Form(9, 0, None, None)))
    with pytest.raises(RuntimeError, match=r"expected a token in every cell of 'Cell', because the value has an "
                                           r"'init', but got -1 at \[3, 2\] \[missing-token\]"):
        cells = numpy.zeros((67, 33), "int8")
        cells[3, 2] = -1
        library.call("lci_set_input", program, b"Cell", library.array(cells))
    library.call("lci_start", program)
    with pytest.raises(RuntimeError, match="expected a number of epochs, but got -1"):
        library.dispatch(program, -1)
    with pytest.raises(RuntimeError, match="expected 2211 bytes for 'Cell', but got 3"):
        library.call("lci_get_value", program, b"Cell", None, ctypes.c_size_t(3))
    with pytest.raises(RuntimeError, match="expected one of the program's values"):
        library.value(program, b"Bell")
    library.c.lci_release(program)
