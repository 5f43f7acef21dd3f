"""Messages name arguments of Python where those of the tools name flags."""

import pathlib
import re

import numpy
import pytest

import lmpm

SOURCE = pathlib.Path(__file__).resolve().parents[2]
#: What only tools do, and no call of the package.
ONLY_TOOLS = {"explain", "explain-cell", "view", "view-window", "picture", "codebook", "limit-memory",
              "limit-seconds", "debug-only", "bundle-for", "fixed", "cpu", "chip", "check", "lowering",
              "replica", "merge", "stamps", "bindings", "lci-bind", "lci-to-", "lci-to-llvmir", "lci-to-object",
              "lci-to-bundle", "shared", "strip-all", "remarks", "checkpoint", "checkpoint-every",
              "observe", "observe-every", "lowered", "lci-verify-by-running", "lci-check-equiv",
              "lci-print-schedule", "lci-apply-schedule", "lci-apply-patterns",
              "output", "report", "o", "import-golly", "import-lmpm", "help"}
TEXT = """value V : Token[3] shape Grid2D(W, H)
param p : F32
param w : F32[W]
visible V[x,y] <- V[x,y]
rule R: on V[x,y] emit proposal V[x,y] := if w[x] > p then self else 0
commit V[*] using accept
"""


def test_every_flag_that_a_library_names_has_a_form():
    forms = re.findall(r'^    \{"\'?--([^"]*?)\'?",', (SOURCE / "python/src/Flags.cpp").read_text(), re.M)
    assert len(forms) > 8
    for path in sorted((SOURCE / "lib").rglob("*.cpp")):
        if path.parent.name == "Smith":
            continue
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text()):
            for flag in re.findall(r"--([a-z][a-z0-9-]*)", text):
                known = flag in ONLY_TOOLS or any(re.match(form.split(" ")[0] + "$", flag)
                                                  or form.startswith(flag) for form in forms)
                assert known, f"{path}: python/src/Flags.cpp has no form of --{flag}"


def said_of(make):
    with pytest.raises(lmpm.Error) as caught:
        make()
    return [one.message for one in caught.value.diagnostics], str(caught.value)


def test_sizes():
    program = lmpm.parse(TEXT)
    messages, shown = said_of(lambda: program.compile(W=8))
    assert messages == ["size 'H' is not bound: give compile(H=NUMBER), or add it to 'sizes' in the "
                        "bindings"]
    assert "--" not in shown


def test_parameters():
    messages, shown = said_of(lambda: lmpm.parse(TEXT).compile(W=8, H=8))
    assert messages == [
        "parameter 'p' is not bound: give compile(p=NUMBER), or add it to 'params' in the bindings",
        "parameter 'w' is not bound: give compile(w=array), or add it to 'params' in the bindings"]
    assert "--" not in shown


def test_tensor_cores():
    program = lmpm.parse(TEXT.replace("H)", "H) init 0"))
    with pytest.warns(lmpm.ProgramWarning, match="warning: tf32=True decides nothing: the program multiplies no matrix"):
        program.compile(W=8, H=8, p=1.0, w=numpy.zeros(8), backend="kernels", tf32=True)


@pytest.mark.parametrize("make", [
    lambda program: program.compile(W=8, H=8, Q=3),
    lambda program: program.compile(W=8, H="x"),
    lambda program: program.compile(W=8, H=[1, "x"]),
    lambda program: program.compile(W=8, H=8).run({"V": numpy.zeros((8, 8), int)}),
    lambda program: program.compile(W=8, H=8, p=1.0).run(params={"w": numpy.zeros(8)}),
    lambda program: program.compile(W=8, H=8, p=1.0).run({"Q": 3}),
    lambda program: program.compile(W=8, H=8, V=[[1]])])
def test_no_message_names_a_flag(make):
    _, shown = said_of(lambda: make(lmpm.parse(TEXT)))
    assert not re.search("--[a-z]", shown), shown


def test_tokens_that_nothing_gives():
    program = lmpm.parse("""value V : Token[3] shape Seq(8)
visible V[x] <- V[x]
rule R: on V[x] emit proposal V[x] := self + 0
commit V[*] using accept
""")
    _, shown = said_of(lambda: program.compile().run())
    assert "give it one with run({\"V\": array}), or in 'inputs' of the bindings" in shown
