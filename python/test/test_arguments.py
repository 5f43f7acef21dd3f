"""Wrong arguments: each is a sentence that says what was expected, what came, and often what to write."""

import pathlib
import warnings

import numpy
import pytest

import lmpm
from lmpm import ir

TEXT = """
param beta : F32 = 0.5
value Cell : Token[2] shape Grid2D(W, H) boundary wrap init 0
visible Cell[x,y] <- Cell[x,y]
rule Keep:
  on Cell[x,y]
  emit proposal Cell[x,y] := self
commit Cell[*] using accept
"""
ROUND = []
ROUND.append(ROUND)
DEEP = []
for _ in range(100000):
    DEEP = [DEEP]
SEEDS = f"a whole number in 0 .. {2**64 - 1} for seed"


@pytest.fixture(scope="module")
def program():
    return lmpm.parse(TEXT)


@pytest.fixture(scope="module")
def compiled(program):
    return program.compile(W=4, H=4)


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.id, caught.value.message


COUNT = "expected a whole number of at least 0 for"


@pytest.mark.parametrize("call, arguments, message", [
    ("run", dict(epochs="3"), f"{COUNT} epochs, but got '3'; write 3"),
    ("run", dict(epochs=3.0), f"{COUNT} epochs, but got 3.0; write 3"),
    ("run", dict(epochs=2.5), f"{COUNT} epochs, but got 2.5"),
    ("run", dict(epochs=True), f"{COUNT} epochs, but got True"),
    ("run", dict(epochs=-1), f"{COUNT} epochs, but got -1"),
    ("run", dict(epochs=2**63), f"expected a whole number below 2^63 for epochs, but got {2**63}"),
    ("run", dict(observe_every=2**63), f"expected a whole number below 2^63 for observe_every, but got {2**63}"),
    ("start", dict(epochs=-1), f"{COUNT} epochs, but got -1"),
    ("run", dict(seed=-1), f"expected {SEEDS}, but got -1"),
    ("run", dict(seed=2**64), f"expected {SEEDS}, but got {2**64}"),
    ("run", dict(seed="one"), f"expected {SEEDS}, but got 'one'"),
    ("run", dict(observe_every=-1), f"{COUNT} observe_every, but got -1"),
    ("start", dict(observe_every="x"), f"{COUNT} observe_every, but got 'x'"),
    ("run", dict(progress=3), "expected a function, True, False or None for progress, but got 3"),
    ("run", dict(inputs="Cell"), "expected a dictionary by name for inputs, but got 'Cell'; write for "
                                 "example inputs={'Cell': array}"),
    ("run", dict(inputs=numpy.zeros((1, 2))), "expected a dictionary by name for inputs, but got "
     "array([[0., 0.]]); write for example inputs={'Cell': array}"),
    ("run", dict(inputs={1: [[0]]}), "expected a dictionary by name for inputs, but got {1: [[0]]}; "
                                     "write for example inputs={'Cell': array}"),
    ("run", dict(params=[1]), "expected a dictionary by name for params, but got [1]; write for "
                              "example params={'beta': 0.5}"),
    ("run", dict(weights=3), "expected a dictionary by name for weights, but got 3; write for example "
                             "weights={'Model': 'file.safetensors'}"),
    ("run", dict(weights={"Net": 3}), "expected a dictionary, a module with a state_dict or the path "
                                      "of a file for the weights of 'Net', but got 3"),
    ("run", dict(weights={"Net": {"w": [1]}}), "the program has no model 'Net'"),
    ("run", dict(weights={"Net": {}}), "the program has no model 'Net'"),
    ("run", dict(disable="Keep"),
     "expected a list of names for disable, but got 'Keep'; write disable=['Keep']"),
    ("run", dict(enable=3), "expected a list of names for enable, but got 3"),
    ("run", dict(enable=[3]), "expected text for a name in enable, but got 3"),
])
def test_of_runs(compiled, call, arguments, message):
    assert message_of(lambda: getattr(compiled, call)(**arguments))[1] == message


