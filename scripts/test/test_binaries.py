"""Every tool, the plugin and the library for C take MLIR from libMLIR.so.22.1 and hold no second copy of it; what
runs bundles needs neither MLIR nor LLVM.

With two copies in one process, pass registries and TypeIDs exist twice, and lookups fail for no
visible reason (llvm-project issue 108253).
"""

import os
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LLVM_BIN = "/usr/lib/llvm-22/bin"


def binaries(build_dir):
    tools = [path for path in (build_dir / "bin").iterdir() if os.access(path, os.X_OK)]
    assert any(path.name == "lmpm-opt" for path in tools)
    return tools + [build_dir / "lib" / "LCIPlugin.so", build_dir / "lib" / "libLCI-C.so"]


def needed_by(binary):
    return output("llvm-readelf", "--needed-libs", binary)


def output(tool, *arguments):
    return subprocess.run([f"{LLVM_BIN}/{tool}", *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def test_binaries_need_the_shared_mlir(build_dir):
    for binary in binaries(build_dir):
        needed = needed_by(binary)
        if binary.name == "lmpm-run-bundle":
            assert "LLVM" not in needed and "MLIR" not in needed and "libc.so" in needed
        else:
            assert "libMLIR.so.22.1" in needed, f"{binary} does not link libMLIR.so.22.1: {needed}"


def test_binaries_define_no_mlir_context(build_dir):
    constructor = "_ZN4mlir11MLIRContextC"
    for binary in binaries(build_dir):
        for symbols in (output("llvm-nm", "--defined-only", binary),
                        output("llvm-nm", "-D", "--defined-only", binary)):
            assert constructor not in symbols, f"{binary} holds its own copy of MLIR"


def test_the_library_for_c_shows_its_header_alone(build_dir):
    """Every function that include/lci-c declares, and nothing else of the compiler behind them."""
    shown = {line.split()[-1] for line in output("llvm-nm", "-D", "--defined-only",
                                                 build_dir / "lib" / "libLCI-C.so").splitlines()}
    headers = "".join(path.read_text() for path in (SOURCE / "include/lci-c").glob("*.h"))
    assert shown == set(re.findall(r"^MLIR_CAPI_EXPORTED[^;]*?(lci\w+)\(", headers, re.M)) | {
        "mlirGetDialectHandle__lci__"}
