"""A run that goes on is given what it began with, or is told what is not the same.

One program has everything that a run can be given. A table says how each of it is changed; each change
is tried with `lmpm-run`, from Python and, where a bundle can be given it, with a bundle.
"""

import hashlib
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import lmpm

PROGRAM = """
param w : F32[4]
param q : I32
param bias : F32 = 0.5
value A : I32 shape Seq(N) init 0
value C : Token[4] shape Seq(N)
value Z : F32 shape Seq(N) init[i] i * 1.0
visible A[i] <- A[i]
visible A[i] <- C[i]
visible C[i] <- C[i]
visible Z[i] <- Z[i]
rule Add: on A[i] emit proposal A[i] := (A[i] * 3 + q + (C[i] ?? 0)) % 1000
rule Move: on Z[i] emit proposal Z[i] := self + w[i % 4] + bias + normal()
rule Turn: on C[i] emit proposal C[i] := (self ?? 0) + 1
constraint Few: forbid C[i] in Palette("Warm") priority 2
constraint Kept: forbid change(A[region("Frame")]) priority 3
commit A[*] using satisfy(max_constraints_then_score)
commit Z[*] using accept
commit C[*] using satisfy(max_constraints_then_score)
observe total := mean(A[i])
"""
GIVEN = {
    "sizes": {"N": 6},
    "params": {"w": [0.5, 1.5, -2.0, 0.25], "q": 3},
    "palettes": {"Warm": [3]},
    "regions": {"Frame": {"rect": [[0, 0]]}},
    "inputs": {"C": "c.npy"},
    "seed": 7,
}
# What is changed: at which key, to what, and what is then said.
OTHERS = {
    "a size": (("sizes", "N"), 7, "expected the size 'N' = 6, with which the run began, but got 7"),
    "an array of numbers": (("params", "w"), [0.5, 1.5, -2.0, 0.5], "expected the parameter 'w' that the run "
                            "began with, but got another one"),
    "an integer": (("params", "q"), 4, "expected the parameter 'q' that the run began with, but got another one"),
    "what the formula says": (("params", "bias"), 0.5, None),
    "what has a formula": (("params", "bias"), 0.75, "expected no parameter 'bias', because the run began "
                           "without it, but got one"),
    "a palette": (("palettes", "Warm"), [2, 3], "expected the palette 'Warm' that the run began with, but got "
                  "another one"),
    "a region": (("regions", "Frame"), {"rect": [[0, 1]]}, "expected the region 'Frame' that the run began with, "
                 "but got another one"),
    "an input": (("inputs", "C"), "other.npy", "expected the input 'C' that the run began with, but got another "
                 "one"),
    "an input more": (("inputs", "A"), "a.npy", "expected no input 'A', because the run began without it, but "
                      "got one"),
    "the seed": (("seed",), 8, None),  # a checkpoint's seed is its run's
    "what is hard": (("hard_priority",), 3, "expected 'hard_priority' = 1000, with which the run began, but got 3"),
    "a phase": (("legalize",), "recolor", "expected 'legalize' = snapshot, with which the run began, but got recolor"),
    "names of other programs": (("params", "other"), 4, None),
    "sizes of other programs": (("sizes", "M"), 4, None),
    "the same in other words": (("params", "q"), 3.0, None),
}


def changed(path, value):
    given = json.loads(json.dumps(GIVEN))
    at = given
    for key in path[:-1]:
        at = at.setdefault(key, {})
    at[path[-1]] = value
    return given


def fill(folder):
    """A folder with the program and what it is given."""
    (folder / "p.lmpm").write_text(PROGRAM)
    np.save(folder / "c.npy", np.array([0, 1, 2, 3, -1, 0], np.int8))
    np.save(folder / "other.npy", np.array([0, 1, 2, 3, 1, 0], np.int8))
    np.save(folder / "a.npy", np.zeros(6, np.int32))
    (folder / "b.json").write_text(json.dumps(GIVEN))
    return folder


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path)


