"""IR that somebody broke by hand: every door says what the verifier says, and showing it never fails."""

import pickle

import pytest

import lmpm
from common import source
from lmpm import ir


def named(module, name):
    return next(op for op in module.walk() if op.name == name)


def made(name, regions=0, at="lci.value"):
    return lambda module: ir.create(name, regions=regions, before=named(module, at))


def rename(module):
    named(module, "lci.value").attributes["sym_name"] = "Other"


def cut(module):
    named(module, "lci.rule").regions[0].blocks[0].operations[-1].erase()


BROKEN = [
    (rename, "'lci.visible' op expected a value, but @Cell is not declared", "invalid-reference"),
    (cut, "block with no terminator, has ", "invalid-body"),
    (made("lci.value"), "'lci.value' op requires one region", "invalid-body"),
    (made("lci.value", 1), "'lci.value' op requires attribute 'kind'", "invalid-attribute"),
    (made("lci.param", 1), "'lci.param' op requires attribute 'kind'", "invalid-attribute"),
    (made("lci.visible"), "'lci.visible' op requires one region", "invalid-body"),
    (made("lci.rule", 1), "'lci.rule' op requires attribute 'sym_name'", "invalid-attribute"),
    (made("lci.constraint", 1), "'lci.constraint' op requires ", "invalid-"),
    (made("lci.schedule"), "'lci.schedule' op requires attribute 'strategy'", "invalid-attribute"),
    (made("lci.commit", 1), "'lci.commit' op requires attribute 'policy'", "invalid-attribute"),
    (made("lci.observe", 1), "'lci.observe' op requires attribute 'sym_name'", "invalid-attribute"),
    (made("lci.program", 1), "'lci.program' op requires attribute 'sizes'", "invalid-attribute"),
    (made("lci.program", 0), "'lci.program' op requires one region", "invalid-body")]
IDS = ["rename", "cut", "value", "value1", "param", "visible", "rule", "constraint", "schedule", "commit",
       "observe", "program1", "program0"]
DOORS = {
    "to_lmpm": lambda module: module.to_lmpm(),
    "program": lambda module: lmpm.ParsedProgram(module).to_lmpm(),
    "pickle": lambda module: pickle.dumps(lmpm.ParsedProgram(module)),
    "bytecode": lambda module: module.to_bytecode(),
    "verify": lambda module: module.verify(),
    "compile": lambda module: lmpm.ParsedProgram(module).compile(W=4, H=4),
    "levels": lambda module: lmpm.ParsedProgram(module).levels(W=4, H=4),
    "view": lambda module: lmpm.ParsedProgram(module).view("visibility", W=4, H=4),
    "passes": lambda module: ir.PassPipeline("lci-bind{sizes=W=4,H=4}", verify=False).run(module),
    "patterns": lambda module: ir.rewrite(module)}


@pytest.fixture
def module():
    return ir.Module.parse(source("life/life.lmpm").read_text(), "life.lmpm")


@pytest.mark.parametrize("break_it, message, id", BROKEN, ids=IDS)
def test_every_door_says_what_is_wrong(module, break_it, message, id):
    break_it(module)
    for name, door in DOORS.items():
        with pytest.raises(lmpm.Error) as caught:
            door(module)
        assert message in caught.value.message and caught.value.id.startswith(id), name


def test_a_second_program_is_an_error(module):
    ir.create("lci.program", regions=1, before=module.walk()[1])
    with pytest.raises(lmpm.Error, match="expected one program in a file, but got 2"):
        module.to_lmpm()


@pytest.mark.parametrize("break_it, message, id", BROKEN, ids=IDS)
def test_showing_it_never_fails(module, break_it, message, id):
    break_it(module)
    program = lmpm.ParsedProgram(module, "broken")
    assert repr(program) == "<program broken>" and repr(module).startswith("<module of ")
    assert 'class="code"' in program._repr_html_()
    if "lci.program" not in message:  # that, as MLIR has it, is no declaration that the text lacks
        assert message.split("'")[-1].strip() in program._repr_html_().replace("&#x27;", "'")
    for shown in str(module), module.print(locations=True), module.print(generic=True):
        assert '"lci.program"() ' in shown
    for op in module.walk():
        assert repr(op) == f"<{op.name}>" and op.name in str(op) and op.name in op._repr_html_()
        assert len(op.attributes) == len(list(op.attributes))
        if op.name in ("lci.program", "builtin.module"):
            assert op.find("Nothing") is None
    assert "lci.value" in module._repr_html_()


def test_an_operation_that_is_gone_is_shown_as_that(module):
    op = named(module, "lci.rule")
    op.erase()
    assert "the operation is gone" in op._repr_html_()


def test_a_function_that_breaks_ir_ends_its_pipeline(module):
    def spoil(operation):
        made("lci.value")(module)

    with pytest.raises(lmpm.Error, match="'lci.value' op requires one region"):
        ir.PassPipeline(spoil, "lci-bind{sizes=W=4,H=4}", verify=False).run(module)


# Patterns

ADD = """
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 5 : i32
  %s = arith.addi %a, %c {x = 3} : i32
  return %s : i32
}
"""


def rewrite(function, root="arith.addi", text=ADD):
    return ir.rewrite(ir.Module.parse(text, "add.mlir"), ir.pattern(root)(function))


def replaced(op, rewriter):
    twin = rewriter.create("arith.addi", op.operands, [op.results[0].type])
    rewriter.replace(op, twin.results)


@pytest.mark.parametrize("change", [
    lambda op, rewriter: rewriter.set_attribute(op, "x", 4),
    lambda op, rewriter: rewriter.create("arith.muli", op.operands, [op.results[0].type]) and None,
    replaced])
def test_a_pattern_that_changes_and_denies_it_is_an_error(change):
    with pytest.raises(lmpm.Error) as caught:
        rewrite(lambda op, rewriter: change(op, rewriter) or False)
    assert (caught.value.id, caught.value.message) == (
        "not-lowered", "expected True of a pattern on 'arith.addi' that changed something, but it returned "
                       "what is false")


def test_a_pattern_that_erases_and_denies_it_is_an_error():
    text = "func.func @f() {\n  %c = arith.constant 5 : i32\n  return\n}\n"
    with pytest.raises(lmpm.Error, match="expected True of a pattern on 'func.func' that changed something"):
        rewrite(lambda op, rewriter: rewriter.erase(op), "func.func", text)


def test_an_attribute_that_stays_is_no_change():
    assert not rewrite(lambda op, rewriter: rewriter.set_attribute(op, "x", 3))  # it keeps its type


def test_patterns_that_never_end_say_how_often_they_applied():
    with pytest.raises(lmpm.Error, match="the patterns still apply after 10 rewrites; expected that they come to "
                                         "an end"):
        rewrite(lambda op, rewriter: True)
    numbers = iter(range(10**9))
    with pytest.raises(lmpm.Error, match="the patterns still apply after 100000 rewrites"):
        rewrite(lambda op, rewriter: rewriter.set_attribute(op, "x", next(numbers)) or True)


def test_a_pattern_changes_its_own_module_alone():
    other = named(ir.Module.parse(ADD, "other.mlir"), "arith.addi")
    for change in (lambda rewriter: rewriter.set_attribute(other, "x", 4), lambda rewriter: rewriter.erase(other),
                   lambda rewriter: rewriter.replace(other, [])):
        with pytest.raises(lmpm.Error, match="expected an operation of the module that the patterns work on, but "
                                             "got one of another module"):
            rewrite(lambda op, rewriter: change(rewriter))
    assert other.alive
