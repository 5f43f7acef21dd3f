"""localgen.mlir computes what network.py says, to the bit, when stock MLIR tools compile it."""

import ctypes
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent
LLVM = pathlib.Path("/usr/lib/llvm-22/bin")
sys.path.insert(0, str(HERE))
from network import CONTEXT, exact_logits, load_weights, logits  # noqa: E402
from kit.exact import fma  # noqa: E402

PIPELINE = ("builtin.module(one-shot-bufferize{bufferize-function-boundaries=1 "
            "function-boundary-type-conversion=identity-layout-map},"
            "buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1},"
            "convert-linalg-to-loops,lower-affine,convert-scf-to-cf,"
            "expand-strided-metadata,lower-affine,func.func(llvm-request-c-wrappers),"
            "finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)")


def descriptor(array):
    """The C struct that MLIR passes for a memref of this array."""
    rank = array.ndim

    class MemRef(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                    ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]

    steps = [stride // array.itemsize for stride in array.strides]
    return MemRef(array.ctypes.data, array.ctypes.data, 0, (ctypes.c_int64 * rank)(*array.shape),
                  (ctypes.c_int64 * rank)(*steps))


@pytest.fixture(scope="module")
def weights():
    return load_weights(HERE / "localgen.safetensors")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory, weights):
    """The compiled function: (context, caption) -> logits."""
    folder = tmp_path_factory.mktemp("localgen")
    text = (HERE / "localgen.mlir").read_text()
    names = [part.split('"')[0] for part in text.split('lci.weight = "')[1:]]
    lowered = subprocess.run([LLVM / "mlir-opt", "--allow-unregistered-dialect",
                              f"--pass-pipeline={PIPELINE}"], input=text, text=True, check=True,
                             capture_output=True).stdout
    ir = subprocess.run([LLVM / "mlir-translate", "--mlir-to-llvmir"], input=lowered, text=True,
                        check=True, capture_output=True).stdout
    subprocess.run([shutil.which("clang-22") or LLVM / "clang", "-O1", "-shared", "-fPIC",
                    "-Wno-override-module", "-xir", "-", "-o", folder / "localgen.so", "-lm"],
                   input=ir, text=True, check=True)
    function = ctypes.CDLL(str(folder / "localgen.so"))._mlir_ciface_LocalGen

    def call(context, caption):
        ids = np.asarray(context, np.int32)
        parts = [ids[:8].copy(), ids[8:9].copy(), np.asarray(caption, np.int32), ids[9:].copy()]
        arrays = [array for part in parts for array in (part, np.ones(part.shape, np.uint8))]
        arrays += [np.array(weights[name]) for name in names] + [np.zeros(256, np.float32)]
        views = [descriptor(array) for array in arrays]
        function(*[ctypes.byref(view) for view in views])
        return arrays[-1]

    return call


def test_bits_of_the_definition(compiled, weights):
    """Random contexts, half of their tokens absent, and random captions."""
    rng = np.random.default_rng(4)
    for _ in range(40):
        context = np.where(rng.random(CONTEXT) < 0.5, 256, rng.integers(0, 256, CONTEXT))
        caption = rng.integers(0, 65, 16)
        expected = exact_logits(weights, context[None], caption)[0]
        assert compiled(context, caption).tobytes() == expected.tobytes()


def test_fast_logits_are_near(weights):
    """The float64 short cut of the reference stays far inside its margin for near ties."""
    rng = np.random.default_rng(5)
    context, caption = rng.integers(0, 257, (500, CONTEXT)), rng.integers(0, 64, 16)
    difference = logits(weights, context, caption) - exact_logits(weights, context, caption)
    assert np.abs(difference).max() < 1e-4


def test_fma_rounds_once():
    """Against exact rational arithmetic, on numbers chosen to fall near halfway between floats."""
    from fractions import Fraction

    rng = np.random.default_rng(6)
    a = rng.integers(1, 2**24, 4000).astype(np.float32)
    b = rng.integers(1, 2**24, 4000).astype(np.float32)
    scale = np.float32(2.0) ** rng.integers(-30, 60, 4000).astype(np.float32)
    c = (rng.integers(-(2**24), 2**24, 4000).astype(np.float32) * scale).astype(np.float32)
    for x, y, z, got in zip(a, b, c, fma(a, b, c)):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        below, above = (np.nextafter(got, np.float32(end)) for end in (-np.inf, np.inf))
        distances = [abs(Fraction(float(value)) - exact) for value in (below, got, above)]
        assert distances[1] == min(distances)
