"""How this project's lit tests run: the tools of LLVM, of lci and its own are on the PATH."""

import os

import lit.formats

config.name = "audit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.binary_dir, "test")
folders = [config.binary_dir, config.lci_tools, config.llvm_tools, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(folders)
config.substitutions += [("%audit", os.path.join(config.binary_dir, "Audit.so")),
                         ("%lci", config.lci_plugin)]
