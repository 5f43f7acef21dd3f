"""Capsules of upstream's names: contexts, modules and operations that other packages over the same libMLIR.so take
and give. No such package is needed here: what one would make is made by the functions of libMLIR.so itself."""

import ctypes
import gc

import pytest

import lmpm
from lmpm import ir

ADD = """
func.func @f(%a: i32) -> i32 {
  %s = arith.addi %a, %a : i32
  return %s : i32
}
"""
NAMES = {ir.Context: b"mlir.ir.Context._CAPIPtr", ir.Module: b"mlir.ir.Module._CAPIPtr",
         ir.Operation: b"mlir.ir.Operation._CAPIPtr"}


@pytest.fixture
def module():
    return ir.Module.parse(ADD, "add.mlir")


def capsule_of(pointer, name):
    """As another package makes one; `name` has to live as long as it."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(pointer, name, None)


def pointer_in(capsule, name):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


def objects_of(module):
    return [module, module.context, module.operation, module.walk()[2]]


# Round trips


def test_a_capsule_gives_its_object_back(module):
    for one in objects_of(module):
        again = type(one)._CAPICreate(one._CAPIPtr)
        assert again == one
        assert pointer_in(one._CAPIPtr, NAMES[type(one)]) == pointer_in(again._CAPIPtr, NAMES[type(one)])
    assert ir.Module._CAPICreate(module._CAPIPtr) is module


def test_what_another_package_hands_back_is_the_same(module):
    for one in objects_of(module):
        name = NAMES[type(one)]
        foreign = capsule_of(pointer_in(one._CAPIPtr, name), name)
        assert type(one)._CAPICreate(foreign) == one
        with pytest.raises(TypeError, match="but got 'a capsule that is used up'"):
            type(one)._CAPICreate(foreign)


def test_a_capsule_keeps_its_object(module):
    capsule = module.walk()[2]._CAPIPtr
    del module
    gc.collect()
    assert ir.Operation._CAPICreate(capsule).name == "arith.addi"


def test_an_operation_that_is_gone_says_so(module):
    add = module.walk()[2]
    capsule = add._CAPIPtr
    ir.PassPipeline("symbol-dce", "canonicalize").run(module)
    with pytest.raises(lmpm.Error, match="the operation is gone"):
        add._CAPIPtr
    assert not ir.Operation._CAPICreate(capsule).alive


# Wrong capsules


@pytest.mark.parametrize("kind", NAMES)
def test_wrong_capsules_are_refused(module, kind):
    expected = NAMES[kind].decode()
    for wrong in [one._CAPIPtr for one in objects_of(module) if type(one) is not kind]:
        with pytest.raises(TypeError, match=f"expected a capsule '{expected}', but got 'mlir.ir."):
            kind._CAPICreate(wrong)
    for wrong in (None, 3, module, "mlir.ir.Module._CAPIPtr"):
        with pytest.raises(TypeError, match=f"expected a capsule '{expected}', but got"):
            kind._CAPICreate(wrong)


# What others made


@pytest.fixture
def mlir():
    """The functions of libMLIR.so, which this process has."""
    return ctypes.CDLL("libMLIR.so.22.1", mode=ctypes.RTLD_GLOBAL | 4)  # RTLD_NOLOAD


def make_context(mlir):
    allocate = ctypes.CDLL("libstdc++.so.6")._Znwm
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    context = allocate(64)
    construct = mlir._ZN4mlir11MLIRContextC1ENS0_9ThreadingE
    construct.restype, construct.argtypes = None, [ctypes.c_void_p, ctypes.c_int]
    construct(context, 1)
    return context


def make_module(mlir, context):
    class NoName(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t), ("given", ctypes.c_size_t)]

    locate, create = mlir._ZN4mlir10UnknownLoc3getEPNS_11MLIRContextE, \
        mlir._ZN4mlir8ModuleOp6createENS_8LocationESt8optionalIN4llvm9StringRefEE
    locate.restype, locate.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_void_p, NoName]
    return create(locate(context), NoName())


def test_a_context_of_another_package_is_taken_over(mlir):
    capsule = capsule_of(make_context(mlir), NAMES[ir.Context])
    context = ir.Context._CAPICreate(capsule)
    text = "value A : I32 shape Seq(4) init 0\nrule R: on A[i] emit proposal A[i] := i\ncommit A[*] using accept"
    module = ir.Module.parse(text, context=context)
    assert module.context is context
    ir.PassPipeline("lci-bind", "lci-lower-rules").run(module)
    assert "lci.tick" in str(module)
    with pytest.raises(TypeError, match="but got 'a capsule that is used up'"):
        ir.Context._CAPICreate(capsule)


@pytest.mark.parametrize("kind", [ir.Module, ir.Operation])
def test_a_module_of_another_package_is_taken_over(mlir, kind):
    raw = make_context(mlir)
    taken = kind._CAPICreate(capsule_of(make_module(mlir, raw), NAMES[kind]))
    assert [op.name for op in taken.walk()] == ["builtin.module"]
    # Its context is borrowed, until it is handed over, too.
    context = ir.Context._CAPICreate(capsule_of(raw, NAMES[ir.Context]))
    if kind is ir.Module:
        assert taken.context is context
    inner = ir.create("func.call", attributes={}, at_end=taken.walk()[0].regions[0].blocks[0])
    assert inner.parent.name == "builtin.module"


def test_what_is_no_module_is_refused(module):
    add = pointer_in(module.walk()[2]._CAPIPtr, NAMES[ir.Operation])
    with pytest.raises(TypeError, match="expected a module that nothing is around, but got 'arith.addi'"):
        ir.Module._CAPICreate(capsule_of(add, NAMES[ir.Module]))


def test_two_copies_of_the_dialect_do_not_meet(build_dir):
    library = ctypes.CDLL(str(build_dir / "lib/libLCI-C.so"))
    library.lciContextCreate.restype = ctypes.c_void_p
    context = library.lciContextCreate()
    with pytest.raises(lmpm.Error) as caught:
        ir.Context._CAPICreate(capsule_of(context, NAMES[ir.Context]))
    assert "expected a context without the dialect lci of another library, but got one with it" in str(caught.value)
    library.lciContextDestroy(ctypes.c_void_p(context))
