//===- Diagnostics.cpp - Identifiers on MLIR's diagnostics ----------------===//

#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Dialect/LCIDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::lci;

namespace lmpm {
InFlightDiagnostic &operator<<(InFlightDiagnostic &diagnostic, ErrorId id) {
  // Metadata is not copied; the text of an identifier has static lifetime.
  if (Diagnostic *under = diagnostic.getUnderlyingDiagnostic())
    under->getMetadata().push_back(DiagnosticArgument(llvm::StringRef(textOf(id))));
  return diagnostic;
}

InFlightDiagnostic &&operator<<(InFlightDiagnostic &&diagnostic, ErrorId id) {
  return std::move(diagnostic << id);
}
} // namespace lmpm

std::optional<ErrorId> mlir::lci::getErrorId(Diagnostic &diagnostic) {
  for (DiagnosticArgument &data : diagnostic.getMetadata())
    if (data.getKind() == DiagnosticArgument::DiagnosticArgumentKind::String)
      if (std::optional<ErrorId> id = lmpm::findErrorId(data.getAsString()))
        return id;
  return std::nullopt;
}

/// Appends the identifier to the text, and leaves the diagnostic to the other handlers.
static LogicalResult appendErrorId(Diagnostic &diagnostic) {
  if (std::optional<ErrorId> id = getErrorId(diagnostic)) {
    diagnostic << " [" << StringRef(lmpm::textOf(*id)) << "]";
    diagnostic.getMetadata().clear(); // append it only once
  }
  return failure();
}

void mlir::lci::showErrorIds(MLIRContext *context) {
  context->getDiagEngine().registerHandler(appendErrorId);
}

void mlir::lci::showErrorIds(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LCIDialect *) { showErrorIds(context); });
}
