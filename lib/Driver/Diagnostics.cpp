//===- Diagnostics.cpp - Print errors of a run -----------------------------===//
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Target/LMPM/Carets.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace mlir::lci;

Location mlir::lci::locationOf(const ::lci::BindingLocation &place, MLIRContext *context) {
  if (place.line == 0)
    return NameLoc::get(StringAttr::get(context, place.file));
  return FileLineColLoc::get(context, place.file, place.line, place.column);
}

void mlir::lci::emitErrors(ArrayRef<::lci::BindingError> errors, MLIRContext *context) {
  for (const ::lci::BindingError &error : errors) {
    InFlightDiagnostic diagnostic = emitError(locationOf(error.location, context))
                                    << error.id << error.message;
    if (!error.hint.empty())
      diagnostic.attachNote() << error.hint;
  }
}

static StringRef nameOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("a severity without a name");
}

DriverDiagnostics::DriverDiagnostics(llvm::SourceMgr &sources, MLIRContext *context,
                                     llvm::raw_ostream &os, bool showRemarks)
    : SourceMgrDiagnosticHandler(sources, context, os), showRemarks(showRemarks) {
  lmpm::showCarets(sources, os);
  setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
  showErrorIds(context);
}

/// Any file location inside of the location counts.
static bool hasPlace(Diagnostic &diagnostic) {
  auto stop = [](Location part) {
    return isa<FileLineColLoc>(part) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return diagnostic.getLocation()->walk(stop).wasInterrupted();
}

LogicalResult mlir::lci::printIfPlaceless(StringRef tool, Diagnostic &diagnostic) {
  if (hasPlace(diagnostic))
    return failure();
  llvm::errs() << tool << ": " << nameOf(diagnostic.getSeverity()) << ": " << diagnostic << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    llvm::errs() << tool << ": note: " << note << '\n';
  return success();
}

void DriverDiagnostics::print(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark && !showRemarks)
    return;
  if (hasPlace(diagnostic))
    emitDiagnostic(diagnostic);
  else
    printWithoutPlace(diagnostic);
}

void DriverDiagnostics::printWithoutPlace(Diagnostic &diagnostic) {
  os << toolName() << ": " << nameOf(diagnostic.getSeverity()) << ": ";
  if (auto flag = dyn_cast<NameLoc>(diagnostic.getLocation()))
    os << flag.getName().getValue() << ": ";
  os << diagnostic << '\n';
  for (Diagnostic &note : diagnostic.getNotes()) {
    if (isa<FileLineColLoc>(note.getLocation()))
      emitDiagnostic(note.getLocation(), note.str(), note.getSeverity());
    else
      os << toolName() << ": note: " << note << '\n';
  }
}
