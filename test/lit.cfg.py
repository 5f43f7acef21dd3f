"""How the lit tests run: which files are tests, which tools they see, which features hold."""

import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.lci_source_dir, "scripts"))
from find_ptxas import find_ptxas  # noqa: E402

config.name = "LCI"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".lmpm", ".test", ".td", ".c"]
config.excludes = ["Inputs", "programs", "lit.cfg.py", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lci_binary_dir, "test")

# The build's own tools first, then FileCheck, not, split-file and mlir-opt of the same LLVM: those
# on the machine's PATH may be of another version.
tools = [os.path.join(config.lci_binary_dir, "bin"), config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])

# Tools verify IR after each pass, whatever the build, and poison scratch memory that is not needed.
config.environment["LMPM_VERIFY_PASSES"] = "1"
config.environment["LMPM_POISON_SCRATCH"] = "1"

# MLIR's NVVM back end reads these and links libdevice if it can, so a test's PTX would depend on
# the machine; tests that want the toolkit say so.
for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
    config.environment.pop(name, None)

library_dir = os.path.join(config.lci_binary_dir, "lib")
config.substitutions += [
    ("%lci_plugin", os.path.join(config.lci_binary_dir, "lib", "LCIPlugin.so")),
    ("%lci_build", config.lci_binary_dir),
    ("%lci_source", config.lci_source_dir),
    ("%examples", os.path.join(config.lci_source_dir, "examples")),
    ("%python", config.python_executable),
    ("%cmake", config.cmake_command),
    ("%cc", f"{config.c_compiler} -std=c11 -Wall -Wextra -Werror -pedantic -I{config.lci_source_dir}/include "
            f"-isystem {config.mlir_include_dir} -L{library_dir} -Wl,-rpath,{library_dir} -lLCI-C"),
]

ptxas = find_ptxas(config.lci_source_dir)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
# What only repeats at other sizes, in `make test-long`: RUN: %if all-ways %{ … %}
if os.environ.get("LCI_ALL_WAYS"):
    config.available_features.add("all-ways")
if config.lci_assertions == "ON":
    config.available_features.add("assertions")  # and what LDBG() prints
if config.lci_sanitize:
    # The stock mlir-opt cannot load a plugin that needs a sanitizer's run-time library.
    config.available_features.add("sanitizer")
