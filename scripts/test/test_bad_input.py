"""Whatever a file holds, a tool answers with one error at its line, never with a crash.

Texts and files as they are not meant to be: too deep, too long, cut short, of another type, byte
order or encoding, or empty. Each case says what is given and the one message expected.
"""

import json
import re
import struct
import subprocess
import time

import pytest

N = 200000
VALUE = "value V : Token[2] shape Seq(8) init 0\n"
SEES = "visible V[i] <- V[i]\n"
COMMIT = "commit V[*] using accept\n"
TOO_HIGH = "the expression has more than 1000 nested operations [nested-too-deep]"
TOO_DEEP = "the expression is nested more than 256 levels deep [nested-too-deep]"
JSON_DEEP = "lists and objects are nested more than 100 levels deep [nested-too-deep]"
DIGITS = "9" * 30
LONG = ("the number has 35002 characters, more than the 1000 that are read "
        "[number-too-large]")
NO_FIT = f"the integer {DIGITS} does not fit 64 bits [number-too-large]"


def program(proposal="1 - self", more=""):
    return f"{VALUE}{SEES}rule Flip: on V[i] emit proposal V[i] := {proposal}\n{COMMIT}{more}"


def run(tools, folder, name, content, *flags, tool="lmpm-run"):
    """What a tool says of a file; flags may name it."""
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return subprocess.run([tools.path(tool), *(flags or [name])], cwd=folder, capture_output=True,
                          text=True, errors="replace", check=False)


def expect_one(said, message, where=""):
    """That this is the one error; a second line says only what the tool gave up."""
    errors = re.findall(r"^.*error: .*$", said.stderr, re.MULTILINE)
    assert said.returncode == 1, said.stderr[:2000]
    assert len(errors) == 1 and message in errors[0], [error[:300] for error in errors]
    assert errors[0].startswith(where), errors[0][:300]


EXPRESSIONS = {
    "parentheses": ("(" * N + "1" + ")" * N, TOO_DEEP),
    "negations": ("- " * N + "1", TOO_HIGH),
    "nots": ("if " + "not " * N + "1 < 2 then 1 else 0", TOO_HIGH),
    "ifs": ("if 1 < 2 then " * N + "1" + " else 0" * N, TOO_DEEP),
    "elses": ("if 1 < 2 then 1 else " * N + "1", TOO_DEEP),
    "sums": ("1" + " + 1" * N, TOO_HIGH),
    "powers": ("1" + " ^ 1" * N, TOO_HIGH),
    "comparisons": ("if 1" + " < 1" * N + " then 1 else 0", TOO_HIGH),
    "defaults": ("self" + " ?? self" * N, TOO_HIGH),
    "indices": ("V[" * N + "i" + "]" * N, TOO_DEEP),
    "calls": ("abs(" * N + "1" + ")" * N, TOO_DEEP),
    "sets": ("if 1 in " + "{" * N + "1" + "}" * N + " then 1 else 0", TOO_DEEP),
    "digits": (DIGITS, NO_FIT),
    "digits without end": ("1." + "0" * 35000, LONG),
    "an integer without end": ("1" * 35002, LONG),
}

# What stands in several comparisons is computed once, so that nothing doubles here.
NESTED = {
    "chains in chains": "if " + "0 < (if " * 60 + "self == 1" + " then 1 else 0) < 2" * 60 + " then 1 else 0",
    "sets in sets": "if " + "(if " * 60 + "self == 1" + " then 1 else 0) in {0, 1}" * 60 + " then 1 else 0",
    "unions in unions": "if " + "(if " * 60 + "self == 1" + " then 1 else 0) in {0} | {1} | {2}" * 60 + " then 1 else 0",
    "ranges in ranges": "if " + "(if " * 60 + "self == 1" + " then 1 else 0) in 0..1" * 60 + " then 1 else 0",
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name, tools, tmp_path):
    text, message = EXPRESSIONS[name]
    expect_one(run(tools, tmp_path, "p.lmpm", program(text)), message, "p.lmpm:3:")