@pytest.fixture
def run(tools, folder):
    def run(*words, tool="lmpm-run"):
        words = [tools.path(tool), *map(str, words)]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return run


def compiled(folder, given, **options):
    """What Python compiles; paths are seen from the folder."""
    inputs = {name: np.load(folder / file) for name, file in given["inputs"].items()}
    return lmpm.parse(PROGRAM, name="p.lmpm").compile({**given, "inputs": inputs}, **options)


@pytest.fixture(scope="module")
def left(tools, tmp_path_factory):
    """What the first epochs of a run leave, and the whole run: made once."""
    folder = fill(tmp_path_factory.mktemp("begun"))
    for words in (["--epochs", "3", "--checkpoint", "c"],
                  ["--epochs", "7", "--output", "Z=z.npy", "--output", "A=whole.npy"]):
        tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", *words, cwd=folder)
    return folder


@pytest.fixture
def begun(folder, left):
    for name in ("c", "z.npy", "whole.npy"):
        shutil.copy(left / name, folder / name)


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("name", OTHERS)
def test_what_differs_is_said(run, folder, name):
    path, value, message = OTHERS[name]
    given = changed(path, value)
    if name == "a size":
        given["inputs"] = {}
    (folder / "other.json").write_text(json.dumps(given))
    said = run("p.lmpm", "--bindings", "other.json", "--epochs", "7", "--resume", "c", "--output", "Z=r.npy")
    if message:
        assert said.returncode == 1 and f"error: 'c': {message}" in said.stderr, said.stderr
        assert said.stderr.rstrip().endswith("[other-program]")
        with pytest.raises(lmpm.Error, match=message.replace("(", r"\(")) as caught:
            compiled(folder, given).resume(folder / "c")
        assert caught.value.id == "other-program"
        return
    assert said.returncode == (name == "the seed"), said.stderr
    if name == "the seed":
        assert "'c': expected the seed 7 that the run began with, but got 8" in said.stderr
        return
    assert (folder / "r.npy").read_bytes() == (folder / "z.npy").read_bytes()
    resumed = compiled(folder, given).resume(folder / "c").step(4)
    assert np.array_equal(resumed["Z"], np.load(folder / "z.npy"))


@pytest.mark.usefixtures("begun")
def test_flags_are_compared_as_bindings_are(run):
    resume = ["p.lmpm", "--bindings", "b.json", "--epochs", "7", "--resume", "c"]
    for flags, what in {("--set", "q=4"): "parameter 'q'", ("--input", "C=other.npy"): "input 'C'",
                        ("--set", "w=[0,0,0,0]"): "parameter 'w'"}.items():
        said = run(*resume, *flags)
        assert f"'c': expected the {what} that the run began with, but got another one" in said.stderr
    assert run(*resume, "--set", "q=3", "--input", "C=c.npy").returncode == 0


@pytest.mark.usefixtures("begun")
def test_inputs_need_not_be_given_again(run, folder):
    """Also not where without them a value would be empty for ever."""
    given = {**GIVEN, "inputs": {}}
    (folder / "none.json").write_text(json.dumps(given))
    for backend in ("cpu", "interp", "kernels"):
        said = run("p.lmpm", "--bindings", "none.json", "--epochs", "7", "--resume", "c", "--backend", backend,
                   "--output", "A=r.npy")
        assert said.returncode == 0, said.stderr
        assert (folder / "r.npy").read_bytes() == (folder / "whole.npy").read_bytes()


