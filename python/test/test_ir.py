"""IR in Python: reading and changing it, handles that outlive it, pipelines, passes, patterns."""

import gc

import pytest

import lmpm
from lmpm import ir

ADD = """
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 5 : i32
  %s = arith.addi %a, %c {note = "first"} : i32
  return %s : i32
}
"""


@pytest.fixture
def module():
    return ir.Module.parse(ADD, "add.mlir")


@pytest.fixture(scope="module")
def life(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm")


def find(module, name):
    return next(op for op in module.walk() if op.name == name)


def refused(caught, *words):
    """Whether an error says all this."""
    return all(word in str(caught.value) for word in words)


# Reading


def test_a_module_is_walked_both_ways(module):
    names = [op.name for op in module.walk()]
    assert names == ["builtin.module", "func.func", "arith.constant", "arith.addi", "func.return"]
    assert [op.name for op in module.walk("post")][-1] == "builtin.module"
    with pytest.raises(lmpm.Error) as caught:
        module.walk("in")
    assert refused(caught, "expected 'pre' or 'post' for the order of a walk, but got 'in'")


def test_an_operation_has_its_parts(module):
    add = find(module, "arith.addi")
    constant = find(module, "arith.constant")
    assert [str(value.type) for value in add.operands] == ["i32", "i32"]
    assert add.operands[1] == constant.results[0] and add.operands[1].owner == constant
    assert add.operands[0].owner is None
    assert add.results[0].users == [find(module, "func.return")]
    function = add.parent
    assert function.name == "func.func" and function.parent == module.operation
    assert module.operation.parent is None
    block = function.regions[0].blocks[0]
    assert [op.name for op in block.operations] == ["arith.constant", "arith.addi", "func.return"]
    assert block.arguments == [add.operands[0]]
    assert module.operation.find("f") == function and module.operation.find("g") is None
    assert 'loc("add.mlir":4:8)' in add.location
    with pytest.raises(lmpm.Error) as caught:
        add.find("f")
    assert refused(caught, "expected an operation with symbols, but got 'arith.addi'")


def test_attributes_are_values_of_python(module):
    add, constant = find(module, "arith.addi"), find(module, "arith.constant")
    assert add.attributes["note"].value == "first"
    assert set(add.attributes) == set(add.attributes.keys()) == {"note", "overflowFlags"}
    assert "note" in add.attributes and "other" not in add.attributes
    assert constant.attributes["value"].value == 5 and str(constant.attributes["value"]) == "5 : i32"
    with pytest.raises(KeyError):
        add.attributes["other"]


def test_attributes_are_set(module):
    add, constant = find(module, "arith.addi"), find(module, "arith.constant")
    add.attributes["all"] = {"truth": True, "list": [1, 2.5, "x"]}
    assert str(add.attributes["all"]) == '{list = [1, 2.500000e+00, "x"], truth = true}'
    constant.attributes["value"] = 7  # keeps its type
    assert "arith.constant 7 : i32" in str(module)
    del add.attributes["note"]
    assert "note" not in add.attributes
    module.verify()


def test_wrong_attributes_are_refused(module):
    add, constant = find(module, "arith.addi"), find(module, "arith.constant")
    for value, words in [
            (object(), "expected an attribute, a bool, int, float or str, or a list or dict of "
                       "such, but got object"),
            (2**80, "expected an integer of 64 bits, but got 1208925819614629174706176")]:
        with pytest.raises(lmpm.Error) as caught:
            add.attributes["new"] = value
        assert refused(caught, words, "[invalid-attribute]")
    with pytest.raises(lmpm.Error) as caught:
        constant.attributes["value"] = 2**40
    assert refused(caught, "expected an integer of 32 bits, but got 1099511627776")
    with pytest.raises(lmpm.Error) as caught:
        constant.attributes["value"] = [1]
    assert refused(caught, "'arith.constant' takes no attribute 'value' of this type: [1]")
    with pytest.raises(lmpm.Error) as caught:
        del constant.attributes["value"]
    assert refused(caught, "'value' is part of 'arith.constant'; expected one that is not, to remove")
    other = ir.Type.parse("i64", ir.Context())
    with pytest.raises(lmpm.Error) as caught:
        add.attributes["type"] = other
    assert refused(caught, "expected a type of the module's context, but got one of another; "
                           "make it in `module.context`")


def test_types_and_attributes_are_read(module):
    tensor = ir.Type.parse("tensor<4xf32>", module.context)
    assert str(tensor) == "tensor<4xf32>" and tensor == ir.Type.parse("tensor<4 x f32>", module.context)
    assert ir.Attribute.parse("[true, 2 : i8]", module.context).value == [True, 2]
    with pytest.raises(lmpm.Error) as caught:
        ir.Type.parse("tensor<4xnothing>", module.context)
    assert refused(caught, "tensor<4xnothing>:1:10: error: expected")


def test_what_is_nested_too_deep_is_refused(module):
    add, deep = find(module, "arith.addi"), "the IR is nested more than 500 levels deep [nested-too-deep]"
    values, places = [], []
    for _ in range(20000):
        values = [values]
    levels = "expected an attribute of at most 500 levels, but got one that is nested deeper [nested-too-deep]"

    def wrap():
        for _ in range(501):
            add.attributes["z"] = [add.attributes["z"]] if "z" in add.attributes else []

    def go_in():
        place = dict(before=add)
        for _ in range(600):
            made = ir.create("scf.execute_region", regions=1, **place)
            place = dict(at_end=made.regions[0].blocks[0])
            places.append(made)

    def move_in():
        outer = ir.create("scf.execute_region", regions=1, before=add)
        inner = ir.create("scf.execute_region", at_end=outer.regions[0].blocks[0])
        outer.move_before(places[-1])
        add.move_before(inner)

    for change, words in [
            (lambda: ir.Attribute.parse("[" * 20000 + "]" * 20000, module.context), f"<text>:1:501: error: {deep}"),
            (lambda: ir.Type.parse("tuple<" * 20000 + ">" * 20000, module.context), f"<text>:1:3006: error: {deep}"),
            (lambda: ir.Module.parse("func.func private @f(" + "tuple<" * 20000 + ">" * 20000 + ")", "f.mlir"),
             f"f.mlir:1:3021: error: {deep}"),
            (lambda: add.attributes.__setitem__("z", values), levels),
            (lambda: add.attributes.__setitem__("z", {"a": values}), levels),
            (wrap, levels),
            (lambda: ir.create("scf.if", regions=10**8, before=add),
             "expected from 0 to 1000 regions of 'scf.if', but got 100000000 [invalid-body]"),
            (lambda: ir.create("scf.if", regions=-1, before=add),
             "expected from 0 to 1000 regions of 'scf.if', but got -1 [invalid-body]"),
            (go_in, "expected a place for 'scf.execute_region' within at most 500 operations, but got one within 501 "
                    "[nested-too-deep]"),
            (move_in, "expected a place for 'arith.addi' within at most 500 operations, but got one within 501")]:
        with pytest.raises(lmpm.Error) as caught:
            change()
        assert refused(caught, words), str(caught.value)[:200]
    assert str(module).count("[") == 500


def test_ir_is_printed_with_flags(module):
    assert '"arith.addi"' in module.print(generic=True)
    assert "loc(" in module.print(locations=True) and "loc(" not in module.print()
    add = find(module, "arith.addi")
    assert str(add).startswith("%") and '"arith.addi"(' in add.print(generic=True)
    again = ir.Module.parse(module.print(generic=True, locations=True), "again.mlir")
    assert again.print(locations=True) == module.print(locations=True)


# Verification


def test_wrong_ir_is_an_exception_with_its_picture(module):
    add = find(module, "arith.addi")
    index = ir.Type.parse("index", module.context)
    argument = add.parent.regions[0].blocks[0].add_argument(index)
    add.set_operand(1, argument)
    with pytest.raises(lmpm.Error) as caught:
        add.verify()
    error = caught.value
    assert (error.file, error.line, error.column) == ("add.mlir", 4, 8)
    assert "'arith.addi' op" in error.message and "\n       ^" in str(error)
    with pytest.raises(IndexError):
        add.set_operand(2, argument)
    with pytest.raises(lmpm.Error):
        ir.PassPipeline("canonicalize").run(module)


def test_text_that_is_no_ir_is_an_exception_with_its_picture():
    with pytest.raises(lmpm.Error) as caught:
        ir.Module.parse("func.func @f() { return %x : i32 }", "wrong.mlir")
    assert caught.value.line == 1 and "^" in str(caught.value)


def test_messages_point_into_texts_that_a_context_was_given():
    context = ir.Context()
    context.add_source("first\nsecond\n", "cell.py")
    with pytest.raises(lmpm.Error) as caught:
        ir.Module.parse('func.func @f() -> i32 { "func.return"() : () -> () loc("cell.py":2:3) }',
                        "wrong.mlir", context)
    assert "cell.py:2:3: error: " in str(caught.value) and "second\n  ^" in str(caught.value)


# Changing it, and handles


def test_operations_are_made_moved_and_erased(module):
    add = find(module, "arith.addi")
    i32 = ir.Type.parse("i32", module.context)
    product = ir.create("arith.muli", [add.operands[0], add.operands[1]], [i32], before=add)
    add.replace_uses([product.results[0]])
    add.erase()
    module.verify()
    assert "arith.muli" in str(module) and "arith.addi" not in str(module)
    constant = find(module, "arith.constant")
    product.move_before(constant)
    with pytest.raises(lmpm.Error) as caught:
        module.verify()
    assert refused(caught, "does not dominate this use")


def test_wrong_changes_are_refused(module):
    add, constant = find(module, "arith.addi"), find(module, "arith.constant")
    other = find(ir.Module.parse(ADD, "other.mlir"), "arith.constant")
    for change, words in [
            (lambda: constant.erase(), "expected an operation without uses to erase, but somebody "
                                       "uses a result of 'arith.constant'"),
            (lambda: module.operation.erase(), "expected an operation in a module to erase, but got "
                                               "the module"),
            (lambda: add.set_operand(0, other.results[0]), "expected a value of the same module, but "
                                                           "got one of another module"),
            (lambda: add.replace_uses([]), "expected 1 values in place of the results of "
                                           "'arith.addi', but got 0"),
            (lambda: add.replace_uses(add.results), "expected another operation's value in place of "
                                                    "a result of 'arith.addi'"),
            (lambda: add.parent.move_before(add), "expected two operations in one module to move one "
                                                  "before the other, which does not hold the other"),
            (lambda: ir.create("arith.nothing", before=add), "expected the name of an operation, but "
                                                             "no dialect has 'arith.nothing'"),
            (lambda: ir.create("arith.muli"), "expected one place for 'arith.muli': 'before' an "
                                              "operation or 'at_end' of a block"),
            (lambda: ir.create("arith.muli", before=module.operation), "to make 'arith.muli' before, "
                                                                       "but got the module")]:
        with pytest.raises(lmpm.Error) as caught:
            change()
        assert refused(caught, words)
    module.verify()


def test_handles_of_what_is_gone_say_so(module):
    add, constant = find(module, "arith.addi"), find(module, "arith.constant")
    function = add.parent
    block, value, attributes = function.regions[0].blocks[0], add.results[0], add.attributes
    function.erase()
    for ask in [lambda: add.name, lambda: str(constant), lambda: block.operations,
                lambda: value.type, lambda: attributes["note"], lambda: function.walk(),
                lambda: add.verify(), lambda: add == value.owner]:
        with pytest.raises(lmpm.Error) as caught:
            ask()
        assert refused(caught, "the operation is gone: it was erased, or passes ran over its module "
                               "since; look it up again")
    assert not add.alive and repr(add) == "<an operation that is gone>"


def test_passes_end_handles_but_that_of_the_module(module):
    add, whole = find(module, "arith.addi"), module.operation
    ir.PassPipeline("canonicalize").run(module)
    assert not add.alive and whole.alive and whole == module.operation


def test_a_handle_keeps_its_module():
    add = find(ir.Module.parse(ADD, "add.mlir"), "arith.addi")
    gc.collect()
    assert add.parent.name == "func.func"


# Pipelines


def test_pipelines_are_text_and_objects(module):
    again = module.clone()
    ir.PassPipeline("func.func(canonicalize,cse)").run(module)
    ir.PassPipeline("builtin.module(func.func(canonicalize,cse))").run(again)
    assert str(module) == str(again)
    pipeline = ir.PassPipeline(ir.Pass("canonicalize", max_iterations=3), "cse")
    assert str(pipeline) == "canonicalize{max_iterations=3},cse"
    assert str(ir.Pass("p", on=True, names=["a", "b"])) == "p{on=true names=a,b}"


@pytest.mark.parametrize("pipeline, words", [
    ("canonicalise", "'canonicalise' does not refer to a registered pass or pass pipeline"),
    ("canonicalize{depth=3}", "no such option depth"),
    ("canonicalize(", "unbalanced parentheses"),
])
def test_wrong_pipelines_are_refused(module, pipeline, words):
    with pytest.raises(lmpm.Error) as caught:
        ir.PassPipeline(pipeline).run(module)
    assert refused(caught, f"cannot read the pipeline '{pipeline}': ", words, "[pass-option]")


def test_steps_of_a_pipeline_are_traced(module):
    def look(operation):
        pass

    steps = ir.PassPipeline("canonicalize", look, "func.func(cse)").trace(module)
    assert [step.name for step in steps][:2] == ["canonicalize", "look"]
    assert "cse" in steps[2].name and len(steps) == 3
    assert steps[2].text == str(module) and all(step.seconds >= 0 for step in steps)


# Passes and patterns in Python


def test_a_pass_is_a_function(module):
    pipeline = ir.PassPipeline()

    @pipeline.add
    def double(operation):
        for op in operation.walk():
            if op.name == "arith.constant":
                op.attributes["value"] = 2 * op.attributes["value"].value

    pipeline.run(module)
    assert "arith.constant 10 : i32" in str(module)


def test_what_a_pass_raises_ends_the_pipeline(module):
    def stop(operation):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        ir.PassPipeline(stop, "canonicalize").run(module)
    module.verify()


def test_ir_that_a_pass_leaves_is_verified(module):
    def spoil(operation):
        find(module, "func.return").erase()

    with pytest.raises(lmpm.Error) as caught:
        ir.PassPipeline(spoil).run(module)
    assert refused(caught, "block with no terminator")


def test_a_pass_runs_no_passes_on_its_module(module):
    def again(operation):
        ir.PassPipeline("cse").run(module)

    with pytest.raises(lmpm.Error) as caught:
        ir.PassPipeline(again).run(module)
    assert refused(caught, "expected a module that nobody works on, but got one whose passes or "
                           "patterns are running; clone it", "[pass-order]")
    ir.PassPipeline("cse").run(module)


@ir.pattern("arith.addi")
def add_to_multiply(op, rewriter):
    made = rewriter.create("arith.muli", op.operands, [op.results[0].type])
    rewriter.replace(op, made.results)
    return True


def test_a_pattern_is_a_function(module):
    add = find(module, "arith.addi")
    assert ir.rewrite(module, add_to_multiply)
    assert "arith.muli" in str(module) and not add.alive
    assert not ir.rewrite(module, add_to_multiply)


def test_patterns_run_in_a_pass(module):
    def apply(operation):
        ir.rewrite(module, add_to_multiply)

    ir.PassPipeline(apply).run(module)
    assert "arith.muli" in str(module)


def test_wrong_patterns_are_refused(module):
    kept = []

    @ir.pattern("arith.addi")
    def keep(op, rewriter):
        kept.append(rewriter)
        return False

    @ir.pattern("arith.addi")
    def erase(op, rewriter):
        op.erase()

    @ir.pattern("arith.addi")
    def spoil(op, rewriter):
        rewriter.create("arith.muli", op.operands, [])

    @ir.pattern("arith.addi")
    def build_behind(op, rewriter):
        add_to_multiply(op, rewriter)
        rewriter.create("arith.constant", results=[])

    @ir.pattern("arith.nothing")
    def nowhere(op, rewriter):
        return False

    before = str(module)
    ir.rewrite(module, keep)
    with pytest.raises(lmpm.Error) as caught:
        kept[0].erase(find(module, "arith.addi"))
    assert refused(caught, "the rewriter is of a pattern that has returned")
    for pattern, words in [(erase, "a pattern changes IR by its rewriter alone"),
                           (spoil, "'arith.muli' op"),
                           (nowhere, "no dialect has 'arith.nothing'")]:
        with pytest.raises(lmpm.Error) as caught:
            ir.rewrite(module, pattern)
        assert refused(caught, words)
        assert str(module) == before
    with pytest.raises(lmpm.Error) as caught:
        ir.rewrite(module, build_behind)
    assert refused(caught, "the operation is gone")


def test_patterns_come_to_an_end(module):
    @ir.pattern("arith.constant")
    def count(op, rewriter):
        rewriter.set_attribute(op, "value", op.attributes["value"].value + 1)
        return True

    with pytest.raises(lmpm.Error) as caught:
        ir.rewrite(module, count)
    assert refused(caught, "the patterns still apply after", "expected that they come to an end")


# Upstream


def test_modules_go_out_and_in_as_text_and_bytecode(module):
    data = module.to_bytecode()
    assert isinstance(data, bytes) and data.startswith(b"ML\xefR")
    assert str(ir.Module.parse(data, "add.mlirbc")) == str(module)
    assert str(ir.Module.parse(str(module), "add.mlir")) == str(module)
    context = ir.Context()
    one, two = (ir.Module.parse(data, "add.mlirbc", context) for _ in range(2))
    assert one.context is two.context is context
    wrong = ir.create("arith.constant", [], [ir.Type.parse("i32", module.context)],
                      before=find(module, "func.return"))
    for write in module.to_bytecode, module.clone, module.verify:
        with pytest.raises(lmpm.Error) as caught:
            write()
        assert caught.value.message == "'arith.constant' op requires attribute 'value'"
        assert "note" not in str(caught.value)
    wrong.erase()
    assert module.to_bytecode() == data


@pytest.mark.parametrize("name", [
    "arith.addi", "func.return", "gpu.barrier", "linalg.yield", "llvm.return", "memref.alloc",
    "nvvm.barrier0", "scf.yield", "tensor.empty", "vector.print"])
def test_upstream_dialects_are_there(name):
    module = ir.Module.parse("", "empty.mlir")
    assert ir.create(name, at_end=module.operation.regions[0].blocks[0]).name == name


# Levels


def test_levels_go_down_to_machine_code(life):
    levels = life.levels(W=32, H=32)
    assert list(levels.keys()) == ["language", "program", "bound", "ticks", "linalg", "llvm",
                                   "kernels", "nvvm", "llvmir", "ptx"]
    assert levels["language"].text == life.to_lmpm() and levels["language"].module is None
    for name, mark in [("program", "lci.program"), ("bound", "lci.program"), ("ticks", "lci.tick"),
                       ("linalg", "memref"), ("llvm", "llvm.func"), ("kernels", "gpu.module"),
                       ("nvvm", "nvvm."), ("llvmir", "define "), ("ptx", ".visible .entry")]:
        assert mark in levels[name].text, name
    assert levels["ptx"].module is None
    ticks = levels["ticks"].module
    ir.PassPipeline("lci-to-linalg-pipeline").run(ticks)
    assert str(ticks) == levels["linalg"].text


def test_a_program_explains_its_levels(life):
    text = life.explain(W=32, H=32)
    assert text.count("\n") == 19 and "lci-to-kernels-pipeline" in text
    with pytest.raises(lmpm.Error) as caught:
        life.explain()
    assert "in Python, keywords of levels give sizes: levels(" in caught.value.__notes__[0]
    with pytest.raises(lmpm.Error) as caught:
        life.levels(W=32, H=32)["asm"]
    assert refused(caught, "expected one of the levels language, program, bound, ticks, linalg, ")
