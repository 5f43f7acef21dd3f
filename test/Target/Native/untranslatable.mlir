// RUN: not lmpm-translate --lci-to-llvmir %s 2>&1 | FileCheck %s
// What no lowering of this machine takes is named, and the module with it.

// CHECK: error: unsupported GPU operation: gpu.barrier
// CHECK: error: cannot be translated to LLVM IR
func.func @waits() {
  gpu.barrier
  return
}