def test_a_value_without_rules_keeps_its_input(run, folder):
    """Reads of what nobody fills are compiled away, but not where the run that goes on had it filled."""
    text = ("value X : Token[4] shape Seq(4)\nvalue A : I32 shape Seq(4) init 0\nvisible A[i] <- A[i]\n"
            "visible A[i] <- X[i]\nrule R: on A[i] emit proposal A[i] := (A[i] + (X[i] ?? 9)) % 1000\n"
            "commit A[*] using accept\n")
    (folder / "x.lmpm").write_text(text)
    np.save(folder / "x.npy", np.array([0, 1, -1, 3], np.int8))
    assert run("x.lmpm", "--input", "X=x.npy", "--epochs", "2", "--checkpoint", "x").returncode == 0
    assert run("x.lmpm", "--epochs", "5", "--resume", "x", "--output", "A=a.npy", "--output", "X=y.npy",
               "--check").returncode == 0
    assert np.load(folder / "a.npy").tolist() == [0, 5, 45, 15]
    assert np.load(folder / "y.npy").tolist() == [0, 1, -1, 3]


def test_a_bundle_is_given_what_it_was_made_without(run, folder):
    text = ("value X : Token[4] shape Seq(4)\nvalue A : I32 shape Seq(4) init 0\nvisible A[i] <- X[i]\n"
            "rule R: on A[i] emit proposal A[i] := X[i] ?? 9\ncommit A[*] using accept\n")
    (folder / "x.lmpm").write_text(text)
    np.save(folder / "x.npy", np.array([0, 1, -1, 3], np.int8))
    assert run("--lci-to-bundle", "--bundle-for=cpu", "x.lmpm", "-o", "x.bundle", tool="lmpm-translate").returncode == 0
    for given, found in ([], [9, 9, 9, 9]), (["--input", "X=x.npy"], [0, 1, 9, 3]):
        assert run("x.bundle", *given, "--output", "A=a.npy", tool="lmpm-run-bundle").returncode == 0
        assert np.load(folder / "a.npy").tolist() == found


def test_python_gives_runs_parameters_and_inputs(folder):
    program = compiled(folder, GIVEN)
    given = {"params": {"q": 5}, "inputs": {"C": np.zeros(6, int)}, "disable": ["Turn"]}
    whole = program.run(epochs=7, seed=11, **given)
    program.run(epochs=3, seed=11, **given).save(folder / "ck")
    resumed = program.resume(folder / "ck", given["inputs"], params=given["params"], seed=11)
    assert (resumed.epoch, resumed.seed) == (3, 11)
    resumed.step(4)
    for value in ("A", "C", "Z"):
        assert np.array_equal(resumed[value], whole[value])
    assert resumed.report["values"] == whole.report["values"]
    for other, message in [
            ({}, "expected the input 'C' that the run began with, but got another one"),
            ({"inputs": given["inputs"]}, "expected the parameter 'q' that the run began with, but got another"),
            ({**given, "params": {"q": 6}}, "expected the parameter 'q' that the run began with"),
            ({**given, "seed": 12}, "expected the seed 11 that the run began with, but got 12"),
            ({**given, "params": {"p": 6}}, "the program has no parameter 'p'"),
            ({**given, "enable": ["Trn"]}, "enable 'Trn': the program has no rule or constraint of that name")]:
        with pytest.raises(lmpm.Error, match=message):
            program.resume(folder / "ck", **{"params": None, **other, "disable": ()})
    switched = program.resume(folder / "ck", given["inputs"], params=given["params"], enable=["Turn"])
    assert not np.array_equal(switched.step(4)["C"], whole["C"])


@pytest.mark.usefixtures("begun")
def test_python_and_the_tools_know_each_other(run, folder):
    """What one of them begins the others go on with."""
    assert run("--lci-to-bundle", "--bundle-for=cpu", "p.lmpm", "--bindings=b.json", "-o", "p.bundle",
               tool="lmpm-translate").returncode == 0
    program = compiled(folder, GIVEN)
    assert program.resume(folder / "c").step(2).save(folder / "d") is None
    said = run("p.bundle", "--resume", "d", "--epochs", "6", "--checkpoint", "e", tool="lmpm-run-bundle")
    assert said.returncode == 0, said.stderr
    said = run("p.lmpm", "--bindings", "b.json", "--resume", "e", "--epochs", "7", "--output", "Z=r.npy")
    assert said.returncode == 0, said.stderr
    assert (folder / "r.npy").read_bytes() == (folder / "z.npy").read_bytes()
    for flags, what in [(["--set", "q=4"], "the parameter 'q'"), (["--input", "C=other.npy"], "the input 'C'")]:
        said = run("p.bundle", "--resume", "c", "--epochs", "7", *flags, tool="lmpm-run-bundle")
        assert said.returncode == 1
        assert f"'c': expected {what} that the run began with, but got another one" in said.stderr


