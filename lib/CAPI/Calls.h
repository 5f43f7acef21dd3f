//===- Calls.h - Calls from C: messages and failures ------------*- C++ -*-===//
//
// The wrapper of each function of include/lci-c: messages of a context go to the caller's
// callback and into the text of lciGetError, nothing is printed, and no exception leaves it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_CAPI_CALLS_H
#define LCI_LIB_CAPI_CALLS_H

#include "LCI/Runtime/Result.h"
#include "lci-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::lci::capi {

/// The messages of one call.
class Messages {
public:
  /// Those of a context while this lives; null is no context.
  explicit Messages(MLIRContext *context);

  /// An error without a place; always fails.
  LogicalResult fail(const ::lci::Failure &failure);
  /// The errors and warnings so far, a line each.
  const std::string &getText() const { return text; }

private:
  void tell(Diagnostic &diagnostic);
  void tell(const LciDiagnostic &diagnostic);

  std::string text;
  std::optional<ScopedDiagnosticHandler> handler;
  LciDiagnosticCallback callback; ///< of the calling thread, wherever messages come from
  void *userData;
};

using Work = llvm::function_ref<LogicalResult(Messages &messages)>;

/// Does the work of a function, and keeps why it failed for lciGetError.
LogicalResult call(MLIRContext *context, Work work);

/// The dialects of every level, and upstream's.
const DialectRegistry &everyDialect();

} // namespace mlir::lci::capi

#endif // LCI_LIB_CAPI_CALLS_H