@pytest.mark.parametrize("arguments, message", [
    (dict(backend="cpuu"), "expected 'cpu', 'kernels', 'interp' or 'cuda' for the back end, but got "
                           "'cpuu'; did you mean 'cpu'?"),
    (dict(backend=None), "expected 'cpu', 'kernels', 'interp' or 'cuda' for the back end, but got None"),
    (dict(threads="2"), "expected a whole number for threads, but got '2'; write 2"),
    (dict(W="4"), "expected a number, an array or the path of a file for 'W', but got '4'; write W=4"),
    (dict(W=None), "expected a number, an array or the path of a file for 'W', but got None"),
    (dict(beta=float("inf")), "expected finite numbers for 'beta', but got inf; a run takes others: "
                              "run(params={…})"),
    (dict(beta=1e39), "expected numbers that F32 holds, up to 3.4028235e38, for the parameter 'beta', but got "
                      "1e+39"),
    (dict(lowering="bogus=1"), "lowering: expected options of lci-to-llvm-pipeline, which lmpm-opt --help "
                               "lists, but got 'bogus=1'"),
    (dict(threads=0), "expected 'threads' from 1 to 1024, but got 0"),
    (dict(counters=1), "expected 'none', 'changed' or 'full' for counters, but got 1"),
    (dict(fixed="beta"), "expected True or False for fixed, but got 'beta'"),
    (dict(lowering=3), "expected text for lowering, but got 3"),
    (dict(tf32=3), "expected True or False for tf32, but got 3"),
    (dict(tf32=True), "expected the back end 'cuda' or 'kernels' for tf32, but got 'cpu'"),
    (dict(bindings=3), "expected a dictionary or the path of a file for bindings, but got 3"),
    (dict(bindings={"sizes": {"W": 1j}}),
     "expected a number, text, an array or a path for a binding, but got 1j"),
    (dict(bindings={"inputs": {"Cell": None}}), "expected a path for the input 'Cell', but got null"),
    (dict(bindings={"inputs": {1: [[0]]}}), "expected a dictionary by name for inputs, but got {1: [[0]]}; "
                                            "write for example inputs={'Cell': array}"),
    (dict(bindings={"sizes": {(1, 2): 3}}),
     "expected names as keys for the bindings, but got {'sizes': {(1, 2): 3}, 'inputs': {}}"),
    (dict(W=ROUND), "expected lists and dictionaries that do not hold themselves for 'W', but got [[...]]"),
    (dict(bindings={"sizes": ROUND}), "expected lists and dictionaries that do not hold themselves for the "
                                      "bindings, but got {'sizes': [[...]], 'inputs': {}}"),
    (dict(W=DEEP), "expected lists and dictionaries at most 100 levels deep for 'W', but got <list nested "
                   "too deep to show>"),
])
def test_of_compiling(program, arguments, message):
    assert message_of(lambda: program.compile(**{"W": 4, "H": 4, **arguments}))[1] == message


@pytest.mark.parametrize("section", ["sizes", "params", "inputs", "palettes", "regions", "models"])
@pytest.mark.parametrize("given, kind", [(None, "null"), ([1], "an array"), (3, "3")])
def test_of_sections_of_bindings(program, section, given, kind):
    """As in a file of JSON."""
    assert message_of(lambda: program.compile({section: given}, W=4, H=4)) == (
        "wrong-binding", f"expected an object for '{section}', but got {kind}")


def test_paths_in_bindings_are_paths(program):
    missing = pathlib.Path("missing.npy")
    for section, what in {"inputs": "input 'Cell'", "params": "parameter 'beta'"}.items():
        name = what.split("'")[1]
        assert message_of(lambda: program.compile({section: {name: missing}}, W=4, H=4).run()) == (
            "file-access", f"{what}: cannot open 'missing.npy': No such file or directory")


def test_numbers_of_other_libraries_are_numbers(compiled):
    run = compiled.run(epochs=numpy.int64(1), seed=numpy.uint64(2**63))
    assert (run.epoch, run.seed) == (1, 2**63)


def test_of_what_runs_give(compiled):
    run = compiled.new()
    assert message_of(lambda: run[0]) == (
        "command-line", "expected text for the name of a value, but got 0")
    assert message_of(lambda: run.explain(3))[1] == (
        "expected text for a cell, but got 3; write for example 'Cell[2,5]'")
    assert message_of(lambda: run.step(-1))[1] == f"{COUNT} epochs, but got -1"
    assert message_of(lambda: run.start(-1))[1] == (
        "expected a whole number of at least 0 for until, but got -1")


