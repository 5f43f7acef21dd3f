//===- Contexts.h - Where inputs become IR ----------------------*- C++ -*-===//
#ifndef LCI_FUZZ_CONTEXTS_H
#define LCI_FUZZ_CONTEXTS_H

#include "Targets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace fuzz {

/// A context with every dialect, on one thread. It is another one every so often: a context keeps
/// each type and attribute that it ever saw.
mlir::MLIRContext &contextForInput();

/// Swallows what is said while it lives, and asks that nothing fails silently.
class Listener {
public:
  explicit Listener(mlir::MLIRContext &context);

  /// Whether that worked; if not, an error must have been said.
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
