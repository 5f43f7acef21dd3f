"""Operations of the dialect are of classes with names for their parts, as TableGen has them."""

import inspect
import pathlib
import pydoc
import subprocess
import sys

import pytest

import lmpm
from lmpm import _views, ir, operations

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLASSES = [getattr(operations, name) for name in operations.__all__]


@pytest.fixture(scope="module")
def levels(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm").levels(W=9, H=6)


def operations_of(*modules):
    return [op for module in modules for op in module.walk() if op.name.startswith("lci.")]


def test_the_file_is_up_to_date():
    ran = subprocess.run([sys.executable, SOURCE / "scripts/python_operations.py", "--check"], capture_output=True,
                         text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("program", ["life/life", "ising/ising", "sudoku/sudoku", "gray-scott/gray-scott"])
def test_parts_are_all_there_is(source_dir, program):
    """Operands, results and regions of an operation are those of its parts, in their order."""
    path = source_dir / f"examples/{program}.lmpm"
    levels = lmpm.load(path).levels(path.with_name("bindings.json"))
    found = operations_of(levels["program"].module, levels["bound"].module, levels["ticks"].module)
    assert len({op.name for op in found}) > 12
    for op in found:
        assert isinstance(op, _views.View), op.name
        for kind in ("operands", "results"):
            parts = [getattr(op, part.name) for part in op.parts.get(kind, [])]
            flat = [one for part in parts for one in (part if isinstance(part, list) else [part]) if one is not None]
            assert flat == getattr(op, kind), op.name
        assert len(op.parts.get("regions", [])) == len(op.regions)
        known = {part.key or part.name for part in op.parts.get("attributes", [])}
        assert {name for name in op.attributes if "." not in name and "Segment" not in name} <= known


def test_a_tick_has_names(levels):
    tick = next(op for op in levels["ticks"].module.walk() if op.name == "lci.tick")
    assert type(tick) is ir.TickOp and repr(tick) == "<lci.tick>"
    assert tick.name_.value == "Cell"
    assert tick.inputs == tick.operands[3:5] and tick.targets == tick.operands[5:6] and tick.boxed == []
    assert tick.counts is None or tick.counts in tick.operands
    assert tick.cells is None and tick.class_stride.value == 1
    assert tick.results_ == tick.results
    install = tick.body.blocks[0].operations[-1]
    assert type(install) is ir.InstallOp and install.parent == tick


def test_parts_are_set(levels):
    module = levels["ticks"].module.clone()
    tick = next(op for op in module.walk() if isinstance(op, ir.TickOp))
    tick.class_stride = 2
    assert tick.attributes["class_stride"].value == 2
    tick.phase = tick.epoch
    assert tick.operands[1] == tick.operands[0]
    module.verify()
    with pytest.raises(AttributeError, match="'inputs' of lci.tick cannot be set"):
        tick.inputs = []
    with pytest.raises(AttributeError):
        tick.inptus = []
    counted = next(op for op in module.walk() if isinstance(op, ir.TickOp) and op.counts is None)
    with pytest.raises(lmpm.Error, match="expected an operand 'counts' of lci.tick to set, but it has none"):
        counted.counts = counted.epoch


def test_every_way_to_an_operation_gives_its_class(levels):
    module = levels["ticks"].module.clone()
    tick = next(op for op in module.walk() if op.name == "lci.tick")
    assert type(tick.results[0].owner) is ir.TickOp and tick.parent.find is not None
    assert type(tick.body.blocks[0].operations[0].parent) is ir.TickOp
    assert all(type(user) in (ir.TickOp, ir.Operation) for user in tick.inputs[0].users)
    assert type(ir.Operation._CAPICreate(tick._CAPIPtr)) is ir.TickOp
    seen = []

    @ir.pattern("lci.install")
    def look(op, rewriter):
        seen.append(type(op))
        return False

    ir.rewrite(module, look)
    assert set(seen) == {ir.InstallOp}
    made = ir.create("lci.size", attributes={}, at_end=module.operation.regions[0].blocks[0])
    assert type(made) is ir.SizeOp and made.name_ is None
    made.erase()
    assert not made.alive and repr(made) == "<an operation that is gone>"
    with pytest.raises(lmpm.Error, match="the operation is gone"):
        made.name_


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_help_explains_each_part(cls):
    text = pydoc.plain(pydoc.render_doc(cls))
    assert len(inspect.getdoc(cls)) > 20
    for parts in cls.parts.values():
        for part in parts:
            assert len(part.__doc__) > 8 and part.name in text and part.__doc__[:30] in " ".join(text.split())


def test_a_class_makes_nothing():
    with pytest.raises(TypeError, match="TickOp has no constructor"):
        ir.TickOp()