def test_of_programs_and_levels(program):
    assert message_of(lambda: lmpm.parse(3))[1] == (
        "expected text for a program, but got 3; lmpm.load reads a file")
    assert message_of(lambda: lmpm.parse(TEXT, name=3))[1] == "expected text for name, but got 3"
    assert message_of(lambda: program.levels(W=4, H=4)["tick"]) == (
        "no-such-name", "expected one of the levels language, program, bound, ticks, linalg, llvm, "
        "kernels, nvvm, llvmir, ptx, but got 'tick'; did you mean 'ticks'?")
    assert message_of(lambda: program.levels(W=4, H=4, chip=90))[1] == (
        "expected text for chip, but got 90; write for example chip='sm_90'")


@pytest.mark.parametrize("pipeline, hint", [
    ("canonicalise", "'canonicalise' does not refer to a registered pass or pass pipeline; did you "
                     "mean 'canonicalize'?"),
    ("func.func(csee)", "'csee' does not refer to a registered pass or pass pipeline; did you mean 'cse'?"),
    ("cse,lci-to-llvm-pipelin", "'lci-to-llvm-pipelin' does not refer to a registered pass or pass "
                                "pipeline; did you mean 'lci-to-llvm-pipeline'?"),
    ("weather", "'weather' does not refer to a registered pass or pass pipeline"),
    ("lci-bind{size=3}", "no such option size"),
])
def test_of_pipelines(program, pipeline, hint):
    found = message_of(lambda: lmpm.ir.PassPipeline(pipeline).run(program.module.clone()))
    assert found == ("pass-option", f"cannot read the pipeline '{pipeline}': {hint}")


def test_of_modules(program):
    assert message_of(lambda: lmpm.ir.PassPipeline("cse").run(program))[1] == (
        "expected a Module for a pipeline, but got <program <text>>; a program has one as its "
        "attribute 'module'".replace("<text>", program.name))
    assert message_of(lambda: lmpm.ir.PassPipeline("cse").run("text"))[1] == (
        "expected a Module for a pipeline, but got 'text'")


def test_a_file_that_is_no_text_is_an_error_that_python_can_show(tmp_path):
    path = tmp_path / "a.mlir"
    path.write_bytes(b"\xb0\xff {")
    with pytest.raises(lmpm.Error) as caught:
        lmpm.load(path)
    assert "\ufffd" in str(caught.value) and caught.value.line == 1


def test_a_step_beyond_all_epochs_is_a_sentence(compiled):
    run = compiled.run(epochs=1)
    assert message_of(lambda: run.step(2**63 - 1)) == (
        "command-line", f"expected a whole number below 2^63 for all epochs together, but got {2**63}")


def test_a_path_is_no_text_of_a_program():
    assert message_of(lambda: lmpm.parse("life.lmpm")) == (
        "command-line", "expected the text of a program for parse, but got 'life.lmpm'; lmpm.load reads a file")


@pytest.mark.parametrize("word", ["epochs", "seed"])
def test_what_a_run_takes_is_not_compiled_in(program, word):
    with pytest.raises(lmpm.Error) as caught:
        program.compile(W=4, H=4, **{word: 3})
    assert f"give it to run: run({word}=…)" in str(caught.value) + str(getattr(caught.value, "__notes__", ""))


def test_numbers_that_no_run_gives_are_warned_of():
    text = ("value Image : F32 shape Seq(4)\nvalue V : F32 shape Seq(4) init 0.0\nvisible V[i] <- V[i]\n"
            "visible V[i] <- Image[i]\nrule R: on V[i] emit proposal V[i] := self + Image[i]\n"
            "commit V[*] using accept\n")
    compiled = lmpm.parse(text).compile()
    with pytest.warns(lmpm.ProgramWarning, match="'Image' has no input and no 'init': all its numbers are 0"):
        compiled.run()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled.run({"Image": [1.0, 2.0, 3.0, 4.0]})


