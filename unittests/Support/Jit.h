//===- Jit.h - Runs a small module for a test -------------------*- C++ -*-===//
//
// Lowers arith, math, scf, vector, memref and func to LLVM and compiles in this process. Pointers
// are bare, so that a function on memrefs is called with arrays.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_SUPPORT_JIT_H
#define LCI_UNITTESTS_SUPPORT_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::lci::test {

/// A context with the dialects of the tests' modules.
std::unique_ptr<MLIRContext> makeContext();

/// A compiled module.
class Jit {
public:
  /// Lowers the module in place and compiles it.
  explicit Jit(ModuleOp module);
  ~Jit();

  /// The address of a function; fails the test if there is none.
  template <typename Function>
  Function *lookup(StringRef name) {
    return reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(StringRef name);
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lci::test

#endif // LCI_UNITTESTS_SUPPORT_JIT_H
