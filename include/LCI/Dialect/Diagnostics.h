//===- Diagnostics.h - Identifiers on MLIR's diagnostics --------*- C++ -*-===//
//
// `op.emitOpError("expected …") << ErrorId::InvalidTypes`: the identifier is stored as metadata of
// the diagnostic, not in its text, so that a stock mlir-opt shows the text alone. The project's
// tools call `showErrorIds`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DIALECT_DIAGNOSTICS_H
#define LCI_DIALECT_DIAGNOSTICS_H

#include "LCI/Errors/ErrorId.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace lmpm {

/// Attaches the kind of mistake to a diagnostic.
mlir::InFlightDiagnostic &operator<<(mlir::InFlightDiagnostic &diagnostic, ErrorId id);
mlir::InFlightDiagnostic &&operator<<(mlir::InFlightDiagnostic &&diagnostic, ErrorId id);

} // namespace lmpm

namespace mlir::lci {
using lmpm::ErrorId;

/// The kind of mistake of a diagnostic, if it has one. Remarks and notes have none.
std::optional<ErrorId> getErrorId(Diagnostic &diagnostic);

/// From now on a context's diagnostics end in their identifier, `[not-visible]`. Handlers that are
/// added later run before this one and do not see it.
void showErrorIds(MLIRContext *context);

/// The same for each context that loads the dialect.
void showErrorIds(DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_DIALECT_DIAGNOSTICS_H
