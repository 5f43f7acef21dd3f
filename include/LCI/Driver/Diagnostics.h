//===- Diagnostics.h - How lmpm-run shows errors ----------------*- C++ -*-===//
//
// Diagnostics at a place in a file are printed with that line and a caret;
// those of a flag, which has no file, as `lmpm-run: error: …`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_DIAGNOSTICS_H
#define LCI_DRIVER_DIAGNOSTICS_H

#include "LCI/Bindings/Bindings.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::lci {

/// The place of a binding as an MLIR location; a flag becomes a name.
Location locationOf(const ::lci::BindingLocation &place, MLIRContext *context);

/// Emits what reading the bindings found.
void emitErrors(ArrayRef<::lci::BindingError> errors, MLIRContext *context);

/// Prints what is of no place in a file, of a flag or of the machine, as `TOOL: error: …`; fails,
/// and leaves to other handlers, what has one.
LogicalResult printIfPlaceless(StringRef tool, Diagnostic &diagnostic);

/// Prints the diagnostics of a context while it lives. `sources` are the files
/// that were read through it; others are opened to show their lines.
class DriverDiagnostics : public SourceMgrDiagnosticHandler {
public:
  DriverDiagnostics(llvm::SourceMgr &sources, MLIRContext *context, llvm::raw_ostream &os,
                    bool showRemarks);

private:
  void print(Diagnostic &diagnostic);
  void printWithoutPlace(Diagnostic &diagnostic);

  bool showRemarks;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_DIAGNOSTICS_H
