//===- Diagnostics.h - Print errors of lmpm-run -----------------*- C++ -*-===//
//
// Diagnostics at a location in a file are printed with that line and a caret; those of a flag,
// which has no file, as `lmpm-run: error: …`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_DIAGNOSTICS_H
#define LCI_DRIVER_DIAGNOSTICS_H

#include "LCI/Bindings/Bindings.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::lci {

/// The location of a binding as an MLIR location; a flag becomes a name.
Location locationOf(const ::lci::BindingLocation &place, MLIRContext *context);

/// Emits the errors of parsed bindings.
void emitErrors(ArrayRef<::lci::BindingError> errors, MLIRContext *context);

/// Prints a diagnostic without a location in a file, of a flag or of the machine, as `TOOL: error:
/// …`; fails, and leaves it to other handlers, if it has one.
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
