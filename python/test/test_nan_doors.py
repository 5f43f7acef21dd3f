"""Numbers on their way into a run and out of it: of every NaN there is one, 0x7fc00000, by every way in
and on every back end (S-NAN). NaNs are quiet and signalling, of either sign, with any payload."""

import hashlib
import os
import struct
import subprocess

import numpy as np
import pytest

import lmpm

PATTERNS = np.array([0x7fc00000, 0x7fc12345, 0x7f800001, 0xffc00000, 0xff812345, 0xffffffff, 0x3f800000,
                     0x80000000], np.uint32)
FLOATS = PATTERNS.view(np.float32)
ONE_NAN = np.uint32(0x7fc00000)
CANONICAL = np.where(np.isnan(FLOATS), ONE_NAN, PATTERNS)
PROGRAM = """
param p : F32[8]
param zero : F32 = 0.0
value Index : F32 shape Seq(8) init[i] (0.0 + i) / i
value Drawn : F32 shape Seq(8) init (randint(2) - 1.0) / zero
value Pair : Latent[2] shape Seq(8) init concat(zero / zero, normal() / zero - normal() / zero)
value Known : F32 shape Seq(8) init[i] p[i]
value Given : F32 shape Seq(8)
value Copy : F32 shape Seq(8) init 0.0
value Made : F32 shape Seq(8) init 1.0
value Scored : F32 shape Seq(8) init 2.0
visible Given[i] <- Given[i]
visible Copy[i] <- Copy[i]
visible Made[i] <- Given[i]
visible Scored[i] <- Scored[i]
rule Take: on Copy[i] emit proposal Copy[i] := p[i]
rule Make: on Made[i] emit proposal Made[i] := (0.0 * Given[i]) / zero
rule Score: on Scored[i] emit proposal Scored[i] := 3.0 score p[i]
commit Copy[*] using accept
commit Made[*] using accept
commit Scored[*] using accept
observe first := p[1]
observe given := Given[4]
"""
VALUES = ("Index", "Drawn", "Pair", "Known", "Given", "Copy", "Made", "Scored")


def bits(array):
    return np.ascontiguousarray(array).view(np.uint32)


def assert_one_nan(arrays):
    for name, array in arrays.items():
        assert set(bits(array)[np.isnan(array)]) <= {ONE_NAN}, name
    for name in ("Known", "Given"):
        assert np.array_equal(bits(arrays[name]), CANONICAL), name
    assert all(np.isnan(arrays[name]).any() for name in VALUES if name != "Scored")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "p.lmpm").write_text(PROGRAM)
    np.save(tmp_path / "f4.npy", FLOATS)
    np.save(tmp_path / "big.npy", PATTERNS.astype(">u4").view(">f4"))
    np.savez_compressed(tmp_path / "f4.npz", g=FLOATS)
    header = b'{"g":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}}'
    (tmp_path / "g.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + FLOATS.tobytes())
    return tmp_path


@pytest.fixture
def run(tools, folder):
    def run(*words, epochs=2, tool="lmpm-run", program="p.lmpm", **how):
        outputs = [word for name in VALUES for word in ("--output", f"{name}={name}.npy")]
        words = [tools.path(tool), program, "--quiet", "--epochs", str(epochs), *words, *outputs]
        said = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, **how)
        assert said.returncode == 0, said.stderr
        return {name: np.load(folder / f"{name}.npy") for name in VALUES}
    return run


SOURCES = ("f4.npy", "big.npy", "f4.npz#g", "g.safetensors#g")
BACKENDS = {"interp": ["--backend=interp"], "cpu": [], "kernels": ["--backend=kernels"],
            "ptx": ["--backend=cuda"], "check": ["--check"]}


def pairs(ways_in, backends):
    """Every second of all pairs, or with LCI_ALL_WAYS=1 (`make test-long`) each."""
    return [(way, backend) for i, way in enumerate(ways_in) for j, backend in enumerate(backends)
            if os.environ.get("LCI_ALL_WAYS") or (i + j) % 2 == 0]


@pytest.mark.parametrize("source, backend", pairs(SOURCES, BACKENDS))
def test_tools(run, build_dir, source, backend):
    words = [f"--cuda-driver={build_dir / 'lib' / 'libLCIPTXMachine.so'}"] if backend == "ptx" else []
    found = run("--input", f"Given={source}", "--set", f"p={source}", *BACKENDS[backend], *words)
    assert_one_nan(found)
    reference = run("--input", "Given=f4.npy", "--set", "p=f4.npy", "--backend=interp")
    for name in VALUES:
        assert np.array_equal(bits(found[name]), bits(reference[name])), name


