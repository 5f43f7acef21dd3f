//===- Contexts.cpp - MLIR contexts of the fuzz targets -------------------===//
#include "Contexts.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;
using namespace fuzz;

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  mlir::lci::registerAllDialects(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  mlir::lci::prepareContext(*context);
  mlir::lci::prepareContextForPTX(*context);
  return context;
}

MLIRContext &fuzz::contextForInput() {
  static constexpr unsigned kInputsOfContext = 500;
  static std::unique_ptr<MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % kInputsOfContext == 0)
    context = makeContext();
  return *context;
}

Listener::Listener(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        // Diagnostics and their notes are rendered as text, which may go wrong too.
        check(!diagnostic.str().empty(), "said nothing");
        for (Diagnostic &note : diagnostic.getNotes())
          check(!note.str().empty(), "said nothing in a note");
        errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return success();
      }) {}