def test_objects_of_the_compiler_are_not_made_empty():
    for made in ir.Operation, ir.Value, ir.Module, ir.Type, ir.Attribute, ir.Rewriter:
        for make in made, lambda: made.__new__(made):
            with pytest.raises(TypeError, match=f"^{made.__name__} has no constructor: the compiler makes such "
                                                "objects$"):
                make()


@pytest.mark.parametrize("params, message", [
    ({"beta": None}, "parameter 'beta': expected numbers that 64 bits hold, but got None"),
    ({"beta": "0.3"}, "parameter 'beta': expected an array, but got '0.3'; write 0.3"),
    ({"beta": "3"}, "parameter 'beta': expected an array, but got '3'; write 3"),
    ({"beta": "b.npy"}, "parameter 'beta': expected an array, but got 'b.npy'; files are named by bindings, as in "
                        "compile({'params': {'beta': 'start.npy'}}), or read by numpy.load"),
])
def test_of_parameters(compiled, params, message):
    assert message_of(lambda: compiled.run(params=params)) == ("wrong-elements", message)


def test_of_weights_and_inputs(compiled):
    assert message_of(lambda: compiled.run(weights={"Net": {"w": "w.npy"}}))[1] == (
        "weight 'Net.w': expected an array, but got 'w.npy'; numpy.load reads a file")
    assert message_of(lambda: compiled.run({"Cell": [[None]]}))[1] == (
        "input 'Cell': expected numbers that 64 bits hold, but got None at [0, 0]; -1 is an absent token")


def test_of_paths(compiled, tmp_path):
    run = compiled.new()
    for call, what, given in [(lmpm.load, "load", 3), (lmpm.load, "load", b"a.lmpm"), (lmpm.load, "load", None),
                              (compiled.resume, "resume", 3), (run.save, "save", 3),
                              (lmpm.picture([[0]]).save, "save", 3)]:
        assert message_of(lambda: call(given)) == (
            "command-line", f"expected the path of a file for {what}, but got {given!r}")


def test_paths_that_are_no_utf8_are_paths(compiled, tmp_path):
    path = tmp_path / "caf\udce9.lmpm"
    path.write_text(TEXT + "nonsense\n")
    with pytest.raises(lmpm.Error) as caught:
        lmpm.load(path)
    assert caught.value.file.endswith("caf\ufffd.lmpm") and caught.value.line == 9
    path.write_text(TEXT)
    assert lmpm.load(path).compile(W=4, H=4).run().epoch == 1
    compiled.run(epochs=0).save(tmp_path / "caf\udce9.checkpoint")
    assert compiled.resume(tmp_path / "caf\udce9.checkpoint").epoch == 0


@pytest.mark.parametrize("name", ["a.mlir", "a.lmpm", "a.bin"])
def test_files_that_are_no_utf8_are_named(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"// one\n  \x93\x00\xff {")
    with pytest.raises(lmpm.Error) as caught:
        lmpm.load(path)
    error = caught.value
    assert (error.id, error.line, error.column) == ("unreadable-text", 2, 3)
    assert error.message == "expected UTF-8, but got the byte 0x93"
    bindings = tmp_path / "b.json"
    bindings.write_bytes(b'{\n "\x93": 3}')
    with pytest.raises(lmpm.Error) as caught:
        lmpm.parse(TEXT).compile(bindings)
    error = caught.value
    assert (error.id, error.line, error.column) == ("unreadable-text", 2, 3)


def test_of_pictures(compiled):
    run = compiled.new()
    for call in lambda: run.picture("Cell", vocabulary=-1), lambda: run.animate("Cell", 2, vocabulary=-1):
        assert message_of(call)[1] == "expected no vocabulary for a picture of 'Cell', which has its own, but got -1"
    assert message_of(lambda: lmpm.animation(3))[1] == "expected a list of arrays for an animation, but got 3"


@pytest.mark.parametrize("cell", ["", "Cell", "Cell[1"])
def test_of_cells(compiled, cell):
    assert message_of(lambda: compiled.new().explain(cell)) == (
        "command-line", f"expected a cell such as 'Vid[2,5,7]@e=3', but got '{cell}'")