def test_a_bundle_goes_on_with_what_it_was_given(run, folder):
    assert run("--lci-to-bundle", "--bundle-for=cpu", "p.lmpm", "--bindings=b.json", "-o", "p.bundle",
               tool="lmpm-translate").returncode == 0
    q = ["p.bundle", "--set", "q=4"]
    assert run(*q, "--epochs", "3", "--checkpoint", "b", tool="lmpm-run-bundle").returncode == 0
    assert run(*q, "--epochs", "7", "--output", "A=w.npy", tool="lmpm-run-bundle").returncode == 0
    assert run(*q, "--epochs", "7", "--resume", "b", "--output", "A=r.npy",
               tool="lmpm-run-bundle").returncode == 0
    assert (folder / "w.npy").read_bytes() == (folder / "r.npy").read_bytes()
    said = run("p.bundle", "--epochs", "7", "--resume", "b", tool="lmpm-run-bundle")
    assert "expected the parameter 'q' that the run began with, but got another one" in said.stderr


def test_replicas_are_given_the_same(run):
    for number, flags in {"1": [], "2": ["--set", "q=4"]}.items():
        assert run("p.lmpm", "--bindings", "b.json", "--replica", number, "--epochs", "2", "--checkpoint",
                   f"r{number}", *flags).returncode == 0
    said = run("p.lmpm", "--bindings", "b.json", "--merge", "r1", "r2")
    assert "'r2': expected the parameter 'q' that the run began with, but got another one" in said.stderr
    assert run("p.lmpm", "--bindings", "b.json", "--merge", "r2", "r2", "--set", "q=4").returncode == 0
    said = run("p.lmpm", "--bindings", "b.json", "--merge", "r2", "r2")
    assert said.returncode == 1 and "expected the parameter 'q'" in said.stderr


@pytest.mark.usefixtures("begun")
def test_counts_are_those_of_the_whole_run(run, folder):
    words = ["p.lmpm", "--bindings", "b.json"]
    assert run(*words, "--epochs", "7", "--report", "whole.json").returncode == 0
    assert run(*words, "--epochs", "3", "--counters=full", "--checkpoint", "full").returncode == 0
    assert run(*words, "--epochs", "5", "--resume", "full", "--checkpoint", "full").returncode == 0
    said = run(*words, "--epochs", "7", "--resume", "full", "--report", "resumed.json")
    assert said.returncode == 0 and "warning: the report" not in said.stderr
    whole, resumed = (json.loads((folder / f"{name}.json").read_text()) for name in ("whole", "resumed"))
    assert whole["constraints"] == resumed["constraints"] and whole["values"] == resumed["values"]
    said = run(*words, "--epochs", "7", "--resume", "c", "--report", "resumed.json")
    assert ("warning: the report counts no constraints, because the run before did not; begin it with "
            "--counters=full [other-program]") in said.stderr
    resumed = json.loads((folder / "resumed.json").read_text())
    assert whole["values"]["A"]["changed"] == resumed["values"]["A"]["changed"]
    said = run(*words, "--epochs", "7", "--resume", "c", "--counters=full")
    assert ("'c': expected --counters=changed, with which the run began, but got --counters=full" in said.stderr)
    with pytest.raises(lmpm.Error, match="expected counters=changed, with which the run began"):
        compiled(folder, GIVEN, counters="full").resume(folder / "c")