def test_bundles(run, tools, folder):
    subprocess.run([tools.path("lmpm-translate"), "--lci-to-bundle", "--bundle-for=cpu", "p.lmpm",
                    "--set=p=f4.npy", "-o", "p.bundle"], cwd=folder, check=True)
    given = ["--input", "Given=f4.npy"]
    found = run(*given, tool="lmpm-run-bundle", program="p.bundle")
    assert_one_nan(found)
    again = run(*given, "--set", "p=big.npy", tool="lmpm-run-bundle", program="p.bundle")
    assert all(np.array_equal(bits(found[name]), bits(again[name])) for name in VALUES)


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


# One array of eight floats in every way in which Python may have it.
PYTHON = {
    "native": FLOATS,
    "the other order of bytes": PATTERNS.astype(">u4").view(">f4"),
    "every second one": np.repeat(FLOATS, 2)[::2],
    "backwards": FLOATS[::-1].copy()[::-1],
    "the other order, backwards": PATTERNS[::-1].astype(">u4").view(">f4")[::-1],
    "part of records": np.rec.fromarrays([np.zeros(8, "i1"), FLOATS], names="a,b")["b"],
    "read only": np.frombuffer(FLOATS.tobytes(), np.float32),
    "a buffer": memoryview(FLOATS),
    "another library": Foreign(FLOATS),
}


@pytest.mark.parametrize("name, backend", pairs(PYTHON, ["cpu", "kernels", "interp"]))
def test_python(name, backend):
    array = PYTHON[name]
    program = lmpm.parse(PROGRAM, name="p.lmpm").compile({"params": {"p": [0.0] * 8}}, backend=backend)
    made = program.run({"Given": array}, 2, params={"p": array}, observe_every=1)
    assert_one_nan({value: made[value] for value in VALUES})
    for seen in made.observations.values():
        assert set(bits(seen.astype(np.float32))) == {ONE_NAN}


@pytest.mark.parametrize("backend", ["cpu", "kernels", "interp"])
def test_checkpoints(run, folder, backend):
    """Also one that somebody made whose NaNs are others; records of commits are as they were."""
    given = ["--input", "Given=f4.npy", "--set", "p=f4.npy", "--backend", backend]
    whole = run(*given, epochs=4)
    run(*given, "--checkpoint", "c")
    content = bytearray((folder / "c").read_bytes())
    changed = 0
    for name in VALUES:
        at = content.index(b"value/" + name.encode()) + len("value/" + name)
        for start in range(at, at + 96):
            if content[start:start + 4] == struct.pack("<I", ONE_NAN):
                content[start:start + 4] = struct.pack("<I", 0xffe00000 | start)
                changed += 1
                break
    assert changed >= 5
    content[16:48] = hashlib.sha256(content[48:]).digest()
    (folder / "c").write_bytes(content)
    found = run("--set", "p=f4.npy", "--backend", backend, "--resume", "c", epochs=4)
    assert all(np.array_equal(bits(found[name]), bits(whole[name])) for name in VALUES)


MODEL = """
func.func @f(%x: tensor<1xf32>, %there: tensor<1xi1>) -> i64 {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %x[%c0] : tensor<1xf32>
  %quotient = arith.divf %v, %v : f32
  %bits = arith.bitcast %quotient : f32 to i32
  %shift = arith.constant 20 : i32
  %high = arith.shrui %bits, %shift : i32
  %token = arith.extui %high : i32 to i64
  return %token : i64
}
"""
ASKED = """
value X : F32 shape Seq(4) init[i] i * 1.0
value V : Token[4096] shape Seq(4) init 3
visible own: V[i] <- X[i]
rule R: on V[i] emit proposal V[i] := Model(own)
commit V[*] using accept
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_model_that_looks_at_bits_sees_one_nan(tools, build_dir, tmp_path, backend):
    """What 0/0 is differs from machine to machine, in its sign and its payload."""
    (tmp_path / "p.lmpm").write_text(ASKED)
    (tmp_path / "m.mlir").write_text(MODEL)
    (tmp_path / "b.json").write_text('{"models": {"Model": {"file": "m.mlir", "function": "f"}}}')
    words = [f"--cuda-driver={build_dir / 'lib' / 'libLCIPTXMachine.so'}"] if backend == "ptx" else []
    tools.run("lmpm-run", "p.lmpm", "--bindings", "b.json", "--quiet", *BACKENDS[backend], *words, "--output",
              "V=v.npy", cwd=tmp_path)
    assert np.load(tmp_path / "v.npy").tolist() == [0x7fc, 0x3f8, 0x3f8, 0x3f8]