@pytest.mark.parametrize("name", NESTED)
def test_nested_comparisons(name, tools, tmp_path):
    result = run(tools, tmp_path, "p.lmpm", program(NESTED[name]))
    assert result.returncode == 0 and "1 ticks" in result.stdout, result.stderr


TEXTS = {
    "empty": ("", "expected a declaration, but got end of text [syntax]", "p.lmpm:1:1"),
    "only a comment": ("// nothing", "expected a declaration, but got end of text", "p.lmpm:1:"),
    "types": ("value V : " + "Token[" * N + "2" + "]" * N, TOO_DEEP, "p.lmpm:1:"),
    "shapes": ("value V : Token[2] shape " + "Grid(" * N, TOO_DEEP, "p.lmpm:1:"),
    "digits of a size": (f"value V : Token[2] shape Seq({DIGITS})", NO_FIT, "p.lmpm:1:30"),
    "digits of a vocabulary": (f"value V : Token[{DIGITS}] shape Scalar", NO_FIT, "p.lmpm:1:17"),
    "digits of an exponent": (f"param p : F32 = 1e{DIGITS}", "is too large for F32", "p.lmpm:1:17"),
    "digits of a priority": (program(more=f"constraint C: on V[i] require candidate < 2 "
                                          f"priority {DIGITS}"), NO_FIT, "p.lmpm:5:"),
    "no UTF-8": (VALUE.encode() + b"// caf\xe9\n", "got the byte 0xE9 [unreadable-text]",
                 "p.lmpm:2:7"),
    "half of a character": (b"observe o := \xe2\x82", "got the byte 0xE2", "p.lmpm:1:14"),
    "a quotient": ("param p : F32 = 12/8\n" + program(), "[integer-division]", "p.lmpm:1:19"),
    "no vocabulary": (VALUE.replace("[2]", "[0]"), "expected a vocabulary of at least 1",
                      "p.lmpm:1:17"),
    "too large a token": (program("7"), "proposes 7 for 'V', which holds 0..1", "p.lmpm:3:"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name, tools, tmp_path):
    text, message, where = TEXTS[name]
    expect_one(run(tools, tmp_path, "p.lmpm", text), message, where)


ONE_BY_ONE = "the IR has a shape of more than 2147483648 elements, and operations that name elements one by one"
ELEMENTS = {
    "of a tensor": "  %e = tensor.from_elements %x, %x : tensor<4294967296xf32>",
    "of a tensor with axes": "  %e = tensor.from_elements %x, %x : tensor<65536x16x65536xf32>",
    "of a vector": "  %e = vector.from_elements %x, %x : vector<4294967296xf32>",
    "to elements": "  %v = ub.poison : vector<4294967296xf32>\n  %e:2 = vector.to_elements %v : vector<4294967296xf32>",
}


@pytest.mark.parametrize("tool", ["lmpm-run", "lmpm-opt"])
@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_that_no_text_can_name(name, tool, tools, tmp_path):
    """Upstream's parser makes room for every element of the type before it counts those in the text."""
    text = f"func.func @f(%x: f32) {{\n{ELEMENTS[name]}\n  return\n}}\n"
    (tmp_path / "f.mlir").write_text(text)
    said = tools.run(tool, "f.mlir", cwd=tmp_path, check=False)
    expect_one(said, ONE_BY_ONE + " [number-too-large]", "f.mlir:2:")


def test_large_shapes_without_such_operations_are_read(tools, tmp_path):
    (tmp_path / "f.mlir").write_text("func.func @f(%x: tensor<65536x65536xi64>) { return }\n")
    tools.run("lmpm-opt", "f.mlir", cwd=tmp_path)


TERMS = {"cell": "self", "parameter": "p", "neighbour": "(V[i+1] ?? 0)"}


@pytest.mark.parametrize("name", TERMS)
def test_sums_of_many_terms(name, tools, tmp_path):
    """What is read often is one unknown, however often."""
    more = "visible V[i] <- V[i+1]\nparam p : I32 = 1\n"
    text = program("+".join([TERMS[name]] * 400), more=more)
    result = run(tools, tmp_path, "p.lmpm", text)
    assert result.returncode == 0 and "1 ticks" in result.stdout, result.stderr[:2000]


def chain(kind, body, count=1500, names=reversed):
    """`count` declarations, each of which uses the one before it; the last one written first."""
    first = f"{kind} = 1".replace("#", "0")
    lines = [f"{kind} = {body}".replace("@", str(k - 1)).replace("#", str(k))
             for k in range(1, count)]
    return "\n".join(names([first, *lines])) + "\n"


CHAINS = {
    "formulas": (chain("def d#[i]", "d@[i] + 1"),
                 "formulas use one another more than 1000 levels deep"),
    "formulas elsewhere": (chain("def d#[i]", "d@[i+1]", 1010),
                           "formulas use one another more than 1000 levels deep"),
    "high formulas": (chain("def d#[i]", "d@[i]" + " + 1" * 100),
                      "with the formulas that it uses, the expression has more than 10000 nested "
                      "operations"),
    "formulas in their order": (chain("def d#[i]", "d@[i] + 1", names=list),
                                "formula 'd1000' uses formulas that use others, more than 1000 "
                                "levels deep"),
    "parameters": (chain("param p# : F32", "p@ + 1"),
                   "parameter 'p1499' is computed from others, more than 1000 levels deep"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_chains(name, tools, tmp_path):
    text, message = CHAINS[name]
    expect_one(run(tools, tmp_path, "p.lmpm", program() + text), message + " [nested-too-deep]",
               "p.lmpm:")


LETS = "near\n" + "".join(f"  let a{k} = a{k - 1} + a{k - 1}\n" for k in range(1, 60))
MUCH = {
    "formulas that double": program("g59[i]") + chain("def g#[i]", "(g@[i] + g@[i+1]) % 2", 60),
    "indices that double": program("g59[i]") + chain("def g#[i]", "g@[i + i - i]", 60),
    "families that double": program("1 - self").replace(
        "emit", "let a0 = V[*]\n" + LETS.removeprefix("near\n") + "  emit").replace(
            "1 - self", "sum(a59) % 2"),
    "reductions that double": program("g59[i]") + chain(
        "def g#[i]", "(sum(g@[j] when j in 0..1) + sum(g@[j] when j in 0..2)) % 2", 60),
}


@pytest.mark.parametrize("name", MUCH)
def test_what_doubles_is_refused(name, tools, tmp_path):
    start = time.monotonic()
    said = run(tools, tmp_path, "p.lmpm", MUCH[name])
    assert time.monotonic() - start < 30  # about one, but for what else a machine does
    assert said.returncode == 1 and said.stderr.count("error: ") == 1
    text = "written out where their names stand, formulas and lets have more than 100000 operations"
    hint = "what many cells need again and again is a value, which a rule computes once"
    bound = "written out where their names stand, formulas have more than 100000 operations"
    assert f"error: {bound} [nested-too-deep]" in said.stderr or \
        (f"error: {text} [nested-too-deep]" in said.stderr and f"note: {hint}" in said.stderr)


@pytest.mark.usefixtures("unsanitized")
def test_lets_that_double_are_computed_once(tools, tmp_path):
    """Each analysis visits an operation once, whoever uses it how often."""
    lets = "".join(f"  let a{k} = (a{k - 1} * a{k - 1} + a{k - 1}) % 7\n" for k in range(1, 120))
    text = program("a119 % 2").replace("emit", "let a0 = self\n" + lets + "  emit")
    for flags in (["--backend=interp"], ["--backend=cpu"], ["--backend=kernels"]):
        assert run(tools, tmp_path, "p.lmpm", text, "p.lmpm", *flags, "--quiet",
                   "--limit-seconds", "60").returncode == 0


@pytest.mark.usefixtures("unsanitized")
def test_reads_at_hashed_indices(tools, tmp_path):
    """Whether cells read what others write is decided for large moduli, too."""
    text = "value A : Token[4] shape Seq(7) boundary wrap init 0\nvisible A[i] <- A[*]\nrule R:\n  on A[i]\n" \
        "  emit proposal A[i] := sum(A[(i*7919 + d*104729) % 999983 % 7] when d in 0..50) % 4\ncommit A[*] using accept\n"
    assert run(tools, tmp_path, "p.lmpm", text, "p.lmpm", "--check", "--quiet", "--limit-seconds", "60").returncode == 0


VECTORS = "value A : Latent[LENGTH] shape Seq(3)\nvisible A[i] <- A[i]\nrule R:\n  on A[i]\n" \
    "  emit proposal A[i] := PROPOSAL\ncommit A[*] using accept\n"


@pytest.mark.parametrize("flags", [["--backend=cpu"], ["--backend=kernels"]], ids=lambda flags: flags[0])
def test_vectors_longer_than_registers_are_refused(flags, tools, tmp_path):
    text = VECTORS.replace("LENGTH", "2049").replace("PROPOSAL", "softmax(self)")
    message = "a vector of 2049 numbers; compiled code takes 2048 at most, the interpreter any [not-lowered]"
    assert message in run(tools, tmp_path, "p.lmpm", text, "p.lmpm", *flags).stderr
    text = VECTORS.replace("LENGTH", "2").replace("PROPOSAL", "if softmax(concat(VECTOR, self))[0] > 0.0 "
                                               "then self else self")
    vector = "self"
    for _ in range(11):
        vector = f"concat({vector}, {vector})"
    assert "computes a vector of 4096 numbers; compiled code" in \
        run(tools, tmp_path, "p.lmpm", text.replace("VECTOR", vector), "p.lmpm", *flags).stderr


def test_the_interpreter_takes_vectors_of_any_length(tools, tmp_path):
    text = VECTORS.replace("LENGTH", "2049").replace("PROPOSAL", "softmax(self)")
    assert run(tools, tmp_path, "p.lmpm", text, "p.lmpm", "--backend=interp").returncode == 0


@pytest.mark.usefixtures("unsanitized")
def test_formulas_that_double_are_written_out_once(tools, tmp_path):
    text = program("d99[i]") + chain("def d#[i]", "max(d@[i], d@[i])", 100)
    assert run(tools, tmp_path, "p.lmpm", text, "p.lmpm", "--limit-memory", "2G",
               "--limit-seconds", "60").returncode == 0


LISTS = {
    "empty": ("", "not valid JSON: Unexpected EOF [malformed-json]"),
    "deep lists": ("[" * N, JSON_DEEP),
    "deep lists that close": ("[" * N + "]" * N, JSON_DEEP),
    "deep objects": ('{"a":' * N, JSON_DEEP),
    "a deep parameter": ('{"params": {"p": ' + "[" * N + "1" + "]" * N + "}}", JSON_DEEP),
    "digits": (f'{{"sizes": {{"N": {DIGITS}}}}}', "expected a natural number for the size 'N'"),
    "digits of the seed": (f'{{"seed": {DIGITS}}}', "expected a natural number below 2^64"),
    "no UTF-8": (b'{"sizes": {"\xff": 3}}', "not valid JSON: Invalid UTF-8 sequence"),
    "an unknown key": ('{"size": {}}', "unknown key 'size' [unknown-key]"),
    "an unknown key of a model": ('{"models": {"M": {"fil": "x", "function": "f"}}}',
                                  "unknown key 'fil' [unknown-key]"),
    "a key twice": ('{"sizes": {"N": 3, "N": 4}}', "'N' appears twice [malformed-json]"),
    "a list": ("[1]", "expected a JSON object at the top, but got an array"),
    "a comma": ('{"epochs": 3,}', "not valid JSON: Expected object key"),
    "two texts": ("{} {}", "not valid JSON: Text after end of document"),
    "no number": ('{"params": {"p": NaN}}', "not valid JSON: Invalid JSON value"),
}


@pytest.mark.parametrize("name", LISTS)
def test_bindings(name, tools, tmp_path):
    text, message = LISTS[name]
    (tmp_path / "p.lmpm").write_text(program())
    said = run(tools, tmp_path, "b.json", text, "p.lmpm", "--bindings", "b.json")
    expect_one(said, message, "b.json:1:")


def test_a_byte_order_mark_is_read_over(tools, tmp_path):
    (tmp_path / "p.lmpm").write_text("\ufeff" + program(), encoding="utf-8")
    said = run(tools, tmp_path, "b.json", '\ufeff{"epochs": 3}', "p.lmpm", "--bindings", "b.json")
    assert said.returncode == 0 and said.stdout.startswith("p: 3 epochs"), said.stderr
    said = run(tools, tmp_path, "b.json", '\ufeff{"epochs": 3,}', "p.lmpm", "--bindings", "b.json")
    expect_one(said, "not valid JSON: Expected object key", "b.json:1:17")


def test_brackets_in_strings_are_no_nest(tools, tmp_path):
    text = json.dumps({"palettes": {'["' + "[" * 200: [1]}})
    (tmp_path / "p.lmpm").write_text(program())
    said = run(tools, tmp_path, "b.json", text, "p.lmpm", "--bindings", "b.json")
    assert said.returncode == 0, said.stderr


def test_a_deep_flag(tools, tmp_path):
    said = run(tools, tmp_path, "p.lmpm", program(), "p.lmpm", "--set", "p=" + "[" * 10000)
    expect_one(said, "--set p: " + JSON_DEEP, "lmpm-run: error: ")


def npy(dtype, shape, data=b"", magic=b"\x93NUMPY"):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return magic + b"\x01\x00" + struct.pack("<H", len(header)) + header + data


ARRAYS = {
    "empty": (b"", "not an .npy file (its first bytes are not"),
    "something else": (b"PK\x03\x04" + bytes(60), "not an .npy file (its first bytes are not"),
    "cut in its header": (npy("|u1", "(8,)")[:30], "the file ends inside its header"),
    "cut short": (npy("|u1", "(8,)", bytes(5)), "expected 8 bytes of data for shape (8,) of uint8, "
                                                "but got 5 [malformed-array]"),
    "too long": (npy("|u1", "(8,)", bytes(9)), "expected 8 bytes of data for shape (8,) of uint8, "
                                               "but got 9 [malformed-array]"),
    "another shape": (npy("|u1", "(4, 2)", bytes(8)), "expected shape (8,) for 'V', but got (4, 2) "
                                                      "[wrong-shape]"),
    "fractions": (npy("<f4", "(8,)", struct.pack("<8f", 0, 0.5, *[1] * 6)),
                  "expected tokens of 'V' in -1 .. 1, but got 0.5 at [1] [outside-vocabulary]"),
    "objects": (npy("|O", "(8,)", bytes(64)), "but got type '|O' [malformed-array]"),
    "digits": (npy("|u1", f"({DIGITS},)"), "an extent of the shape does not fit 64 bits"),
    "a negative extent": (npy("|u1", "(-8,)"), "expected an extent in the header, but got '-'"),
    "a deep header": (npy("|u1", "(" * 60000), "expected an extent in the header"),
    "other tokens": (npy("|u1", "(8,)", b"\x07" * 8), "expected tokens of 'V' in -1 .. 1, but got 7 "
                                                      "at [0] [outside-vocabulary]"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name, tools, tmp_path):
    content, message = ARRAYS[name]
    (tmp_path / "p.lmpm").write_text(program())
    said = run(tools, tmp_path, "v.npy", content, "p.lmpm", "--input", "V=v.npy")
    expect_one(said, message, "lmpm-run: error: --input V=v.npy: ")


def test_both_byte_orders_are_read(tools, tmp_path):
    (tmp_path / "p.lmpm").write_text(program())
    results = []
    for order in "<>":
        content = npy(order + "i8", "(8,)", struct.pack(order + "8q", *[0, 1] * 4))
        said = run(tools, tmp_path, "v.npy", content, "p.lmpm", "--input", "V=v.npy",
                   "--output", "V=o.npy")
        assert said.returncode == 0, said.stderr
        results.append((tmp_path / "o.npy").read_bytes())
    assert results[0] == results[1]


def tensors(header, data=b""):
    return struct.pack("<Q", len(header)) + header + data


TENSORS = {
    "empty": (b"", "not a safetensors file (it has no header)"),
    "too long a header": (struct.pack("<Q", 10**18) + b"{}", "the file ends inside its header"),
    "a deep header": (tensors(b"[" * N), "the header is nested too deep"),
    "no UTF-8": (tensors(b'{"\xff": 1}'), "the header is not JSON"),
    "digits": (tensors(b'{"V": {"dtype": "U8", "shape": [%s], "data_offsets": [0, 1]}}'
                       % DIGITS.encode()), "are not natural numbers, or too large"),
}


@pytest.mark.parametrize("name", TENSORS)
def test_tensors(name, tools, tmp_path):
    content, message = TENSORS[name]
    (tmp_path / "p.lmpm").write_text(program())
    said = run(tools, tmp_path, "v.safetensors", content, "p.lmpm", "--input",
               "V=v.safetensors#V")
    expect_one(said, message, "lmpm-run: error: --input V=v.safetensors#V: ")
    assert "[malformed-array]" in said.stderr


EMPTY = {
    "module": (["e.mlir"], "'e.mlir' has no lci.program to run [wrong-program]"),
    "checkpoint": (["p.lmpm", "--epochs", "2", "--resume", "e.mlir"],
                   "'e.mlir': not a checkpoint [malformed-file]"),
    "archive": (["p.lmpm", "--input", "V=e.npz#V"], "'e.npz': not an .npz archive, or an empty one"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_empty_files(name, tools, tmp_path):
    flags, message = EMPTY[name]
    (tmp_path / "p.lmpm").write_text(program())
    (tmp_path / "e.npz").write_bytes(b"")
    expect_one(run(tools, tmp_path, "e.mlir", "", *flags), message, "lmpm-run: error: ")


def test_all_that_is_not_bound_is_told_at_once(tools, tmp_path):
    text = ("value V : Token[K] shape Grid2D(W, H) init 0\nparam level : I32[M]\n"
            "visible V[x,y] <- V[x,y]\n"
            "rule Flip: on V[x,y] emit proposal V[x,y] := level[x] % 2\n" + COMMIT)
    said = run(tools, tmp_path, "p.lmpm", text)
    assert re.findall(r"error: size '(\w)' is not bound", said.stderr) == list("KWHM")
    assert said.stderr.count("error:") == 4


def test_ranges_of_regions_and_palettes(tools, tmp_path):
    (tmp_path / "p.lmpm").write_text(
        program("any", 'constraint A: require V[region("r")] in Palette("p")\n'))
    for bindings, message in [
            ({"regions": {"r": {"rect": [[0, 8]]}}, "palettes": {"p": [1]}},
             "expected the region 'r' to lie in an axis of 8 cells, but got the range [0, 8] "
             "[outside-value]"),
            ({"regions": {"r": {"rect": [[0, 7]]}}, "palettes": {"p": [2]}},
             "expected tokens below 2 in the palette 'p', but got 2 [outside-vocabulary]")]:
        said = run(tools, tmp_path, "b.json", json.dumps(bindings), "p.lmpm", "--bindings",
                   "b.json")
        expect_one(said, message, "b.json:1:")


def test_a_long_chain_in_the_ir_is_no_deep_recursion(tools, tmp_path):
    chain = "".join(f"%a{k} = arith.addi %a{k - 1}, %one : i64\n" for k in range(1, N))
    text = """lci.program @p sizes [] {
  lci.value @V i32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %a0 = arith.constant 1 : i64
""" + chain + """lci.emit %a199999 : i64
  }
  lci.commit @V using accept {
  }
}
"""
    said = run(tools, tmp_path, "p.mlir", text, "p.mlir", "--backend=interp")
    assert said.returncode == 0, said.stderr[:2000]


def test_a_deep_nest_in_the_ir(tools, tmp_path):
    text = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * N
    message = "the IR is nested more than 500 levels deep [nested-too-deep]"
    expect_one(run(tools, tmp_path, "p.mlir", text), message, "p.mlir:501:")
    (tmp_path / "p.lmpm").write_text(program("Model(self)"))
    (tmp_path / "b.json").write_text('{"models": {"Model": {"file": "p.mlir", "function": "f"}}}')
    said = run(tools, tmp_path, "p.mlir", text, "p.lmpm", "--bindings", "b.json")
    assert f"p.mlir:501:11: error: {message}" in said.stderr and said.returncode == 1


def deep_ir():
    """What MLIR's reader, or who walks what it read, follows by recursion without a bracket of expressions."""
    for opens, closes in (("tuple<", ">"), ("memref<4x", ">"), ("!llvm.array<4 x ", ">"), ("vector<4x", ">")):
        yield f"func.func private @f({opens * N}i32{closes * N})\n"
    yield "#m = affine_map<(d0) -> (" + "-" * N + "d0)>\nmodule {}\n"
    yield "#m = affine_map<(d0) -> (" + "- // minus\n" * N + "d0)>\nmodule {}\n"
    yield "module {} loc(" + "fused<" * N + '"a">' + "[]" * N + ")\n"
    for sigil, one in (("#", "[%s]"), ("!", "tuple<%s>")):
        lines = [f"{sigil}a{i} = {one % (f'{sigil}a{i - 1}' if i else 'i32')}" for i in range(N)]
        yield "\n".join([*lines, f"module attributes {{x.y = {sigil}a{N - 1}}} {{}}\n"])


def test_ir_that_only_looks_deep(tools, tmp_path):
    tests = ", ".join(f"d0 - {i} >= 0" for i in range(1000))
    aliases = "".join(f"#a{i} = affine_map<(d0) -> (-d0 + {i})>\n" for i in range(1000))
    uses = ", ".join(f"#a{i}" for i in range(1000))
    types = " -> ()\nfunc.func private @".join(f"f{i}()" for i in range(1000))
    text = (f"#s = affine_set<(d0) : ({tests})>\n{aliases}module attributes {{x.y = [#s, {uses}]}} {{\n"
            f"func.func private @{types} -> ()\n}}\n")
    assert run(tools, tmp_path, "p.mlir", text, tool="lmpm-opt").returncode == 0


@pytest.mark.parametrize("tool", ["lmpm-opt", "lmpm-run"])
def test_what_ir_may_not_have_too_much_of(tool, tools, tmp_path):
    deep = "func.func @f() attributes {a = " + "[" * N + "]" * N + "} { return }\n"
    said = run(tools, tmp_path, "p.mlir", deep, tool=tool)
    expect_one(said, "the IR is nested more than 500 levels deep [nested-too-deep]", "p.mlir:1:")
    for said in (run(tools, tmp_path, "p.mlir", text, tool=tool) for text in deep_ir()):
        expect_one(said, "the IR is nested more than 500 levels deep [nested-too-deep]", "p.mlir:")
    long = "func.func @f() -> f32 {\n  %a = arith.constant 1." + "0" * 35000 + " : f32\n  return %a : f32\n}\n"
    said = run(tools, tmp_path, "p.mlir", long, tool=tool)
    expect_one(said, "the IR has a number of more than 1000 digits [number-too-large]", "p.mlir:2:23")


NOT_LMPM = ":1:1: note: a file whose name does not end in .lmpm is read as IR of MLIR"


@pytest.mark.parametrize("name, text", [
    ("bindings.json", '{"sizes": {"W": 4}}'), ("p.py", "import lmpm\n"), ("p.txt", "Cell\n"), ("p", "3\n"),
    ("p.npy", "\x93NUMPY"), ("p.png", "\x89PNG")])
def test_a_program_of_another_suffix(name, text, tools, tmp_path):
    for tool in "lmpm-run", "lmpm-translate":
        arguments = ["--lci-to-plan"] if tool == "lmpm-translate" else []
        said = run(tools, tmp_path, name, text, name, *arguments, tool=tool)
        assert said.returncode == 1 and said.stderr.count("error: ") == said.stderr.count(NOT_LMPM) == 1, said.stderr
    said = run(tools, tmp_path, "p.mlir", text)
    assert said.returncode == 1 and NOT_LMPM not in said.stderr