ADD = "func.func @f(%a: i32) -> i32 {\n  %s = arith.addi %a, %a : i32\n  return %s : i32\n}\n"


@pytest.fixture
def add():
    return next(op for op in ir.Module.parse(ADD, "add.mlir").walk() if op.name == "arith.addi")


HALF = "\ud800"


@pytest.mark.parametrize("call, message", [
    (lambda op, module: op.set_operand("x", op.operands[0]),
     r"expected \(index: .*, value: Value\) for 'set_operand', but got \('x', <.*"),
    (lambda op, module: op.set_operand(0), r"expected \(index: .*, value: Value\) for 'set_operand', but got \(0\)"),
    (lambda op, module: op.walk(3), r"expected \(order: str = 'pre'\) for 'walk', but got \(3\)"),
    (lambda op, module: op.verify(3), r"expected \(\) for 'verify', but got \(3\)"),
    (lambda op, module: op.find(HALF), r"expected \(symbol: str\) for 'find', but got \('\\ud800'\)"),
    (lambda op, module: ir.create(3), r"expected \(name: str, .*\) for 'create', but got \(3\)"),
    (lambda op, module: ir.Type.parse("i32", 3), r"expected \(text: str, context: Context\) for 'parse', but got "
                                                 r"\('i32', 3\)"),
    (lambda op, module: ir.Module.parse(text=3), r"expected \(text: str, .*\) for 'parse', but got \(text=3\)"),
    (lambda op, module: op.attributes[3], r"expected \(arg0: str\) for '__getitem__', but got \(3\)"),
    (lambda op, module: op.attributes.__setitem__("x", HALF),
     r"expected text that UTF-8 can say, but got '\\ud800'"),
    (lambda op, module: op.attributes.__setitem__("x", [{HALF: 1}]),
     r"expected text that UTF-8 can say, but got '\\ud800'"),
    (lambda op, module: op.attributes.__setitem__("x", {3: 1}), "expected text that UTF-8 can say, but got 3"),
    (lambda op, module: ir.Attribute.parse(r'"\93"', module.context).value,
     "expected an attribute whose text is UTF-8, but got the byte 0x93; str shows all bytes of it"),
    (lambda op, module: ir.rewrite(3), "expected a Module for rewrite, but got 3"),
    (lambda op, module: ir.rewrite(lmpm.parse(TEXT)), "expected a Module for rewrite, but got <program text>; a "
                                                      "program has one as its attribute 'module'"),
    (lambda op, module: ir.rewrite(module, len), "expected a pattern for rewrite, but got <built-in function len>; "
                                                 r"write @ir.pattern\('arith.addi'\) above its function"),
    (lambda op, module: ir.pattern(len), "expected text for the root of a pattern, but got <built-in function len>; "
                                         r"write for example @ir.pattern\('arith.addi'\)"),
    (lambda op, module: ir.pattern("arith.addi", -1), r"expected a whole number in 0 .. 65534 for benefit, but got -1"),
])
def test_of_ir(add, call, message):
    module = ir.Module.parse(ADD, "add.mlir")
    with pytest.raises(lmpm.Error, match=f"^error: {message}"):
        call(add, module)


@pytest.mark.parametrize("index", [-1, 2, 2**40])
def test_of_operands(add, index):
    with pytest.raises(IndexError, match="^expected the number of an operand of 'arith.addi', which has 2, but got "
                                         f"{index}$"):
        add.set_operand(index, add.operands[0])


def test_what_is_of_another_class_is_another(add):
    for one in add, add.operands[0], add.operands[0].type, ir.Attribute.parse("3", ir.Context()):
        assert one != 3 and one == one


@pytest.mark.parametrize("text, id", [
    ("func.func @f() { return %x : i32 }", "syntax"),
    ("func.func @f( {", "syntax"),
    ('func.func @f() { %0 = "arith.constant"() : () -> i32 \n return }', "invalid-attribute"),
    ("func.func @f() -> i32 { return }", "invalid-types")])
def test_messages_of_mlir_have_a_kind(text, id):
    found = message_of(lambda: ir.Module.parse(text, "f.mlir"))
    assert found[0] == id, found