@pytest.mark.usefixtures("begun")
def test_stamps_are_those_of_the_whole_run(run, folder):
    words = ["p.lmpm", "--bindings", "b.json", "--stamps", "A=s.npy"]
    said = run(*words, "--epochs", "7", "--resume", "c")
    assert "'c': expected the stamps of 'A', but the run began without --stamps" in said.stderr
    assert run(*words, "--epochs", "7").returncode == 0
    whole = (folder / "s.npy").read_bytes()
    assert run(*words, "--epochs", "3", "--checkpoint", "s").returncode == 0
    assert run(*words, "--epochs", "7", "--resume", "s").returncode == 0
    assert (folder / "s.npy").read_bytes() == whole


def test_tf32_is_gone_on_with(run):
    words = ["p.lmpm", "--bindings", "b.json", "--backend=kernels"]
    assert run(*words, "--epochs", "1", "--checkpoint", "t", "--tf32").returncode == 0
    assert run(*words, "--epochs", "2", "--resume", "t", "--tf32").returncode == 0
    said = run(*words, "--epochs", "2", "--resume", "t")
    assert "'t': expected the option --tf32 that the run began with, but got none" in said.stderr


def test_models_and_weights(run, folder, source_dir):
    shutil.copytree(source_dir / "examples/text", folder / "text")
    words = ["text/text.lmpm", "--bindings", "text/bindings.json", "--seed", "1"]
    weights, model = (folder / "text" / name for name in ("model.safetensors", "model.mlir"))
    assert run(*words, "--epochs", "1", "--checkpoint", "n").returncode == 0
    assert run(*words, "--epochs", "2", "--resume", "n").returncode == 0
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    said = run(*words, "--epochs", "2", "--resume", "n")
    assert "'n': expected the weight 'Model." in said.stderr
    assert "' that the run began with, but got another one" in said.stderr
    weights.write_bytes(whole)
    model.write_text(model.read_text() + "func.func @Other() { return }\n")
    said = run(*words, "--epochs", "2", "--resume", "n")
    assert re.search(r"'n': expected the model 'Model' = '\w+' of a file with digest \w{12}, with which the run "
                     r"began, but got '\w+' of a file with digest \w{12}", said.stderr)


@pytest.mark.usefixtures("begun")
def test_a_checkpoint_that_is_forged_says_what_no_cell_can_hold(run, folder):
    """Its digest is right, but a token is none of the vocabulary, or a value has another type."""
    whole = (folder / "c").read_bytes()
    head, payload = whole[:16], bytearray(whole[48:])
    at = payload.index(b"value/C") + len("value/C") + 8 + 8 + 8  # type, rank, extent
    payload[at] = 77
    (folder / "c").write_bytes(head + hashlib.sha256(payload).digest() + payload)
    said = run("p.lmpm", "--bindings", "b.json", "--resume", "c", "--epochs", "7")
    assert "'c': expected tokens of 'C' in -1 .. 3, but got 77 at [0] [outside-vocabulary]" in said.stderr


@pytest.mark.parametrize("backend", ["cpu", "kernels"])
def test_a_parameter_with_a_formula_is_given_when_compiled(backend):
    program = lmpm.parse("param a : F32 = 0.1\nvalue V : F32 shape Seq(3) init 1.0\nvisible V[i] <- V[i]\n"
                         "rule R: on V[i] emit proposal V[i] := self * a\ncommit V[*] using accept\n")
    with pytest.raises(lmpm.Error, match="the program was compiled with the formula of 'a', but the run gives it "
                                         "a number; compile it with one"):
        program.compile(backend=backend).run(epochs=1, params={"a": 0.5})
    assert program.compile(backend=backend, a=0.1).run(epochs=1, params={"a": 0.5})["V"].tolist() == [0.5] * 3
    assert program.compile(backend="interp").run(epochs=1, params={"a": 0.5})["V"].tolist() == [0.5] * 3
