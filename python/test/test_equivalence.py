"""Two modules of a program, compared by running them."""

import pytest

import lmpm
from lmpm import ir


@pytest.fixture(scope="module")
def life(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm")


def refused(caught, *words):
    """Whether an error says all this."""
    return all(word in str(caught.value) for word in words)


def test_modules_of_a_program_are_compared_by_running_them(life):
    levels = life.levels(W=9, H=6)
    ticks = levels["ticks"].module
    for name in ("bound", "linalg", "llvm", "kernels"):
        ir.check_equivalent(ticks, levels[name].module, trials=2, epochs=2)
    other = ir.Module.parse(str(ticks).replace("cmpi eq", "cmpi ne"), "other.mlir")
    with pytest.raises(lmpm.Error) as caught:
        ir.check_equivalent(ticks, other)
    assert refused(caught, "the modules are not equivalent: Cell[0, 0] was ", " after 3 epochs of trial 1")
    assert caught.value.id == "check-failed"


def test_what_cannot_be_compared_is_refused(life):
    module = ir.Module.parse("func.func @f() { return }", "f.mlir")
    levels = life.levels(W=9, H=6)
    for left, right, words in ((levels["program"].module, levels["ticks"].module, "the program is not bound"),
                               (levels["ticks"].module, module, "expected a function with an argument of the role 'first'")):
        with pytest.raises(lmpm.Error) as caught:
            ir.check_equivalent(left, right)
        assert refused(caught, words)
    for arguments, words in (((life, module), "expected a Module for check_equivalent"),
                             ((module, module, 0), "trials")):
        with pytest.raises(lmpm.Error) as caught:
            ir.check_equivalent(*arguments)
        assert refused(caught, words)
