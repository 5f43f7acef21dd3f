//===- CheckSupport.h - Helpers of the check passes -------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_PROGRAM_CHECKSUPPORT_H
#define LCI_LIB_TRANSFORMS_PROGRAM_CHECKSUPPORT_H

#include "LCI/Dialect/DeclarationIndex.h"

namespace mlir::lci {

/// The name of the value that a rule or a constraint is on, or of the value itself.
inline StringRef getValueName(Operation *declaration) {
  auto value = dyn_cast<ValueOp>(declaration);
  return value ? value.getName() : getValueOf(declaration);
}

/// Calls `check` for every program of a module, all of which must be bound. It may modify
/// declarations, but neither add nor remove one.
inline LogicalResult forEachBound(ModuleOp module, function_ref<LogicalResult(ProgramOp)> check) {
  LogicalResult result = success();
  for (auto program : module.getOps<ProgramOp>()) {
    if (!program.isBound()) {
      InFlightDiagnostic error = emitError(program.getLoc(), "expected a bound program")
                                 << ErrorId::PassOrder;
      error.attachNote() << "run lci-bind first";
      result = failure();
      continue;
    }
    DeclarationIndex index(program);
    if (failed(check(program)))
      result = failure();
  }
  return result;
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_PROGRAM_CHECKSUPPORT_H
