//===- Contexts.h - MLIR contexts of the fuzz targets -----------*- C++ -*-===//
//
// A context with every dialect, shared between inputs, and a listener that checks that every
// failure has a message.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_FUZZ_CONTEXTS_H
#define LCI_FUZZ_CONTEXTS_H

#include "Targets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace fuzz {

/// A context with every dialect, on one thread. It is replaced every so often: a context keeps each
/// type and attribute it ever created.
mlir::MLIRContext &contextForInput();

/// Swallows diagnostics while it lives, and checks that nothing fails silently.
class Listener {
public:
  explicit Listener(mlir::MLIRContext &context);

  /// Returns whether `result` succeeded; if not, an error must have been emitted.
  bool worked(bool result, const llvm::Twine &what) const {
    check(result || errors > 0, what + " failed without a message");
    return result;
  }
  unsigned countErrors() const { return errors; }

private:
  mlir::ScopedDiagnosticHandler handler;
  unsigned errors = 0;
};

} // namespace fuzz

#endif // LCI_FUZZ_CONTEXTS_H
